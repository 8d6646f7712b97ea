import { type KeyboardEvent, startTransition, useOptimistic, useRef, useState } from 'react'
import type { EngineStatus } from '../../shared/state.ts'
import { useApp, useLive, useWords } from '../app-context.ts'
import { Switch } from '../parts/switch.tsx'
import { TextField } from '../parts/field.tsx'
import { readTimeOfDay } from './read-time-of-day.ts'

type Hours = NonNullable<EngineStatus['quietHours']>
type Member = 'on' | 'needsYou' | 'ownAlarms'

/** When nothing is shown or sent, and what comes through all the same. */
export function QuietHours({ hours, zone }: { hours: Hours; zone: string | undefined }) {
  const { w } = useWords()
  const t = w.settings.quiet
  return (
    <div className="quiet-hours" role="group" aria-label={t.title}>
      <div className="quiet-line">
        <div>
          <QuietSwitch member="on" on={hours.on} text={t.title} />
          <p className="meta">{t.hint}</p>
        </div>
        {hours.on && (
          <div className="quiet-times">
            {/* With another value from elsewhere the field begins anew. */}
            <QuietTime key={`from ${hours.from}`} member="from" value={hours.from} />
            <QuietTime key={`to ${hours.to}`} member="to" value={hours.to} />
            {zone && <span className="meta">{zone}</span>}
          </div>
        )}
      </div>
      {hours.on && <QuietSwitch member="needsYou" on={hours.needsYou} text={t.needsYou} />}
      {hours.on && <QuietSwitch member="ownAlarms" on={hours.ownAlarms} text={t.ownAlarms} />}
      {hours.held > 0 && (
        <p className="meta" role="status">
          {t.held(hours.held)}
        </p>
      )}
    </div>
  )
}

/** It stands where it was put while the engine is asked, and goes back when it refuses. */
function QuietSwitch({ member, on, text }: { member: Member; on: boolean; text: string }) {
  const { actions } = useApp()
  const live = useLive()
  const [shown, show] = useOptimistic(on)
  const change = (next: boolean) =>
    startTransition(async () => {
      show(next)
      await actions.switchQuietHours({ [member]: next })
    })
  return (
    <Switch checked={shown} disabled={!live} onChange={change}>
      <span>{text}</span>
    </Switch>
  )
}

/** One end of the quiet hours: kept with Enter or when it is left, put back with Escape. */
function QuietTime({ member, value }: { member: 'from' | 'to'; value: string }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const [text, setText] = useState(value)
  const [problem, setProblem] = useState<string | null>(null)
  /** on its way, or there already: Enter, and the field that loses the focus when the new value comes, ask once */
  const asked = useRef(value)
  const t = w.settings.quiet
  const save = async () => {
    const wanted = readTimeOfDay(text)
    if (wanted === null) return setProblem(t.badTime)
    setProblem(null)
    setText(wanted)
    if (wanted === asked.current) return
    asked.current = wanted
    const outcome = await actions.setQuietTime(member, wanted, value, t.saved(t[member], wanted))
    if (outcome.ok) return
    asked.current = value
    setProblem(outcome.problem.message)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      void save()
    }
    if (event.key !== 'Escape') return
    event.stopPropagation()
    setText(value)
    setProblem(null)
  }
  return (
    <TextField
      label={t[member]}
      boxClass="num"
      placeholder="22:00"
      value={text}
      problem={problem}
      disabled={!live}
      onChange={(e) => setText(e.currentTarget.value)}
      onBlur={() => void save()}
      onKeyDown={onKeyDown}
    />
  )
}
