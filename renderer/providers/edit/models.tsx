import { useState } from 'react'
import { useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { Heads } from '../../parts/columns.tsx'
import { TextField } from '../../parts/field.tsx'
import type { ListedModel } from '../../../shared/control/provider-edit.ts'
import { hostOf } from '../health.ts'
import { bareModel, type ModelDraft, listedDraft } from './draft.ts'
import { modelColumns, ModelRow } from './model-row.tsx'
import { pricesOf } from './usual-price.ts'
import type { Fetched } from './use-fetched.ts'
import type { ProviderForm } from './use-provider-form.ts'
import { countOf } from '../count.ts'

/** The provider's models, with the context and prices of each; more from its own list, or by hand. */
export function Models({ form, fetched }: { form: ProviderForm; fetched: Fetched }) {
  const { w, f } = useWords()
  const t = w.providerForm
  const [typed, setTyped] = useState('')
  const { models } = form.draft
  const { state } = fetched
  const columns = modelColumns(pricesOf(form.draft.type, models))
  const listed: readonly ListedModel[] = state?.kind === 'listed' ? state.models : []
  const put = (id: string, change: Partial<ModelDraft>) =>
    form.set({ models: models.map((model) => (model.id === id ? { ...model, ...change } : model)) })
  const add = (more: readonly ModelDraft[]) =>
    form.set({ models: [...models, ...more.filter(({ id }) => !models.some((model) => model.id === id))] })
  const addTyped = () => {
    const ids = typed.split(/[\s,;，、]+/).filter(Boolean)
    if (ids.length > 0) add([...new Set(ids)].map(bareModel))
    setTyped('')
  }
  return (
    <section aria-label={t.models}>
      <h2>
        {t.models}
        {models.length > 0 && <span className="meta">{t.prices}</span>}
        <span className="grow" />
        <Button
          small
          tone="quiet"
          busy={state?.kind === 'running'}
          disabled={!fetched.can}
          title={fetched.can ? undefined : t.saveFirst}
          onClick={fetched.run}
        >
          {state?.kind === 'listed' ? t.fetchAgain : t.fetch}
        </Button>
      </h2>
      {models.length === 0 ? (
        <p className="meta">{t.noModels}</p>
      ) : (
        <div className="m-scroll">
          <table className="m-t">
            <thead>
              <tr>
                <Heads columns={columns} say={t} />
              </tr>
            </thead>
            <tbody>
              {models.map((model) => (
                <ModelRow
                  key={model.id}
                  model={model}
                  listed={listed.find(({ id }) => id === model.id) ?? null}
                  columns={columns}
                  form={form}
                  onPut={(change) => put(model.id, change)}
                  onRemove={() => form.set({ models: models.filter(({ id }) => id !== model.id) })}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="m-fetched" role="status">
        {state?.kind === 'running' && <p className="meta">{t.fetching}</p>}
        {state?.kind === 'failed' && <p className="meta failed">{t.fetchFailed(state.message)}</p>}
        {state?.kind === 'listed' && (
          <p className="meta">
            {f.list([
              t.fetched(
                listed.length,
                hostOf(form.base.baseUrl ?? form.base.id),
                listed.filter(({ id }) => !models.some((model) => model.id === id)).length,
              ),
              f.minute(state.at),
            ])}
            {!state.whole && ` ${t.fetchedSome}`}
          </p>
        )}
      </div>
      <FoundModels listed={listed} models={models} onAdd={add} />
      <div className="m-add">
        <TextField
          label={t.addModel}
          hideLabel
          boxClass="mono"
          placeholder={t.addModel}
          maxLength={512}
          value={typed}
          onChange={(e) => setTyped(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key !== 'Enter' || e.nativeEvent.isComposing) return
            e.preventDefault()
            addTyped()
          }}
        />
        <Button disabled={typed.trim() === ''} onClick={addTyped}>
          {t.add}
        </Button>
      </div>
    </section>
  )
}

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
function FoundModels({ listed, models, onAdd }: FoundProps) {
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
