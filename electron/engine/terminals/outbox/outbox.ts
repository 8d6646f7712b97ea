import type { FailReason, PauseReason, RecordEvent } from '../../../../shared/events.ts'
import type { OutboxEntryView } from '../../../../shared/state.ts'
import type { ClientKind, Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { Store } from '../../store/types.ts'
import type { FindTarget } from '../types.ts'
import { createCommands, type Commands } from './commands.ts'
import { isAutomation, isOwed, isPending, viewOf, type OutboxEntry, type SupersededBy } from './entry.ts'
import { createIntake, type Intake } from './intake.ts'
import type { AddInput, Inside, OutboxListener } from './listener.ts'
import { emptyOutbox, outboxSpec, type OutboxState } from './outbox-file.ts'
import { createPump } from './pump.ts'
import { createQuietWait } from './quiet-wait.ts'
import { lookForReceipts, type ReceiptLook } from './receipt.ts'
import { createRequests } from './requests.ts'
import type { OutboxSettings } from './settings.ts'
import { createWriter, newsOf, type Draft } from './writer.ts'

export interface OutboxDeps {
  scope: Scope
  /** the scope's terminal; null while it has none */
  terminalId(): string | null
  client(): ClientKind
  store: Store
  findTarget: FindTarget
  /** typing/safe-text.ts; must give the same again for its own output */
  safeText(text: string, how: { bracketedPaste: boolean }): string
  clock: Clock
  random: Random
  record: RecordEvent
  listener: OutboxListener
  settings(): OutboxSettings
  pausedGlobally(): boolean
}

/** The followups of one terminal on their way into it: durable, one writer, one at a time. */
export interface Outbox extends Commands, Intake {
  readonly scope: Scope
  /** Applies the crash rules and begins to work. Nothing is typed before. */
  start(): Promise<void>
  list(): readonly OutboxEntryView[]
  /** @throws OnwardError `store-failed`, `entry-pending`, `empty-text`; then nothing was queued */
  add(input: AddInput): Promise<OutboxEntryView>
  /** In the middle of typing: no Enter. */
  pause(reason: PauseReason): Promise<void>
  resume(): Promise<void>
  paused(): PauseReason | null
  supersede(by: SupersededBy): Promise<void>
  /** the terminal is gone for good: what waits for it fails */
  gone(reason: FailReason): Promise<void>
  /** Only a look, for the request path: changes nothing, waits for nothing. */
  matchReceipt(sessionId: string | null, texts: readonly string[]): ReceiptLook
  running(): boolean
  conversation(): string | null
  /** Runs work inside the writer's queue. Don't call the outbox itself from there, only what is handed in. */
  exclusive<T>(work: (inside: Inside) => Promise<T>): Promise<T>
  /** something outside changed (global pause, the terminal came back) */
  look(): void
  /** global pause: no Enter for what is being typed */
  stopTyping(): void
  /** Rebinding, first half: from here on nothing is typed; what was under way becomes unknown. @returns everything to copy */
  leave(to: Scope): Promise<OutboxState>
  /** Rebinding, second half; repeating it changes nothing. */
  adopt(parcel: OutboxState): Promise<void>
  /** Rebinding, end: the old file goes. */
  remove(): Promise<void>
  /** finishes what is being typed, then writes what the disk lacks */
  close(): Promise<void>
  dispose(): void
}

export async function createOutbox(deps: OutboxDeps): Promise<Outbox> {
  const { scope, clock, listener, settings } = deps
  const document = await deps.store.document(outboxSpec(scope))
  const initial = document.get() ?? emptyOutbox(scope)
  const requests = createRequests(clock)
  // A response may have ended just before this start: it gets its settle time, too.
  requests.started('start')
  requests.ended('start')

  const outboxListener: OutboxListener = {
    ...listener,
    changed: () => { watchReceipts(); listener.changed() },
  }
  const writer = createWriter({ document, initial, clock, record: deps.record, settings, listener: outboxListener, inside: () => inside })
  const pump = createPump({ ...deps, writer, requests })
  const quiet = createQuietWait(clock, () => settings().receiptMs, (id) => { void writer.queue(() => receiptOverdue(id)) })
  const intake = createIntake({ writer, pump, requests, quiet, clock, listener, inside: () => inside })
  const safe = (text: string) => {
    const made = deps.safeText(text, { bracketedPaste: true })
    if (made.trim() === '') throw new OnwardError('empty-text', 'Nothing is left of this text that could be typed. Write some words.', { status: 400 })
    return made
  }
  const commands = createCommands(writer, pump, () => clock.now(), safe)
  /** entries of unknown fate that were told of in this run */
  const told = new Set<string>()

  const watchReceipts = () => {
    const { entries } = writer.state
    const last = entries.findLast((e) => e.phase.state !== 'queued')
    for (const entry of entries) {
      if (entry.phase.state === 'submitted' || (entry.phase.state === 'unknown' && entry === last && !told.has(entry.id))) quiet.watch(entry.id)
      else quiet.unwatch(entry.id)
    }
  }
  const receiptOverdue = async (id: string) => {
    const entry = writer.find(id)
    if (entry?.phase.state === 'submitted') await writer.commit('fact', (draft) => draft.apply(id, { type: 'fail', at: clock.now(), reason: { code: 'not-received' } }))
    if (entry?.phase.state === 'unknown' && !told.has(id)) {
      told.add(id)
      await writer.tell(() => listener.unconfirmed(newsOf(entry), inside))
    }
    pump.look()
  }

  const pendingAutomation = (): OutboxEntry | null => writer.state.entries.find((e) => isAutomation(e) && isPending(e)) ?? null
  const inside: Inside = {
    entries: () => writer.state.entries.map(newsOf),
    pendingAutomation: () => { const entry = pendingAutomation(); return entry && newsOf(entry) },
    async add(input) {
      if (writer.state.movedTo) throw new OnwardError('scope-moved', 'This session moved to another terminal a moment ago. Try again.', { status: 409, retryable: true })
      const pending = isAutomation(input) ? pendingAutomation() : null
      if (pending) throw new OnwardError('entry-pending', 'A followup is already on its way to this terminal.', { status: 409, details: { entryId: pending.id } })
      const entry: OutboxEntry = {
        id: deps.random.uuid(), scope, sessionId: input.sessionId, round: input.round ?? null, group: input.group ?? null,
        text: safe(input.text), source: input.source, createdAt: clock.now(), revision: 0, skipSettle: false,
        phase: { state: 'queued', hold: null, owedSince: null },
      }
      await writer.commit('wish', (draft) => draft.set({ entries: [...draft.state.entries, entry] }))
      deps.record({ scope, sessionId: entry.sessionId }, { type: 'queued', entryId: entry.id, source: entry.source, text: entry.text, round: entry.round })
      pump.look()
      return newsOf(entry)
    },
    async supersede(by) {
      const { run } = pump
      const typed = run && writer.find(run.entryId)
      if (run && typed && isAutomation(typed)) {
        run.wish = { type: 'supersede', by }
        run.stop()
      }
      await writer.commit('fact', (draft) => {
        for (const entry of draft.state.entries) if (isAutomation(entry)) draft.apply(entry.id, { type: 'supersede', at: clock.now(), by })
      })
      pump.look()
    },
    async pause(reason) {
      pump.run?.stop()
      await writer.commit('fact', (draft) => draft.set({ paused: reason }))
      pump.look()
    },
    async resume() {
      if (writer.state.paused === null) return
      await writer.commit('fact', (draft) => draft.set({ paused: null }))
      pump.look()
    },
    paused: () => writer.state.paused,
    conversation: () => writer.state.conversation,
    running: () => requests.running > 0,
    flush: () => writer.flush(),
  }

  const lose = (draft: Draft, entry: OutboxEntry) => {
    const at = clock.now()
    draft.apply(entry.id, ...(isOwed(entry) ? [{ type: 'begin', at } as const] : []), { type: 'lose', at })
  }
  const saved = (otherwise: string) => writer.flush().catch((error: unknown) => {
    throw new OnwardError('store-failed', `${otherwise} ${messageOf(error)}`, { cause: error })
  })
  const dispose = () => {
    pump.dispose()
    quiet.dispose()
    writer.dispose()
  }
  const failQueued = (reason: FailReason) => writer.queue(() => writer.commit('fact', (draft) => {
    for (const entry of draft.state.entries) if (entry.phase.state === 'queued') draft.apply(entry.id, { type: 'fail', at: clock.now(), reason })
  }))

  return {
    scope,
    ...commands,
    ...intake,
    start: () => writer.queue(async () => {
      await writer.commit('fact', (draft) => {
        for (const entry of draft.state.entries) if (entry.phase.state === 'typing') lose(draft, entry)
      })
      watchReceipts()
      pump.look()
    }),
    list: () => writer.state.entries.map(viewOf),
    add: (input) => writer.queue(() => inside.add(input)),
    pause(reason) {
      pump.run?.stop()
      return writer.queue(async () => {
        await inside.pause(reason)
        await saved('Paused, but the pause could not be saved: it ends when Onward ends.')
      })
    },
    resume: () => writer.queue(async () => {
      await inside.resume()
      await saved('Resumed, but that could not be saved: it is paused again when Onward is started again.')
    }),
    paused: () => writer.state.paused,
    supersede: (by) => writer.queue(() => inside.supersede(by)),
    gone: failQueued,
    matchReceipt: (_sessionId, texts) => lookForReceipts(writer.state.entries, texts),
    running: () => requests.running > 0,
    conversation: () => writer.state.conversation,
    exclusive: (work) => writer.queue(() => work(inside)),
    look: () => pump.look(),
    stopTyping: () => pump.run?.stop(),
    leave(to) {
      pump.run?.stop()
      return writer.queue(async () => {
        await writer.commit('wish', (draft) => {
          for (const entry of draft.state.entries) {
            if (entry.phase.state === 'typing' || entry.phase.state === 'submitted' || isOwed(entry)) lose(draft, entry)
          }
          draft.set({ movedTo: to })
        })
        pump.dispose()
        quiet.dispose()
        return writer.state
      })
    },
    adopt: (parcel) => writer.queue(async () => {
      await writer.commit('wish', (draft) => {
        const known = new Set(draft.state.entries.map((e) => e.id))
        const added = parcel.entries.filter((e) => !known.has(e.id)).map((e): OutboxEntry => ({ ...e, scope }))
        draft.set({
          entries: [...added, ...draft.state.entries],
          paused: draft.state.paused ?? parcel.paused,
        })
        const [, ...surplus] = draft.state.entries.filter((e) => isAutomation(e) && isPending(e)).toReversed()
        for (const entry of surplus) draft.apply(entry.id, { type: 'supersede', at: clock.now(), by: 're-arm' })
      })
      pump.look()
    }),
    remove: () => writer.queue(async () => {
      quiet.dispose()
      writer.dispose()
      await document.remove()
    }),
    async close() {
      await pump.close()
      try { await writer.queue(() => writer.flush()) } finally { dispose() }
    },
    dispose,
  }
}
