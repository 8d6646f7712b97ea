import type { RecordEvent } from '../../../../shared/events.ts'
import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import { isAutomation, isPending, type Author, type OutboxEntry } from './entry.ts'
import { scopeMoved } from './entry/move-entries.ts'
import type { OutboxTransaction } from './listener.ts'
import type { Sender } from './send/sender.ts'
import type { Requests } from './receipts/requests.ts'
import { entryUpdate, type Writer } from './writer.ts'

export interface OutboxTransactionDeps {
  writer: Writer
  sender: Sender
  requests: Requests
  clock: Clock
  random: Random
  record: RecordEvent
  /** @throws OnwardError `empty-text` */
  safe(text: string, by: Author): string
}

/** The changes to an outbox for the work that holds its queue. */
export function createOutboxTransaction({
  writer,
  sender,
  requests,
  clock,
  random,
  record,
  safe,
}: OutboxTransactionDeps): OutboxTransaction {
  const pendingAutomation = (): OutboxEntry | null =>
    writer.state.entries.find((e) => isAutomation(e) && isPending(e)) ?? null
  return {
    entries: () => writer.state.entries.map(entryUpdate),
    pendingAutomation() {
      const entry = pendingAutomation()
      return entry && entryUpdate(entry)
    },
    async add({ id = random.uuid(), sessionId, text, source, round = null, group = null, writtenBy = 'person' }) {
      const { scope, movedTo } = writer.state
      if (movedTo) throw scopeMoved()
      const known = writer.find(id)
      if (known) return entryUpdate(known)
      const pending = isAutomation({ source }) ? pendingAutomation() : null
      if (pending)
        throw new OnwardError('entry-pending', 'A followup is already on its way to this terminal.', {
          status: 409,
          details: { entryId: pending.id },
        })
      const entry: OutboxEntry = {
        id,
        scope,
        sessionId,
        round,
        group,
        text: safe(text, writtenBy),
        source,
        writtenBy,
        createdAt: clock.now(),
        revision: 0,
        skipSettle: false,
        phase: { state: 'queued', hold: null, owedSince: null },
      }
      await writer.commit('durable', (draft) => draft.set({ entries: [...draft.state.entries, entry] }))
      record({ scope, sessionId }, { type: 'queued', entryId: entry.id, source, text: entry.text, round })
      if (writtenBy === 'model' && entry.text !== safe(text, 'person'))
        record({ scope, sessionId }, { type: 'mentions-escaped', entryId: entry.id })
      sender.check()
      return entryUpdate(entry)
    },
    async supersede(by) {
      const { run } = sender
      const typed = run && writer.find(run.entryId)
      if (run && typed && isAutomation(typed)) {
        run.withdrawal = { type: 'supersede', by }
        run.stop()
      }
      await writer.commit('best-effort', (draft) => {
        for (const entry of draft.state.entries) {
          if (!isAutomation(entry)) continue
          // An earlier engine ended while it was typed; no attempt of this one shows its outcome.
          if (entry.phase.state === 'typing' && sender.run?.entryId !== entry.id) draft.apply(entry.id, { type: 'cut' })
          draft.apply(entry.id, { type: 'supersede', at: clock.now(), by })
        }
      })
      sender.check()
    },
    async submittedBefore(entryId, at) {
      if (sender.run?.entryId === entryId) return
      await writer.commit('best-effort', (draft) => draft.apply(entryId, { type: 'submit', at, extraEnter: false }))
    },
    async pause(reason) {
      sender.run?.stop()
      await writer.commit('best-effort', (draft) => draft.set({ paused: reason }))
      sender.check()
    },
    async resume() {
      if (writer.state.paused === null) return
      await writer.commit('best-effort', (draft) => draft.set({ paused: null }))
      sender.check()
    },
    paused: () => writer.state.paused,
    rename: (from, to) =>
      writer.commit('durable', (draft) => {
        const { entries, conversation, conversations } = draft.state
        const isKnown = conversations.some((one) => one.sessionId === from)
        if (!isKnown && conversation !== from && !entries.some((entry) => entry.sessionId === from)) return
        draft.set({
          entries: entries.map((entry) => (entry.sessionId === from ? { ...entry, sessionId: to } : entry)),
          conversation: conversation === from ? to : conversation,
          conversations: conversations
            .filter((one) => !isKnown || one.sessionId !== to)
            .map((one) => (one.sessionId === from ? { ...one, sessionId: to } : one)),
        })
      }),
    conversation: () => writer.state.conversation,
    running: () => requests.running > 0,
    flush: () => writer.flush(),
  }
}
