import type { HoldReason } from '../../../../../shared/events.ts'
import type { Disposable } from '../../../base/disposable.ts'
import { messageOf } from '../../../base/errors.ts'
import type { Way } from '../../inbox/agent-inboxes.ts'
import { createLeftSignal } from '../../left-signal.ts'
import { forConversation, type TypingTarget, type TerminalReading } from '../../types.ts'
import { isInInbox, isLeftOver, isOwed, isUnseen, type OutboxEntry } from '../entry.ts'
import { hold, lineOf, nextEntry, settlesIn, type SendContext, type SenderDeps } from './context.ts'
import { createGoneText } from './gone-text.ts'
import { createIdleSign } from './idle-sign.ts'
import { createLeftTexts } from './left-texts.ts'
import { heldBy } from './outcome.ts'
import { createQuietLine } from './quiet-line.ts'
import { checkForRest, conversationOf, noteInFront, orderOf, read, targetOf } from './reading.ts'
import { typeOnce, type TypingRun, within } from './typing-run.ts'
import { begin, settle } from './typing.ts'

/** Takes queued entries to the terminal, one at a time. Does nothing at all while none is queued. */
export interface Sender extends Disposable {
  /** something changed: checks whether an entry may go now */
  check(): void
  /** a message was sent: no key repeats in the composer any more */
  sent(): void
  /** a request began, of a turn with a new user message or of the same one */
  began(what: 'turn' | 'request'): void
  /** the agent's hook says that it came to rest */
  atRest(): void
  /**
   * The agent answers a text of ours. Its screen is read while it works, so that a screen at rest is known when it
   * comes.
   */
  watchWork(): void
  /** the entry being typed right now */
  readonly run: TypingRun | null
  /** checks right now, or will as soon as a change of the screen has had its pause */
  checking(): boolean
  /** resolves when nothing is being typed any more; no further entry is begun */
  close(): Promise<void>
}

export function createSender(deps: SenderDeps): Sender {
  const { requests, clock, settings } = deps
  const context: SendContext = {
    ...deps,
    line: createQuietLine(clock, () => settings().quietLineMs),
    goneText: createGoneText(clock, () => settings().sentMs),
    leftTexts: createLeftTexts(clock, () => settings().takeOutMs),
    idleSign: createIdleSign(),
    leftSignal: createLeftSignal(clock, requests.quietFor),
    held: new Map(),
    over: new AbortController(),
    closed: false,
    again: false,
    run: null,
  }
  const { idleSign, over } = context
  let checking: Promise<void> | null = null
  let timer: Disposable | null = null
  let changed: Disposable | null = null
  let watched: { target: TypingTarget; changes: Disposable } | null = null
  let atWork: Disposable | null = null

  const watchWork = (pauseMs = settings().screenPauseMs) => {
    const wanted = () => !context.closed && requests.running > 0 && !idleSign.expected() && pauseMs <= settings().restMs
    const target = wanted() ? targetOf(context) : null
    if (!target) return
    void read(context, target).then(() => {
      atWork?.dispose()
      atWork = wanted() ? clock.after(pauseMs, () => watchWork(pauseMs * 2)) : null
    })
  }

  /** A busy screen changes all the time: it is read after a pause, and again after the next. */
  const onChange = () => {
    changed ??= clock.after(settings().screenPauseMs, () => {
      changed = null
      check()
    })
  }
  /** After a check: plans the next one. */
  const wait = () => {
    const queued = deps.writer.state.entries.filter((e) => e.phase.state === 'queued' || isLeftOver(e))
    for (const id of context.held.keys()) if (!queued.some((e) => e.id === id)) context.held.delete(id)
    context.goneText.keep(new Set(queued.filter(isOwed).map(({ id }) => id)))
    const target = queued.length === 0 || context.closed ? null : targetOf(context)
    if (watched?.target !== target) {
      watched?.changes.dispose()
      watched = target && { target, changes: target.onChange(onChange) }
    }
    if (requests.running === 0) atWork?.dispose()
    timer?.dispose()
    timer = null
    if (queued.length === 0 || context.closed) return
    const delays = delaysOf(context, target, onChange)
    if (delays.length > 0)
      timer = clock.after(Math.min(...delays), () => {
        timer = null
        check()
      })
  }

  const loop = async () => {
    try {
      do {
        context.again = false
        await checkOnce(context)
      } while (context.again && !context.closed)
    } finally {
      checking = null
      wait()
    }
  }
  const check = () => {
    if (context.closed) return
    context.again = true
    checking ??= loop().catch((error: unknown) => {
      deps.record(
        { scope: deps.writer.state.scope, sessionId: null },
        { type: 'engine-problem', code: 'outbox', message: messageOf(error) },
      )
    })
  }

  const shut = () => {
    context.closed = true
    timer?.dispose()
    changed?.dispose()
    atWork?.dispose()
    watched?.changes.dispose()
    watched = null
  }
  return {
    check,
    sent: context.line.sent,
    began(what) {
      if (what === 'turn') idleSign.turnBegan()
      else idleSign.requestBegan()
    },
    atRest() {
      idleSign.told(requests.running)
      check()
    },
    watchWork: () => watchWork(),
    checking: () => checking !== null || changed !== null,
    get run() {
      return context.run
    },
    async close() {
      shut()
      // an inbox may take half a minute
      if (context.run?.inInbox) context.run.stop({ code: 'settling' })
      await checking
    },
    dispose() {
      shut()
      context.run?.stop()
      over.abort()
    },
  }
}

