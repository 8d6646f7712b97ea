import type { FailReason, HoldReason, NearLimit, PauseReason, RecordEvent } from '../../../../shared/events.ts'
import type { OutboxEntryView } from '../../../../shared/state.ts'
import type { ClientKind, Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { KnownConversation } from '../said.ts'
import type { Store } from '../../store/types.ts'
import type { FindTarget } from '../types.ts'
import { isOwnCommand, type SafeFor } from '../safe-text.ts'
import { createCommands, type Commands } from './commands.ts'
import { viewOf, type Author, type OutboxEntry, type SupersededBy } from './entry.ts'
import { releaseEntries, adoptEntries } from './entry/move-entries.ts'
import { createOutboxTransaction } from './outbox-transaction.ts'
import { createRequestObserver, type RequestObserver } from './receipts/request-observer.ts'
import type { AddInput, OutboxTransaction, OutboxListener } from './listener.ts'
import { emptyOutbox, outboxSpec, type OutboxState } from './outbox-file.ts'
import type { SenderDeps } from './send/context.ts'
import { createQuietWait, type QuietWait } from './send/quiet-wait.ts'
import { createSender, type Sender } from './send/sender.ts'
import { receiptsIn, type Receipts } from './receipts/receipt.ts'
import { createRequests } from './receipts/requests.ts'
import type { OutboxSettings } from './settings.ts'
import { createWriter, type Draft, type Writer, entryUpdate } from './writer.ts'

export interface OutboxDeps {
  scope: Scope
  /** the scope's terminal; null while it has none */
  terminalId(): string | null
  client(): ClientKind
  store: Store
  findTarget: FindTarget
  /** safe-text.ts; must give the same again for its own output */
  safeText(text: string, how: SafeFor): string
  clock: Clock
  random: Random
  record: RecordEvent
  listener: OutboxListener
  settings(): OutboxSettings
  pausedGlobally(): boolean
  nearLimit?(sessionId: string): NearLimit | null
  inFront?(sessionId: string): void
  inbox?: SenderDeps['inbox']
}

/** The followups of one terminal on their way into it: durable, one writer, one at a time. */
export interface Outbox extends Commands, RequestObserver {
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
  /** The terminal or its agent is gone for good: entries that wait for it or for a receipt fail. */
  gone(reason: FailReason): Promise<void>
  /** A pure question of the request path: changes nothing, waits for nothing. */
  matchReceipt(sessionId: string | null, texts: readonly string[]): Receipts
  running(): boolean
  /** it works, or will without anyone else's doing: it checks, types, waits for a receipt or settles */
  atWork(): boolean
  conversation(): string | null
  /** the last words of its conversations */
  conversations(): readonly KnownConversation[]
  /** keeps nothing that was said in it. @throws OnwardError `store-failed` */
  forgetWords(sessionId: string): Promise<void>
  /** Runs work inside the writer's queue. Don't call the outbox itself from there, only what is handed in. */
  exclusive<T>(work: (transaction: OutboxTransaction) => Promise<T>): Promise<T>
  /** the agent's hook says that it came to rest */
  atRest(): void
  /** something outside changed (global pause, the terminal came back) */
  check(): void
  /** global pause: no Enter for what is being typed */
  stopTyping(): void
  /**
   * Rebinding, first half: from here on nothing is typed; the outcome of entries under way becomes unknown. @returns
   * everything to copy
   */
  leave(to: Scope): Promise<OutboxState>
  /** Rebinding, second half; repeating it changes nothing. */
  adopt(moved: OutboxState): Promise<void>
  /** Rebinding, end: the old file goes. */
  remove(): Promise<void>
  /** types nothing more and still takes what comes; resolves when what is being typed is done */
  rest(): Promise<void>
  /** finishes what is being typed, then writes what the disk lacks */
  close(): Promise<void>
  dispose(): void
}

export async function createOutbox(deps: OutboxDeps): Promise<Outbox> {
  const { scope, clock, settings } = deps
  const document = await deps.store.document(outboxSpec(scope))
  const requests = createRequests(clock)
  // A response may have ended just before this start: it gets its settle time, too.
  requests.started('start')
  requests.ended('start')

  const listener: OutboxListener = {
    ...deps.listener,
    changed: () => {
      receipts.watchAll()
      deps.listener.changed()
    },
  }
  const current = () => transaction
  const initial = document.get() ?? emptyOutbox(scope)
  const writer = createWriter({ ...deps, document, initial, listener, transaction: current })
  const sender = createSender({ ...deps, writer, requests, listener })
  const receipts = awaitReceipts({
    clock,
    receiptMs: () => settings().receiptMs,
    listener,
    writer: () => writer,
    sender: () => sender,
    transaction: current,
  })
  const safe = (text: string, by: Author = 'person') => safeText(deps, text, by)
  const transaction = createOutboxTransaction({ ...deps, writer, sender, requests, safe })
  const observed = { writer, sender, requests, quiet: receipts, clock, listener, transaction: current }
  const observer = createRequestObserver(observed)
  const commands = createCommands(writer, sender, () => clock.now(), safe)

  const dispose = () => {
    sender.dispose()
    receipts.dispose()
    writer.dispose()
  }

  return {
    scope,
    ...commands,
    ...observer,
    start: () =>
      writer.queue(async () => {
        await writer.commit('best-effort', cutAll)
        receipts.watchAll()
        sender.check()
      }),
    list: () => writer.state.entries.map(viewOf),
    add: (input) => writer.queue(() => transaction.add(input)),
    pause(reason) {
      // Not queued after the present write: in the middle of typing there must be no Enter any more.
      sender.run?.stop()
      return writer.queue(async () => {
        await transaction.pause(reason)
        await save(writer, 'Paused, but the pause could not be saved: it ends when Onward ends.')
      })
    },
    resume: () =>
      writer.queue(async () => {
        await transaction.resume()
        await save(writer, 'Resumed, but that could not be saved: it is paused again when Onward is started again.')
      }),
    paused: () => writer.state.paused,
    supersede: (by) => writer.queue(() => transaction.supersede(by)),
    async gone(reason) {
      const { run } = sender
      // In the middle of being typed: stopped first, so that its outcome is known without a wait for anyone.
      run?.stop()
      await run?.settled
      await writer.queue(() => writer.commit('best-effort', (draft) => failWaiting(draft, clock.now(), reason)))
    },
    matchReceipt(sessionId, texts) {
      const { ours, proves } = receiptsIn(sessionId, writer.state.entries, texts)
      return { ours, proves }
    },
    running: () => requests.running > 0,
    atWork: () => sender.checking() || !writer.durable() || writer.state.entries.some(goesOn),
    conversation: () => writer.state.conversation,
    conversations: () => writer.state.conversations,
    forgetWords: (sessionId) =>
      writer.queue(() => writer.commit('durable', (draft) => forgetConversation(draft, sessionId))),
    exclusive: (work) => writer.queue(() => work(transaction)),
    check: () => sender.check(),
    atRest: () => sender.atRest(),
    stopTyping: () => sender.run?.stop(),
    leave(to) {
      sender.run?.stop()
      return writer.queue(async () => {
        await writer.commit('durable', (draft) => releaseEntries(draft, to, clock.now()))
        sender.dispose()
        receipts.dispose()
        return writer.state
      })
    },
    adopt: (moved) =>
      writer.queue(async () => {
        await writer.commit('durable', (draft) => adoptEntries(draft, moved, clock.now()))
        sender.check()
      }),
    remove: () =>
      writer.queue(async () => {
        receipts.dispose()
        writer.dispose()
        await document.remove()
      }),
    rest: () => sender.close(),
    async close() {
      await sender.close()
      try {
        await writer.queue(() => writer.flush())
      } finally {
        dispose()
      }
    },
    dispose,
  }
}

function safeText(deps: Pick<OutboxDeps, 'safeText' | 'client'>, text: string, by: Author): string {
  if (by === 'onward' && isOwnCommand(text)) return text
  const made = deps.safeText(text, { bracketedPaste: true, plainFor: by === 'model' ? deps.client() : null })
  if (made.trim() === '')
    throw new OnwardError('empty-text', 'Nothing is left of this text that could be typed. Write some words.', {
      status: 400,
    })
  return made
}

const save = (writer: Writer, otherwise: string) =>
  writer.flush().catch((error: unknown) => {
    throw new OnwardError('store-failed', `${otherwise} ${messageOf(error)}`, { cause: error })
  })

/** A terminal shows whether the text still stands there; only without one that is unknown. */
function cutAll(draft: Draft): void {
  for (const { id } of draft.state.entries) draft.apply(id, { type: 'cut' })
}

function failWaiting(draft: Draft, at: number, reason: FailReason): void {
  for (const { id, phase } of draft.state.entries)
    if (phase.state === 'queued' || phase.state === 'submitted') draft.apply(id, { type: 'fail', at, reason })
}

function forgetConversation(draft: Draft, sessionId: string): void {
  const { conversations } = draft.state
  if (conversations.some((one) => one.sessionId === sessionId))
    draft.set({ conversations: conversations.filter((one) => one.sessionId !== sessionId) })
}

/**
 * Holds that end by themselves, or with a request that is in flight; all others end by a person's or an agent's act.
 */
const endsByItself: ReadonlySet<HoldReason['code']> = new Set(['settling', 'response-running', 'behind'])

/** whether the entry goes on without anyone's doing */
function goesOn({ phase }: OutboxEntry): boolean {
  if (phase.state !== 'queued') return phase.state === 'typing' || phase.state === 'submitted'
  return phase.hold === null || endsByItself.has(phase.hold.code)
}

interface ReceiptsDeps {
  clock: Clock
  receiptMs(): number
  listener: Pick<OutboxListener, 'unconfirmed'>
  writer(): Writer
  sender(): Sender
  transaction(): OutboxTransaction
}

/**
 * Handles missing receipts: a submitted entry has failed; an unknown one stays unknown, and a person is asked.
 * `watchAll` is called after every change.
 */
function awaitReceipts(deps: ReceiptsDeps): QuietWait & { watchAll(): void } {
  const { clock } = deps
  const startedAt = clock.now()
  const announced = new Set<string>()

  /** Only the last typed entry is worth a question, and one lost in an earlier run was announced then. */
  const worthTelling = (entry: OutboxEntry, last: OutboxEntry | undefined): boolean =>
    entry.phase.state === 'unknown' &&
    entry === last &&
    !announced.has(entry.id) &&
    (entry.phase.at >= startedAt || entry.source === 'stopMessage')

  const overdue = async (id: string) => {
    const entry = deps.writer().find(id)
    if (entry?.phase.state === 'submitted') {
      await deps
        .writer()
        .commit('best-effort', (draft) =>
          draft.apply(id, { type: 'fail', at: clock.now(), reason: { code: 'not-received' } }),
        )
    } else if (entry?.phase.state === 'unknown') {
      announced.add(id)
      await deps.writer().tell(() => deps.listener.unconfirmed(entryUpdate(entry), deps.transaction()))
    }
    deps.sender().check()
  }
  const quiet = createQuietWait(clock, deps.receiptMs, (id) => {
    void deps.writer().queue(() => overdue(id))
  })
  return {
    ...quiet,
    watchAll() {
      const { entries } = deps.writer().state
      const last = entries.findLast((e) => e.phase.state !== 'queued')
      for (const entry of entries) {
        if (entry.phase.state === 'submitted' || worthTelling(entry, last)) quiet.watch(entry.id)
        else quiet.unwatch(entry.id)
      }
    },
  }
}
