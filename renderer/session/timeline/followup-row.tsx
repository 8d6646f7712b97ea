import { useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import type { Words } from '../../i18n/index.ts'
import type { Followup } from './followup.ts'
import type { FollowupRow } from './groups.ts'
import { Receipt } from './receipt.tsx'

/** One followup from queued to confirmed, with the text that was typed. */
export function FollowupRowView({ row, linked, active }: { row: FollowupRow; linked: boolean; active: boolean }) {
  const words = useWords()
  const { w, f, s } = words
  const { followup, at } = row
  return (
    <div className={`tl-ev${linked ? ' linked' : ''}${active ? ' is-active' : ''}`}>
      <time dateTime={new Date(at).toISOString()} title={f.instant(at)}>
        {f.time(at)}
      </time>
      {followup.end?.kind === 'failed' ? <Shape shape="failed" name={words.s.shape('failed')} /> : <Icon name="type" />}
      <div className="tl-what">
        {followup.end?.kind === 'other' ? (
          <span className="no">{titleOf(followup, words)}</span>
        ) : (
          titleOf(followup, words)
        )}
        {followup.used && <span className="t3"> — {w.timeline.roundUsed(followup.used.used, followup.used.max)}</span>}
        {followup.text !== null && (
          <p className="quote" tabIndex={followup.text.length > 1000 ? 0 : undefined}>
            {followup.text}
          </p>
        )}
        {followup.escaped && <p className="t3">{s.event(followup.escaped)}</p>}
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
  return s.event({
    id: '',
    seq: 0,
    at: 0,
    sessionId: null,
    scope: null,
    requestId: null,
    body: {
      type: 'queued',
      entryId: followup.id,
      source: followup.source ?? 'stopMessage',
      text: '',
      round: followup.round,
    },
  })
}