async function checkOnce(context: SendContext): Promise<void> {
  const { writer, clock, settings, over } = context
  await takeOut(context)
  if (context.closed) return
  const rest = await checkForRest(context)
  if (context.closed) return
  const head = await writer.queue(() => nextEntry(context))
  if (!head || context.closed) return
  const target = targetOf(context)
  if (!target) return writer.queue(() => hold(context, new Map([[head.id, { code: 'terminal-offline' }]])))
  const way = await inboxWay(context, head, target.terminalId)
  if (way?.kind === 'away')
    return writer.queue(() => hold(context, new Map([[head.id, { code: 'inbox-away', why: way.why }]])))
  if (way?.kind === 'typing') return writer.queue(() => lose(context, head))
  const found = rest?.terminalId === target.terminalId ? rest.free : await read(context, target)
  await writer.queue(() => noteInFront(context, found))
  const anyway = head.skipSettle || way !== null
  const conversation = head.sessionId === null ? undefined : conversationOf(context, head.sessionId, anyway)
  const seen = forConversation(found, { ongoing: head.sessionId !== null, conversation })
  const reading = way ? forInbox(seen) : seen
  const begun = await writer.queue(() => begin(context, head, reading, way !== null))
  if (!begun) return
  const order = {
    ...orderOf(context, head, reading.kind === 'ready' && reading.bracketedPaste),
    ...('above' in reading && conversation && { conversation }),
  }
  const to = way && head.sessionId !== null ? way.of(head.sessionId) : target
  const result = await typeOnce(to, order, begun.run, begun.owed, {
    clock,
    limitMs: settings().typeMs,
    over: over.signal,
  })
  // Disposed in the middle: the disk records that it was being typed, and the next start takes it from there.
  if (over.signal.aborted) return begun.run.settle()
  await writer.queue(() => settle(context, begun, result))
  // Held again: the terminal is read once more when it changes or after a while, not in a tight loop.
  if (writer.find(head.id)?.phase.state !== 'queued') context.again = true
  else await writer.queue(() => nextEntry(context))
}

/** Returns when the next check may be due, in milliseconds from now; none: an event will say so. */
function delaysOf(context: SendContext, target: TypingTarget | null, onChange: () => void): number[] {
  const { clock, settings, requests, idleSign, line, goneText } = context
  const { head, holds } = lineOf(context)
  const reason = head && holds.get(head.id)
  const delays: number[] = []
  // Read now and then: a machine sleeps, and clocks are set.
  for (const hold of holds.values())
    if (hold.code === 'near-limit') delays.push(Math.min(60_000, Math.max(1, hold.until - clock.now())))
  // All other reasons end with an event that reaches the outbox.
  if (!reason || reason.code === 'other-conversation') delays.push(settings().checkAgainMs)
  else if (reason.code === 'settling') delays.push(Math.max(1, settlesIn(context) ?? 0))
  if (target && idleSign.expected()) {
    if (reason?.code === 'settling') delays.push(settings().restPauseMs)
    else if ((requests.quietFor() ?? Infinity) < settings().restMs) onChange()
  }
  if (!reason) for (const ms of [line.quietIn(), goneText.judgedIn()]) if (ms !== null) delays.push(Math.max(1, ms))
  const outIn = context.leftTexts.dueIn(context.writer.state.entries)
  if (outIn !== null) delays.push(Math.max(1, outIn))
  for (const { since, announced } of context.held.values())
    if (!announced) delays.push(Math.max(1, since + settings().heldLongMs - clock.monotonic()))
  return delays
}

