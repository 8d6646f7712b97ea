import { useEffect, useRef, useState } from 'react'
import { useUi, useWords, useApp, useLive } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { AreaField } from '../../parts/field.tsx'
import { Offered } from '../../parts/offered.tsx'
import type { SessionView, OutboxEntryView } from '../../../shared/state.ts'
import { Problem } from '../../parts/trouble.tsx'
import { useOrder } from '../../parts/use-order.ts'
import { useMinute } from '../../time/engine-time.ts'
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

/**
 * Changing a queued text. The revision it was opened with goes along, so that two people don't overwrite each other
 * unseen; the second to save gets a message, still sees their own text, and can save again.
 */
function EntryEdit({ entry }: { entry: OutboxEntryView }) {
  const { actions, ui } = useApp()
  const { w } = useWords()
  const live = useLive()
  const [text, setText] = useState(entry.text)
  const [seen, setSeen] = useState(entry.revision)
  const { busy, refused, give } = useOrder()
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const field = area.current
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  }, [])
  const changed = entry.revision !== seen
  const close = () => ui.setState({ editingEntry: null })
  const save = async () => {
    if (text.trim() === '' || text === entry.text) return close()
    const outcome = await give(() => actions.editEntry({ ...entry, revision: seen }, text))
    if (outcome.ok) return close()
    // The other change is known by now: the next save is over it, knowingly.
    setSeen(entry.revision)
  }
  return (
    <div className="entry">
      <Shape shape="idle" />
      <div className="entry-edit">
        <AreaField
          ref={area}
          label={w.queue.textOf}
          hideLabel
          value={text}
          maxLength={262_144}
          onChange={(e) => setText(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.nativeEvent.isComposing) return
            if (e.key === 'Escape') {
              e.stopPropagation()
              close()
            } else if (e.key === 'Enter' && !e.shiftKey) {
              e.preventDefault()
              void save()
            }
          }}
        />
        {changed && (
          <p className="meta needs" role="status">
            {w.queue.changed}
          </p>
        )}
        <Problem text={refused} />
        <div className="hstack">
          <Button small tone="primary" busy={busy} disabled={!live} onClick={() => void save()}>
            {w.queue.save}
          </Button>
          <Button small tone="quiet" onClick={close}>
            {w.queue.cancel}
          </Button>
        </div>
      </div>
    </div>
  )
}
