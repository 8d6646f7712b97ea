import type { HoldReason, NearLimit, RecordEvent } from '../../../../../shared/events.ts'
import type { ClientKind } from '../../../../../shared/words.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Disposable } from '../../../base/disposable.ts'
import { messageOf } from '../../../base/errors.ts'
import { createLeftSignal } from '../../left-signal.ts'
import type { SafeFor } from '../../typing/safe-text.ts'
import {
  byScreen,
  forConversation,
  type FindTarget,
  type OrderedConversation,
  type TerminalReading,
  type TypeOrder,
  type TypeResult,
  type TypingTarget,
} from '../../types.ts'
import { recogniseConversation } from '../../conversation/said.ts'
import { sameHold } from '../entry/entry-events.ts'
import { isLeftOver, isOwed, isUnseen, typingsOf, type OutboxEntry } from '../entry/entry.ts'
import { createGoneText } from './gone-text.ts'
import { isOrdinary, lineUp, type ScopeFacts } from './holds.ts'
import { createIdleSign } from './idle-sign.ts'
import { createQuietLine } from './quiet-line.ts'
import { createLeftTexts } from './left-texts.ts'
import type { OutboxListener } from '../listener.ts'
import { eventsOfGone, eventsOfResult, heldBy, holdOf } from './outcome.ts'
import type { Requests } from '../receipts/requests.ts'
import type { OutboxSettings } from '../settings.ts'
import { startRun, typeOnce, within, type TypingRun } from './typing-run.ts'
import { entryUpdate, type Writer } from '../writer.ts'

