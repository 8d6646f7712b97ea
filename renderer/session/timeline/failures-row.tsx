import { useApp, useUi, useWords } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { toggled } from '../../state/ui.ts'
import type { FailuresRow } from './failed-runs.ts'

/** Failures in a row: how many, from when to when, and why. Opened, each stands below it. */
export function FailuresRowView({ row, active }: { row: FailuresRow; active: boolean }) {
  const { ui } = useApp()
  const { w, s, f } = useWords()
  const { key, at, since, count, last } = row
  const open = useUi((state) => state.openWhys.has(key))
  const said = w.timeline.failures(count, f.minute(since), f.minute(last.at))
  return (
    <div className={`tl-turn${active ? ' is-active' : ''}`}>
      <time dateTime={new Date(at).toISOString()} title={f.instant(at)}>
        {f.time(at)}
      </time>
      <Shape shape="failed" name={s.shape('failed')} />
      <div className="tl-what">
        <b>{said}</b>
        {w.timeline.failuresWhy(s.turnFailure(last.body))}{' '}
        <button
          type="button"
          className="why"
          data-why={key}
          aria-expanded={open}
          aria-label={w.timeline.whyOf(open ? w.timeline.foldFailures : w.timeline.allFailures(count), said)}
          onClick={() => ui.setState((state) => ({ openWhys: toggled(state.openWhys, key), activeRow: key }))}
        >
          {open ? w.timeline.foldFailures : w.timeline.allFailures(count)}
        </button>
      </div>
      <span className="tl-side" />
    </div>
  )
}
