import type { OutboxEntryView } from '../../../../shared/state.ts'
import { OnwardError } from '../../base/errors.ts'
import { viewOf, type SupersededBy } from './entry.ts'
import { scopeMoved } from './entry/move-entries.ts'
import type { Sender } from './send/sender.ts'
import type { EntryEvent, Refusal } from './entry/transition.ts'
import type { Writer } from './writer.ts'

/** A person's orders for waiting followups. All of them hold only until an entry is typed. */
export interface Commands {
  /**
   * @throws OnwardError `entry-changed` when another edit came first, `entry-under-way`, `entry-not-found`,
   *   `store-failed`
   */
  edit(id: string, revision: number, text: string): Promise<OutboxEntryView>
  /** before another waiting entry; null: to the end */
  move(id: string, beforeId: string | null): Promise<void>
  cancel(id: string): Promise<void>
  /** skips the settle time and nothing else */
  sendNow(id: string): Promise<void>
  /**
   * the session went on without it, or its text goes another way. @throws OnwardError `entry-under-way` once it is
   * being typed
   */
  overtake(id: string, by?: Extract<SupersededBy, 'new-turn' | 'other-way'>): Promise<void>
  /** an alarm's entry whose time has passed */
  expire(id: string): Promise<void>
}

export function createCommands(
  writer: Writer,
  sender: Sender,
  now: () => number,
  safe: (text: string) => string,
): Commands {
  const must = (id: string) => {
    const entry = writer.find(id)
    if (!entry)
      throw new OnwardError('entry-not-found', 'This followup does not exist any more. Look at the queue again.', {
        status: 404,
      })
    return entry
  }
  const apply = (id: string, event: EntryEvent) =>
    writer.queue(async () => {
      must(id)
      // Its copy in the other terminal would not get the change.
      if (writer.state.movedTo !== null) throw scopeMoved()
      await writer.commit('durable', (draft) => {
        const refusal = draft.apply(id, event)
        if (refusal) throw refused(refusal)
      })
      return viewOf(must(id))
    })

  return {
    async edit(id, revision, text) {
      const view = await apply(id, { type: 'edit', revision, text: safe(text) })
      sender.check()
      return view
    },
    move: (id, beforeId) =>
      writer.queue(async () => {
        for (const entry of [must(id), ...(beforeId === null ? [] : [must(beforeId)])]) {
          if (entry.phase.state !== 'queued') throw refused('wrong-state')
        }
        await writer.commit('durable', (draft) => {
          const moved = draft.state.entries.filter((e) => e.id === id)
          const others = draft.state.entries.filter((e) => e.id !== id)
          const at = beforeId === null ? -1 : others.findIndex((e) => e.id === beforeId)
          if (id !== beforeId)
            draft.set({
              entries: at === -1 ? [...others, ...moved] : [...others.slice(0, at), ...moved, ...others.slice(at)],
            })
        })
        sender.check()
      }),
    async cancel(id) {
      const run = await writer.queue(async () => {
        const { run } = sender
        if (must(id).phase.state !== 'typing' || run?.entryId !== id) return null
        // In the middle of being typed: no Enter, and it is cancelled as soon as it comes back.
        run.withdrawal = { type: 'cancel', by: 'user' }
        run.stop()
        return run
      })
      if (run) {
        await run.settled
        if (must(id).phase.state !== 'cancelled') throw refused('wrong-state')
        return
      }
      await apply(id, { type: 'cancel', at: now(), by: 'user' })
      sender.check()
    },
    async sendNow(id) {
      await apply(id, { type: 'send-now' })
      sender.check()
    },
    async overtake(id, by = 'new-turn') {
      await apply(id, { type: 'supersede', at: now(), by })
      sender.check()
    },
    async expire(id) {
      await apply(id, { type: 'expire', at: now() })
      sender.check()
    },
  }
}

function refused(refusal: Refusal): OnwardError {
  switch (refusal) {
    case 'stale-revision':
      return new OnwardError(
        'entry-changed',
        'This followup was changed in the meantime. Look at it again and repeat your edit.',
        { status: 409 },
      )
    case 'text-in-composer':
      return new OnwardError(
        'entry-under-way',
        'This followup already stands in the agent’s input line. Cancel it and change the text there.',
        { status: 409 },
      )
    default:
      return new OnwardError(
        'entry-under-way',
        'This followup is not waiting any more: it is being typed, was sent, or has ended.',
        { status: 409 },
      )
  }
}
