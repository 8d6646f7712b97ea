import { useMemo } from 'react'
import { useEngine, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { SkeletonRows } from '../../parts/skeleton.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import type { SessionView } from '../../../shared/state.ts'
import { receiptsOf } from './receipts.ts'
import { RoundItem } from './round-item.tsx'
import { useRounds } from './use-rounds.ts'

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
  switch (loaded.kind) {
    case 'loading':
      return <SkeletonRows label={t.loading} rows={skeleton} />
    case 'failed':
      return (
        <div className="pad">
          <Trouble shape="failed" title={t.failed} text={loaded.message}>
            <div className="hstack">
              <Button disabled={!live} onClick={again}>
                {t.retry}
              </Button>
            </div>
          </Trouble>
        </div>
      )
    case 'there':
      break
  }
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
