import { useApp, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import { Ticking } from '../../time/ticking.tsx'
import type { Words } from '../../i18n/index.ts'
import type { SessionView } from '../../../shared/state.ts'
import { toggled } from '../../state/ui.ts'
import { AllRounds } from '../rounds/all-rounds.tsx'
import type { Followup } from '../timeline/followup.ts'
import { hasReview } from './right-card.ts'

/** The latest followup: its text and the progress of its receipt. */
export function RoundCard({ session, followup }: { session: SessionView; followup: Followup }) {
  const { ui } = useApp()
  const { w, s, f } = useWords()
  const { confirmed, text, queuedAt } = followup
  const word = wordOf(followup, { w, s })
  const round = followup.round ?? (followup.source === 'stopMessage' ? (followup.used?.used ?? null) : null)
  return (
    <section className="card" aria-label={w.round.label}>
      <div className="card-head">
        <Icon name="type" />
        <h2>{w.round.title(round)}</h2>
        <span className={`strong meta ${word.tone}`} title={word.title}>
          {word.text}
        </span>
        <span className="grow" />
        {queuedAt !== null && (
          <Ticking
            className="meta num"
            title={f.instant(queuedAt)}
            text={(now) => f.ago(now - (confirmed?.at ?? queuedAt))}
          />
        )}
      </div>
      {text !== null && (
        <p className="card-text" title={text}>
          {text}
        </p>
      )}
      <ul className="check-list meta">
        <Step done={queuedAt !== null} text={w.round.queued} at={queuedAt} />
        {followup.hold && (
          <li>
            <Shape shape="held" />
            <span className="cut" title={s.hold(followup.hold)}>
              {s.hold(followup.hold)}
            </span>
          </li>
        )}
        {followup.end?.kind === 'failed' ? (
          <li>
            <Shape shape="failed" />
            <span className="cut failed" title={s.fail(followup.end.reason)}>
              {s.fail(followup.end.reason)}
            </span>
          </li>
        ) : (
          <>
            <Step done={followup.submittedAt !== null} text={w.round.submitted} at={followup.submittedAt} />
            <Step
              done={confirmed !== null}
              text={w.round.confirmed}
              after={confirmed ? w.round.after(f.took(confirmed.afterMs)) : undefined}
              at={null}
            />
          </>
        )}
      </ul>
      <div className="divider low" />
      <div className="hstack meta">
        <span className="cut">{followup.source && s.source(followup.source)}</span>
        <span className="grow" />
        {hasReview(session) && (
          <button
            type="button"
            className="link meta"
            onClick={() => ui.setState((s) => ({ followupCards: toggled(s.followupCards, session.id) }))}
          >
            {w.round.showReview}
          </button>
        )}
        <AllRounds session={session} />
      </div>
    </section>
  )
}

function Step({ done, text, at, after }: { done: boolean; text: string; at: number | null; after?: string }) {
  const { f } = useWords()
  return (
    <li>
      <Shape shape={done ? 'done' : 'idle'} />
      <span className={`cut${done ? '' : ' t3'}`}>
        {text}
        {after && ` ${after}`}
      </span>
      <span className="grow" />
      {at !== null && <span className="num">{f.time(at)}</span>}
    </li>
  )
}

function wordOf(followup: Followup, { w, s }: Pick<Words, 'w' | 's'>): { text: string; tone: string; title?: string } {
  if (followup.end?.kind === 'failed') return { text: w.round.failed, tone: 'failed' }
  if (followup.confirmed) return { text: s.outbox('confirmed').toLowerCase(), tone: 'done' }
  if (followup.submittedAt !== null) return { text: s.outbox('submitted').toLowerCase(), tone: 'working' }
  if (followup.hold) return { text: s.shape('held').toLowerCase(), tone: 'working', title: s.hold(followup.hold) }
  return { text: s.outbox('queued').toLowerCase(), tone: 'working' }
}
