import { useUi, useWords } from '../../app-context.ts'
import { Empty } from '../../parts/empty.tsx'
import { Offered } from '../../parts/offered.tsx'
import type { SessionView } from '../../../shared/state.ts'
import { useMinute } from '../../time/engine-time.ts'
import { EntryEdit } from './entry-edit.tsx'
import { EntryRow } from './entry-row.tsx'
import { SayForm } from './say-form.tsx'
import { underWay, waiting } from './waiting.ts'

/** Followups in the order they will be typed; the one under way first, those a person can still change below. */
export function QueueTab({ session }: { session: SessionView }) {
  const { w, s } = useWords()
  const now = useMinute()
  const editing = useUi((s) => s.editingEntry)
  const queued = waiting(session.queue)
  const rows = [...underWay(session.queue), ...queued]
  return (
    <section className="queue" aria-label={w.queue.label} data-pane-stop>
      <Offered to="say">
        <SayForm session={session} />
      </Offered>
      {rows.length === 0 ? (
        <Empty icon="type" title={w.queue.emptyTitle} text={w.queue.emptyText} />
      ) : (
        <ol className="vstack">
          {session.cacheUntil !== undefined && <li className="meta">{s.cacheUntil(session.cacheUntil, now)}</li>}
          {rows.map((entry) => {
            const at = queued.indexOf(entry)
            // Moving puts an entry before another one: down is before the one after next.
            const moves =
              at < 0
                ? null
                : {
                    up: at > 0 ? (queued[at - 1]?.id ?? null) : undefined,
                    down: at < queued.length - 1 ? (queued[at + 2]?.id ?? null) : undefined,
                  }
            return (
              <li key={entry.id}>
                {entry.id === editing && at >= 0 ? (
                  <EntryEdit entry={entry} />
                ) : (
                  <EntryRow entry={entry} moves={moves} />
                )}
              </li>
            )
          })}
        </ol>
      )}
    </section>
  )
}
