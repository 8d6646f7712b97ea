import { useState } from 'react'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Problem } from '../../parts/trouble.tsx'
import { useOrder } from '../../parts/use-order.ts'
import { budgetText, parseBudget } from '../../settings/parse-budget.ts'
import type { DriveLimits, OwnDrive } from '../../../shared/drives.ts'

const none: DriveLimits = { rounds: null, hours: null, tokens: null, costUsd: null }
const fields = ['rounds', 'hours', 'tokens', 'costUsd'] as const

/** The bounds of one drive, in its row. */
export function BoundForm({ session, drive, close }: { session: string; drive: OwnDrive; close(): void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const { busy, refused, refuse, give } = useOrder()
  const now = drive.bound ?? none
  const [texts, setTexts] = useState(() => fields.map((name) => budgetText(now[name])))
  const t = w.drives
  const labels = [w.settings.budgetRounds, w.settings.budgetHours, w.settings.budgetTokens, w.settings.budgetCost]
  const whole = (i: number) => fields[i] === 'rounds' || fields[i] === 'tokens'
  const order = async (limits: DriveLimits) => {
    if ((await give(() => actions.boundDrive(session, drive.id, limits))).ok) close()
  }
  const save = () => {
    const wanted = { ...none }
    for (const [i, name] of fields.entries()) {
      const limit = parseBudget(texts[i] ?? '', whole(i))
      if (limit === 'bad') return refuse(whole(i) ? w.settings.badWhole : w.settings.badNumber)
      wanted[name] = limit
    }
    void order(wanted)
  }
  return (
    <form
      className="dr-bound"
      aria-label={t.boundOf}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      {fields.map((name, i) => (
        <TextField
          key={name}
          label={labels[i] ?? name}
          inputMode={whole(i) ? 'numeric' : 'decimal'}
          placeholder={w.settings.noLimit}
          boxClass="num"
          value={texts[i] ?? ''}
          autoFocus={i === 0}
          disabled={!live}
          onChange={(event) => {
            const { value } = event.currentTarget
            setTexts((all) => all.map((text, n) => (n === i ? value : text)))
          }}
        />
      ))}
      <span className="hstack">
        <Button does="boundDrive" type="submit" tone="primary" small disabled={!live} busy={busy}>
          {t.boundSet}
        </Button>
        {drive.bound && (
          <Button does="boundDrive" small disabled={!live || busy} onClick={() => void order(none)}>
            {t.boundNone}
          </Button>
        )}
        <Button small tone="quiet" onClick={close}>
          {t.close}
        </Button>
      </span>
      <Problem text={refused} />
    </form>
  )
}
