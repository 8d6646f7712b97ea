import { useApp, useLive, useWords } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Ticking } from '../../time/ticking.tsx'
import { StandingActions } from './standing-actions.tsx'
import { stands } from './waiting.ts'
import type { OutboxEntryView } from '../../../shared/state.ts'
import type { SessionShape } from '../../../shared/words.ts'

/** `undefined`: can't go that way; `null`: to the end */
export interface Moves {
  up: string | null | undefined
  down: string | null | undefined
}

export function EntryRow({ entry, moves }: { entry: OutboxEntryView; moves: Moves | null }) {
  const { actions, ui } = useApp()
  const { w, s, f } = useWords()
  const live = useLive()
  const shape: SessionShape = entry.state === 'queued' ? (entry.hold ? 'held' : 'idle') : 'working'
  const state = entry.hold && entry.state === 'queued' ? s.hold(entry.hold) : s.outbox(entry.state)
  const facts = [entry.round === null ? '' : w.queue.round(entry.round), s.source(entry.source)].filter(Boolean)
  return (
    <div className="entry">
      <Shape shape={shape} name={state} />
      <p className="entry-text" title={entry.text.length > 400 ? entry.text : undefined}>
        {entry.text}
      </p>
      {moves && stands(entry) ? (
        <div className="entry-acts" role="group" aria-label={w.queue.actions}>
          <StandingActions entry={entry} small />
        </div>
      ) : moves ? (
        <div className="entry-acts" role="group" aria-label={w.queue.actions}>
          <Button
            does="sendEntryNow"
            small
            title={w.queue.sendNowHint}
            disabled={!live}
            onClick={() => void actions.sendEntryNow(entry.id)}
          >
            {w.queue.sendNow}
          </Button>
          <IconButton
            does="editEntry"
            icon="edit"
            small
            name={w.queue.edit}
            disabled={!live}
            onClick={() => ui.setState({ editingEntry: entry.id })}
          />
          <IconButton
            does="moveEntry"
            icon="up"
            small
            name={w.queue.up}
            disabled={!live || moves.up === undefined}
            onClick={() => {
              if (moves.up !== undefined) void actions.moveEntry(entry.id, moves.up)
            }}
          />
          <IconButton
            does="moveEntry"
            icon="down"
            small
            name={w.queue.down}
            disabled={!live || moves.down === undefined}
            onClick={() => {
              if (moves.down !== undefined) void actions.moveEntry(entry.id, moves.down)
            }}
          />
          <IconButton
            does="cancelEntry"
            icon="x"
            small
            name={w.queue.drop}
            disabled={!live}
            onClick={() => void actions.cancelEntry(entry)}
          />
        </div>
      ) : (
        <span />
      )}
      <p className="entry-foot meta">
        <span>{state}</span>
        {facts.map((fact) => (
          <span key={fact} className="dot">
            {fact}
          </span>
        ))}
        <span className="dot num">
          <Ticking
            title={f.instant(entry.createdAt)}
            text={(now) =>
              now - entry.createdAt < 2000 ? w.queue.queuedNow : w.queue.queuedAt(f.ago(now - entry.createdAt))
            }
          />
        </span>
      </p>
    </div>
  )
}
