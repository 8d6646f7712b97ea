import { useState } from 'react'
import { useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import type { ListedModel } from '../../../shared/control/provider-edit.ts'
import { countOf } from '../count.ts'
import { listedDraft, type ModelDraft } from './draft.ts'

interface FoundProps {
  listed: readonly ListedModel[]
  models: readonly ModelDraft[]
  onAdd: (models: readonly ModelDraft[]) => void
}

/** Gateways list hundreds: the rest is found by its name. */
const MOST_SHOWN = 24
/** More at once are seldom meant. */
const MOST_AT_ONCE = 40

/** Models that the provider lists and the form does not have yet: a click adds one, with all its listed facts. */
export function FoundModels({ listed, models, onAdd }: FoundProps) {
  const { w } = useWords()
  const t = w.providerForm
  const [text, setText] = useState('')
  const fresh = listed.filter(({ id }) => !models.some((model) => model.id === id))
  if (fresh.length === 0) return null
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = fresh.filter(({ id, name }) =>
    words.every((word) => `${id} ${name ?? ''}`.toLowerCase().includes(word)),
  )
  const shown = matching.slice(0, MOST_SHOWN)
  return (
    <div className="m-found">
      {fresh.length > MOST_SHOWN && (
        <TextField
          label={t.find}
          hideLabel
          placeholder={t.find}
          value={text}
          onChange={(e) => setText(e.currentTarget.value)}
        />
      )}
      <ul aria-label={t.found}>
        {shown.map((model) => (
          <li key={model.id}>
            <Button small icon="plus" title={model.name ?? undefined} onClick={() => onAdd([listedDraft(model)])}>
              <span className="sr">{t.add} </span>
              {model.id}
              {model.contextWindow !== null && <span className="meta num">{countOf(model.contextWindow)}</span>}
            </Button>
          </li>
        ))}
        {matching.length > shown.length && <li className="meta">{t.moreFound(matching.length - shown.length)}</li>}
        {matching.length > 1 && matching.length <= MOST_AT_ONCE && (
          <li>
            <Button small tone="quiet" onClick={() => onAdd(matching.map(listedDraft))}>
              {t.addEvery(matching.length)}
            </Button>
          </li>
        )}
      </ul>
    </div>
  )
}
