import { useEffect, useMemo, useState } from 'react'
import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import { Empty } from '../../parts/empty.tsx'
import { Missing } from '../../parts/missing.tsx'
import type { SessionView } from '../../../shared/state.ts'
import { receiptsOf } from './receipts.ts'
import { RoundItem } from './round-item.tsx'
import type { RoundView } from '../../../shared/review.ts'

/** The engine keeps and sends so many; a list of them needs no virtual rows. */
const mostKept = 40
const skeleton = ['head', ['46%', '62%'], ['38%', '54%'], 'head', ['52%', '40%'], ['44%', '58%']] as const

/** The agent's work, the reviewer's findings and the followup, round by round, newest first. */
export function RoundsTab({ session }: { session: SessionView }) {
  const { w } = useWords()
  const live = useLive()
  const { loaded, again } = useRounds(session)
  const events = useEngine((s) => s.timelines.get(session.id)?.events)
  const receipts = useMemo(() => receiptsOf(events ?? []), [events])
  const t = w.rounds
  if (loaded.kind !== 'there')
    return (
      <Missing
        loading={t.loading}
        rows={skeleton}
        failed={t.failed}
        problem={loaded.kind === 'failed' ? loaded.message : null}
        disabled={!live}
        onRetry={again}
      />
    )
  if (loaded.rounds.length === 0) return <Empty icon="reviewer" title={t.emptyTitle} text={t.emptyText} />
  return (
    <section className="rounds" aria-label={t.label} tabIndex={0} data-pane-stop>
      {loaded.rounds.map((round) => (
        <RoundItem key={`${round.n} ${round.at}`} round={round} receipt={receipts.get(round.n)} />
      ))}
      {loaded.rounds.length >= mostKept && <p className="meta">{t.most(mostKept)}</p>}
    </section>
  )
}

type Loaded =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'there'; rounds: readonly RoundView[] }

/** The rounds of a session, newest first; asked for again when one is added or ends, and after a reconnect. */
function useRounds(session: SessionView): { loaded: Loaded; again: () => void } {
  const { actions } = useApp()
  const live = useLive()
  const snapshot = useEngine((s) => s.snapshots)
  const { id } = session
  const changed = session.stopMessage?.goal?.roundsAt ?? 0
  const [asked, ask] = useState(0)
  const [kept, keep] = useState<{ id: string; loaded: Loaded }>({ id, loaded: { kind: 'loading' } })
  useEffect(() => {
    if (!live) return
    let here = true
    void actions.rounds(id).then((outcome) => {
      if (!here) return
      // Shown rounds stay where only asking again failed.
      keep((before) =>
        outcome.ok
          ? { id, loaded: { kind: 'there', rounds: outcome.value } }
          : before.id === id && before.loaded.kind === 'there'
            ? before
            : { id, loaded: { kind: 'failed', message: outcome.problem.message } },
      )
    })
    return () => {
      here = false
    }
  }, [actions, id, live, snapshot, changed, asked])
  return { loaded: kept.id === id ? kept.loaded : { kind: 'loading' }, again: () => ask((n) => n + 1) }
}
