import { useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import { Ticking } from '../../time/ticking.tsx'
import type { Words } from '../../i18n/index.ts'
import type { Followup } from './followup.ts'
import type { FollowupRow } from './groups.ts'

/** One followup from queued to confirmed, with the text that was typed. */
export function FollowupRowView({ row, linked, active }: { row: FollowupRow; linked: boolean; active: boolean }) {
  const words = useWords()
  const { w, f } = words
  const { followup, at } = row
  return (
    <div className={`tl-ev${linked ? ' linked' : ''}${active ? ' is-active' : ''}`}>
      <time dateTime={new Date(at).toISOString()} title={f.instant(at)}>{f.time(at)}</time>
      {followup.end?.kind === 'failed' ? <Shape shape="failed" name={words.s.shape('failed')} /> : <Icon name="type" />}
      <div className="tl-what">
        {followup.end?.kind === 'other' ? <span className="no">{titleOf(followup, words)}</span> : titleOf(followup, words)}
        {followup.used && <span className="t3"> — {w.timeline.roundUsed(followup.used.used, followup.used.max)}</span>}
        {followup.text !== null && <p className="quote" tabIndex={followup.text.length > 1000 ? 0 : undefined}>{followup.text}</p>}
        {followup.end?.kind !== 'other' && <Receipt followup={followup} />}
      </div>
      <span className="tl-side" />
    </div>
  )
}

function titleOf(followup: Followup, { w, s }: Words): string {
  if (followup.end?.kind === 'failed') return s.fail(followup.end.reason)
  if (followup.end?.kind === 'other') return s.event(followup.end.event)
  if (followup.confirmed) return followup.source === 'user' ? w.timeline.userConfirmed : w.timeline.confirmed
  if (followup.submittedAt !== null) return w.timeline.submitted
  if (followup.hold) return s.hold(followup.hold)
  if (followup.typedAt !== null) return w.timeline.typing
  return s.event({ id: '', seq: 0, at: 0, sessionId: null, scope: null, requestId: null, body: { type: 'queued', entryId: followup.id, source: followup.source ?? 'stopMessage', text: '', round: followup.round } })
}

function Receipt({ followup }: { followup: Followup }) {
  const { w, s, f } = useWords()
  const { queuedAt, hold, heldSince, heldMs, typedAt, submittedAt, confirmed, end } = followup
  const steps: React.ReactNode[] = []
  if (queuedAt !== null) steps.push(<Step key="queued" name={w.round.queued} text={f.time(queuedAt)} />)
  if (hold && heldSince !== null) steps.push(<span key="hold"><Shape shape="held" /><b>{s.shape('held')}</b> <Ticking text={(now) => f.span(now - heldSince)} /></span>)
  else if (heldMs >= 1000) steps.push(<span key="held"><Shape shape="held" />{w.timeline.heldFor(f.span(heldMs))}</span>)
  if (typedAt !== null) steps.push(<Step key="typed" name={w.round.typed} />)
  if (submittedAt !== null) steps.push(<Step key="submitted" name={w.round.submitted} />)
  if (confirmed) steps.push(<Step key="confirmed" name={s.outbox('confirmed')} text={confirmed.late ? w.timeline.late(f.took(confirmed.afterMs)) : w.timeline.byNextRequest(f.took(confirmed.afterMs))} />)
  if (end?.kind === 'failed') steps.push(<span key="failed"><Shape shape="failed" /><b>{s.outbox('failed')}</b></span>)
  return <p className="receipt">{steps.map((step, i) => <span key={i}>{i > 0 && <i className="sep" />}{step}</span>)}</p>
}

const Step = ({ name, text }: { name: string; text?: string }) => <span><Shape shape="done" /><b>{name}</b>{text && ` ${text}`}</span>