/** Inside the queue: it was on its way into an inbox that nobody can look into any more. */
async function lose({ writer, clock }: SendContext, { id }: OutboxEntry): Promise<void> {
  const at = clock.now()
  await writer.commit('best-effort', (draft) => draft.apply(id, { type: 'begin', at }, { type: 'lose', at }))
}

/** Takes out a text of ours that is not to be sent now, or no longer, before it merges with a person's words. */
async function takeOut(context: SendContext): Promise<void> {
  const { writer, clock, settings, over, line, leftTexts } = context
  const entry = leftTexts.due(writer.state.entries)
  const target = entry && targetOf(context)
  if (!entry || !target) return
  const way = isInInbox(entry) ? await inboxWay(context, entry, target.terminalId) : null
  if (way ? way.kind === 'typing' : !isUnseen(entry) && (await read(context, target)).kind === 'ready')
    return writer.queue(() => alreadyOut(context, entry))
  if (way?.kind === 'away') return leftTexts.tried(entry.id)
  const from = way?.kind === 'inbox' && entry.sessionId !== null ? way.of(entry.sessionId) : target
  const never = new AbortController()
  const result = await within(
    clock,
    settings().outMs,
    // as it was typed: in a terminal without bracketed paste its lines were folded, and the comparison folds them too
    from.takeOut(orderOf(context, entry, true), { requestArrived: never.signal, stop: over.signal }),
    over.signal,
  ).catch(() => null)
  if (over.signal.aborted) return
  await writer.queue(async () => {
    if (result?.kind === 'enter-owed') line.saw(result.reason)
    // a host of an earlier version looks no further
    if (result?.kind === 'unknown' && isUnseen(entry)) return alreadyOut(context, entry)
    if (result?.kind !== 'removed') return leftTexts.tried(entry.id)
    await writer.commit('best-effort', (draft) =>
      draft.apply(entry.id, { type: 'remove', at: clock.now(), by: 'onward', reason: heldBy(entry) }),
    )
  })
}

/** Inside the queue: it went without us. If it is still wanted, its fate is judged when its turn comes. */
async function alreadyOut({ writer, clock, leftTexts }: SendContext, entry: OutboxEntry): Promise<void> {
  leftTexts.tried(entry.id)
  if (isLeftOver(entry))
    await writer.commit('best-effort', (draft) =>
      draft.apply(entry.id, { type: 'remove', at: clock.now(), by: 'person', reason: heldBy(entry) }),
    )
}

/**
 * The way of this entry; null: it is typed. One that went to the inbox stays there, whatever the config says by now.
 * Before a conversation has begun there is no inbox for it, and a command of the agent's own is no message.
 */
async function inboxWay(
  { inbox }: Pick<SendContext, 'inbox'>,
  entry: OutboxEntry,
  terminalId: string,
): Promise<Way | null> {
  if (isInInbox(entry)) return inbox ? inbox.of(terminalId) : { kind: 'typing', why: { code: 'none' } }
  if (!inbox?.wanted() || isOwed(entry) || entry.sessionId === null || entry.writtenBy === 'onward') return null
  const way = await inbox.of(terminalId)
  return way.kind === 'typing' ? null : way
}

/** Holds that are about keys alone: the agent is in front and idle, which is known before them. */
const ofKeys: ReadonlySet<HoldReason['code']> = new Set(['draft', 'typing', 'copy-mode', 'tmux-mode'])

/** The same reading for a text that touches neither composer nor keyboard. */
function forInbox(reading: TerminalReading): TerminalReading {
  const free = reading.kind === 'composer-holds' || (reading.kind === 'hold' && ofKeys.has(reading.reason.code))
  return free ? { kind: 'ready', bracketedPaste: true } : reading
}