/** Takes queued entries to the terminal, one at a time. Does nothing at all while none is queued. */
export interface Sender extends Disposable {
  /** something changed: checks whether an entry may go now */
  check(): void
  /** a message was sent: no key repeats in the composer any more */
  sent(): void
  /** a request began, of a turn with a new user message or of the same one */
  began(what: 'turn' | 'request'): void
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

export interface SenderDeps {
  writer: Writer
  requests: Requests
  clock: Clock
  record: RecordEvent
  settings(): OutboxSettings
  listener: OutboxListener
  findTarget: FindTarget
  terminalId(): string | null
  client(): ClientKind
  safeText(text: string, how: SafeFor): string
  pausedGlobally(): boolean
  /** the session's provider is near its limit: entries that keep it going by itself wait for the reset */
  nearLimit?(sessionId: string): NearLimit | null
  /** the screen shows this conversation, which is not the one that asked last */
  inFront?(sessionId: string): void
}

type Begun = { entry: OutboxEntry; owed: boolean; run: TypingRun }

export function createSender(deps: SenderDeps): Sender {
  const { writer, requests, clock, settings } = deps
  /** since when an entry is held by something out of the ordinary, and whether that was announced */
  const held = new Map<string, { since: number; announced: boolean }>()
  const over = new AbortController()
  let closed = false
  let checking: Promise<void> | null = null
  let again = false
  let timer: Disposable | null = null
  let changed: Disposable | null = null
  let watched: { target: TypingTarget; changes: Disposable } | null = null
  let atWork: Disposable | null = null
  let run: TypingRun | null = null
  const line = createQuietLine(clock, () => settings().quietLineMs)
  const goneText = createGoneText(clock, () => settings().sentMs)
  const leftTexts = createLeftTexts(clock, () => settings().takeOutMs)
  const idleSign = createIdleSign()
  const leftSignal = createLeftSignal(clock, requests.quietFor)
  /** milliseconds of the settle time that are left; null when it is over, or the agent showed that it came to rest */
  const settlesIn = (): number | null => {
    const left = settings().settleMs - (requests.quietFor() ?? Infinity)
    return left > 0 && !idleSign.given() ? left : null
  }

  const facts = (): ScopeFacts => ({
    paused: deps.pausedGlobally() ? 'global' : writer.state.paused ? 'session' : null,
    running: requests.running,
    settling: settlesIn() !== null,
    conversation: writer.state.conversation,
    nearLimit: (sessionId) => deps.nearLimit?.(sessionId) ?? null,
  })

  const hold = async (holds: ReadonlyMap<string, HoldReason>) => {
    await writer.commit('memory', (draft) => {
      for (const entry of draft.state.entries) {
        const reason = holds.get(entry.id)
        if (reason && entry.phase.state === 'queued' && !sameHold(entry.phase.hold, reason))
          draft.apply(entry.id, { type: 'hold', reason })
      }
    })
    for (const [id, reason] of holds) note(id, reason)
  }
  const note = (id: string, reason: HoldReason) => {
    // a side request of the agent's own is no work
    if (reason.code === 'agent-busy' || (reason.code === 'response-running' && requests.turns > 0))
      goneText.agentWorks(id)
    if (isOrdinary(reason)) return void held.delete(id)
    const since = held.get(id) ?? { since: clock.monotonic(), announced: false }
    held.set(id, since)
    const heldMs = clock.monotonic() - since.since
    const entry = writer.find(id)
    // a hold that only a person can end is announced at once
    const after = reason.code === 'enter-ignored' ? 0 : settings().heldLongMs
    if (since.announced || heldMs < after || !entry) return
    since.announced = true
    deps.listener.heldLong(entryUpdate(entry), reason, heldMs)
  }

  /** Inside the queue: the entry that only the terminal can hold now, or that waits for its conversation there. */
  const next = async (): Promise<OutboxEntry | null> => {
    // Half moved to another terminal: nothing is typed in this one any more.
    if (writer.state.movedTo !== null) return null
    const { head, holds } = lineUp(writer.state.entries, facts())
    await hold(holds)
    const reason = head && holds.get(head.id)
    return !reason || reason.code === 'other-conversation' ? head : null
  }

  const read = async (target: TypingTarget, limitMs = settings().readMs): Promise<TerminalReading> => {
    const unread: TerminalReading = { kind: 'hold', reason: { code: 'screen-unread' } }
    try {
      const { running } = requests
      const reading = (await within(clock, limitMs, target.read(), over.signal)) ?? unread
      idleSign.saw(reading, Math.max(running, requests.running))
      leftSignal.saw(reading)
      return leftSignal.isOld() ? byScreen(reading) : reading
    } catch (error) {
      deps.record(
        { scope: writer.state.scope, sessionId: null },
        { type: 'engine-problem', code: 'terminal-read', message: messageOf(error) },
      )
      return unread
    }
  }

  const isElsewhere = ({ sessionId }: OutboxEntry): boolean =>
    sessionId !== null && sessionId !== writer.state.conversation

  /** Inside the queue: from a reading to a typing entry that is on disk, or to a hold. */
  const begin = async ({ id, revision }: OutboxEntry, reading: TerminalReading): Promise<Begun | null> => {
    const entry = await next()
    // While the terminal was read, another entry may have come to the front, a person may have edited this one, or
    // something came up.
    if (closed || !entry) return null
    if (entry.id !== id || entry.revision !== revision) {
      again = true
      return null
    }
    // The screen shows nothing else: the conversation that asked last is in front.
    if (isElsewhere(entry)) return null
    const owed = isOwed(entry)
    const holds = holdOf(reading, entry)
    if (owed && reading.kind === 'composer-holds' && holds === null) goneText.stands(id)
    const stop = line.saw(holds)
    if (stop) {
      await hold(new Map([[id, stop]]))
      return null
    }
    if (reading.kind === 'gone') {
      await writer.commit('best-effort', (draft) =>
        draft.apply(id, { type: 'fail', at: clock.now(), reason: reading.reason }),
      )
      again = true
      return null
    }
    const at = clock.now()
    if (entry.phase.state === 'queued' && entry.phase.broken) return null
    if (owed && reading.kind === 'ready' && !isUnseen(entry)) {
      const judgement = goneText.judge(id)
      if (judgement === null) {
        await hold(new Map([[id, { code: 'settling' }]]))
        return null
      }
      await writer.commit('best-effort', (draft) => draft.apply(id, ...eventsOfGone(entry, judgement, at)))
      again = true
      return null
    }
    if (!owed && reading.kind === 'composer-holds') {
      // the screen was slow to show the text: it seemed to be removed, and stands there after all
      await writer.commit('best-effort', (draft) =>
        draft.apply(id, { type: 'owe-enter', reason: { code: 'settling' }, at }),
      )
      again = true
      return null
    }
    run = startRun(id)
    try {
      await writer.commit('durable', (draft) => draft.apply(id, { type: 'begin', at }))
    } catch (error) {
      run = null
      await hold(new Map([[id, { code: 'store-failed', message: messageOf(error) }]]))
      return null
    }
    held.delete(id)
    return { entry, owed, run }
  }

  /** Inside the queue: turns the terminal's answer into the entry's state. */
  const settle = async (begun: Begun, result: TypeResult) => {
    const { id } = begun.entry
    if (result.kind === 'held' || result.kind === 'enter-owed') line.saw(result.reason)
    if (result.kind === 'removed' || (result.kind === 'enter-owed' && result.shown)) goneText.stands(id)
    // its time begins now, not with the next reading
    if (result.kind === 'removed') goneText.judge(id)
    try {
      await writer.commit('best-effort', (draft) => {
        // A request that carried the text may have proved its arrival already.
        if (draft.apply(id, ...eventsOfResult(result, begun.owed, clock.now())) !== null) return
        if (begun.run.withdrawal) draft.apply(id, { ...begun.run.withdrawal, at: clock.now() })
      })
    } finally {
      run = null
      begun.run.settle()
    }
  }

  const conversationOf = (sessionId: string, anyway = false): OrderedConversation => {
    const known = writer.state.conversations
    return {
      wanted: known.find((one) => one.sessionId === sessionId) ?? { sessionId, said: [] },
      others: known.filter((one) => one.sessionId !== sessionId),
      ...(anyway && { anyway }),
    }
  }
  const isShown = (above: readonly string[], sessionId: string): boolean => {
    const { wanted, others } = conversationOf(sessionId)
    return recogniseConversation(above, wanted, others) === 'shown'
  }
  /** Inside the queue: a person may have gone to a conversation that has not asked since. */
  const noteInFront = async (found: TerminalReading) => {
    if ((found.kind !== 'ready' && found.kind !== 'composer-holds') || !found.above || found.fresh) return
    const { above } = found
    const shown = writer.state.entries.find(
      ({ phase, sessionId }) =>
        phase.state === 'queued' &&
        sessionId !== null &&
        sessionId !== writer.state.conversation &&
        isShown(above, sessionId),
    )
    if (!shown || shown.sessionId === null) return
    again = true
    await writer.commit('best-effort', (draft) => draft.set({ conversation: shown.sessionId }))
    deps.inFront?.(shown.sessionId)
  }

  const orderOf = (entry: OutboxEntry, bracketedPaste: boolean): TypeOrder => ({
    entryId: entry.id,
    text:
      entry.writtenBy === 'onward'
        ? entry.text
        : deps.safeText(entry.text, {
            bracketedPaste,
            // a text that was queued for one agent may have moved to another
            plainFor: entry.writtenBy === 'model' ? deps.client() : null,
          }),
    client: deps.client(),
    ongoing: entry.sessionId !== null,
    ...(leftSignal.isOld() && { screenAlone: true }),
    ...(typingsOf(entry.phase) > 0 && { again: true }),
    ...(isUnseen(entry) && { unseen: true }),
  })

  /** Takes out a text of ours that is not to be sent now, or no longer, before it merges with a person's words. */
  const takeOut = async () => {
    const entry = leftTexts.due(writer.state.entries)
    const target = entry && findTarget()
    if (!entry || !target) return
    if (!isUnseen(entry) && (await read(target)).kind === 'ready') return writer.queue(() => alreadyOut(entry))
    const never = new AbortController()
    const result = await within(
      clock,
      settings().outMs,
      // as it was typed: in a terminal without bracketed paste its lines were folded, and the comparison folds them too
      target.takeOut(orderOf(entry, true), { requestArrived: never.signal, stop: over.signal }),
      over.signal,
    ).catch(() => null)
    if (over.signal.aborted) return
    await writer.queue(async () => {
      if (result?.kind === 'enter-owed') line.saw(result.reason)
      // a host of an earlier version looks no further
      if (result?.kind === 'unknown' && isUnseen(entry)) return alreadyOut(entry)
      if (result?.kind !== 'removed') return leftTexts.tried(entry.id)
      await writer.commit('best-effort', (draft) =>
        draft.apply(entry.id, { type: 'remove', at: clock.now(), by: 'onward', reason: heldBy(entry) }),
      )
    })
  }
  /** Inside the queue: it went without us. If it is still wanted, its fate is judged when its turn comes. */
  const alreadyOut = async (entry: OutboxEntry) => {
    leftTexts.tried(entry.id)
    if (isLeftOver(entry))
      await writer.commit('best-effort', (draft) =>
        draft.apply(entry.id, { type: 'remove', at: clock.now(), by: 'person', reason: heldBy(entry) }),
      )
  }

  /**
   * While only the settle time holds: the agent may show sooner that it came to rest. @returns the terminal, and its
   * reading if it was free
   */
  const checkForRest = async (): Promise<{ terminalId: string; free: TerminalReading } | null> => {
    const left = settlesIn()
    const { head, holds } = lineUp(writer.state.entries, facts())
    const target = head && holds.get(head.id)?.code === 'settling' ? findTarget() : null
    if (!target || left === null) return null
    const seen = await read(target, Math.min(left, settings().readMs))
    return seen.kind === 'ready' ? { terminalId: target.terminalId, free: seen } : null
  }

  const watchWork = (pauseMs = settings().screenPauseMs) => {
    const wanted = () => !closed && requests.running > 0 && !idleSign.expected() && pauseMs <= settings().restMs
    const target = wanted() ? findTarget() : null
    if (!target) return
    void read(target).then(() => {
      atWork?.dispose()
      atWork = wanted() ? clock.after(pauseMs, () => watchWork(pauseMs * 2)) : null
    })
  }

  const checkOnce = async () => {
    await takeOut()
    if (closed) return
    const rest = await checkForRest()
    if (closed) return
    const head = await writer.queue(next)
    if (!head || closed) return
    const target = findTarget()
    if (!target) return writer.queue(() => hold(new Map([[head.id, { code: 'terminal-offline' }]])))
    const found = rest?.terminalId === target.terminalId ? rest.free : await read(target)
    await writer.queue(() => noteInFront(found))
    const conversation = head.sessionId === null ? undefined : conversationOf(head.sessionId, head.skipSettle)
    const reading = forConversation(found, { ongoing: head.sessionId !== null, conversation })
    const begun = await writer.queue(() => begin(head, reading))
    if (!begun) return
    const order = {
      ...orderOf(head, reading.kind === 'ready' && reading.bracketedPaste),
      ...('above' in reading && conversation && { conversation }),
    }
    const result = await typeOnce(target, order, begun.run, begun.owed, {
      clock,
      limitMs: settings().typeMs,
      over: over.signal,
    })
    // Disposed in the middle: the disk records that it was being typed, and the next start takes it from there.
    if (over.signal.aborted) return begun.run.settle()
    await writer.queue(() => settle(begun, result))
    // Held again: the terminal is read once more when it changes or after a while, not in a tight loop.
    if (writer.find(head.id)?.phase.state !== 'queued') again = true
    else await writer.queue(next)
  }

  const findTarget = (): TypingTarget | null => {
    const terminalId = deps.terminalId()
    return terminalId === null ? null : deps.findTarget(terminalId)
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
    const queued = writer.state.entries.filter((e) => e.phase.state === 'queued' || isLeftOver(e))
    for (const id of held.keys()) if (!queued.some((e) => e.id === id)) held.delete(id)
    goneText.keep(new Set(queued.filter(isOwed).map(({ id }) => id)))
    const target = queued.length === 0 || closed ? null : findTarget()
    if (watched?.target !== target) {
      watched?.changes.dispose()
      watched = target && { target, changes: target.onChange(onChange) }
    }
    if (requests.running === 0) atWork?.dispose()
    timer?.dispose()
    timer = null
    if (queued.length === 0 || closed) return
    const { head, holds } = lineUp(writer.state.entries, facts())
    const reason = head && holds.get(head.id)
    const delays: number[] = []
    // Read now and then: a machine sleeps, and clocks are set.
    for (const hold of holds.values())
      if (hold.code === 'near-limit') delays.push(Math.min(60_000, Math.max(1, hold.until - clock.now())))
    // All other reasons end with an event that reaches the outbox.
    if (!reason || reason.code === 'other-conversation') delays.push(settings().checkAgainMs)
    else if (reason.code === 'settling') delays.push(Math.max(1, settlesIn() ?? 0))
    if (target && idleSign.expected()) {
      if (reason?.code === 'settling') delays.push(settings().restPauseMs)
      else if ((requests.quietFor() ?? Infinity) < settings().restMs) onChange()
    }
    if (!reason) for (const ms of [line.quietIn(), goneText.judgedIn()]) if (ms !== null) delays.push(Math.max(1, ms))
    const outIn = leftTexts.dueIn(writer.state.entries)
    if (outIn !== null) delays.push(Math.max(1, outIn))
    for (const { since, announced } of held.values())
      if (!announced) delays.push(Math.max(1, since + settings().heldLongMs - clock.monotonic()))
    if (delays.length > 0)
      timer = clock.after(Math.min(...delays), () => {
        timer = null
        check()
      })
  }

  const loop = async () => {
    try {
      do {
        again = false
        await checkOnce()
      } while (again && !closed)
    } finally {
      checking = null
      wait()
    }
  }
  const check = () => {
    if (closed) return
    again = true
    checking ??= loop().catch((error: unknown) => {
      deps.record(
        { scope: writer.state.scope, sessionId: null },
        { type: 'engine-problem', code: 'outbox', message: messageOf(error) },
      )
    })
  }

  const shut = () => {
    closed = true
    timer?.dispose()
    changed?.dispose()
    atWork?.dispose()
    watched?.changes.dispose()
    watched = null
  }
  return {
    check,
    sent: line.sent,
    began(what) {
      if (what === 'turn') idleSign.turnBegan()
      else idleSign.requestBegan()
    },
    watchWork: () => watchWork(),
    checking: () => checking !== null || changed !== null,
    get run() {
      return run
    },
    async close() {
      shut()
      await checking
    },
    dispose() {
      shut()
      run?.stop()
      over.abort()
    },
  }
}
