import type { OutsideFailure, OutsideState, OutsideTest } from '../../../shared/notifications.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import type { OutsideMessage } from './types.ts'
import type { Verdict } from './answer.ts'

/** One place: the messages for it, sent one after the other, and how that went. */
export interface Destination {
  send(message: OutsideMessage): void
  /** now, once, whatever waits */
  test(message: OutsideMessage): Promise<OutsideTest>
  state(): OutsideState
  /** reports unsent messages as failed */
  dispose(): void
}

export interface DestinationDeps {
  clock: Clock
  /** one call. Never rejects */
  deliver(message: OutsideMessage, signal: AbortSignal): Promise<Verdict>
  /** several that wait, as one */
  together(messages: readonly OutsideMessage[]): OutsideMessage
  /** called with the outcome of each message that was handed in */
  onEnd(message: OutsideMessage, why: OutsideFailure | null): void
  onChange(): void
}

/** Fewer are sent each by itself. */
const TOGETHER = 3

export function createDestination({ clock, deliver, together, onEnd, onChange }: DestinationDeps): Destination {
  const ending = new AbortController()
  let waiting: OutsideMessage[] = []
  /** what is being sent, as it was handed in */
  let under: readonly OutsideMessage[] = []
  let sent: readonly number[] = []
  let state: OutsideState = { kind: 'unused' }
  let timer: Disposable | null = null

  const become = (next: OutsideState) => {
    state = next
    onChange()
  }
  const after = (ms: number, run: () => Promise<void>) => {
    timer?.dispose()
    timer = clock.after(ms, () => {
      timer = null
      void run()
    })
  }
  const next = () => {
    if (timer || under.length > 0 || waiting.length === 0 || ending.signal.aborted) return
    after(waitFor(sent, clock.now()), async () => {
      under = waiting.length >= TOGETHER ? waiting : waiting.slice(0, 1)
      waiting = waiting.slice(under.length)
      const [only] = under
      if (only) await attempt(under.length === 1 ? only : together(under), 1, clock.now())
    })
  }
  const attempt = async (message: OutsideMessage, tries: number, since: number): Promise<void> => {
    sent = recent([...sent, clock.now()])
    const verdict = await deliver(message, ending.signal)
    if (ending.signal.aborted) return
    const at = clock.now()
    if (verdict.kind === 'taken') {
      become({ kind: 'sent', at })
      return settle(null)
    }
    const wait = verdict.again ? tryAgainAfter(tries, verdict.afterMs) : null
    if (wait === null) {
      become({ kind: 'failed', at, why: verdict.why })
      return settle(verdict.why)
    }
    become({ kind: 'retrying', since, tries, next: at + wait, why: verdict.why })
    after(wait, () => attempt(message, tries + 1, since))
  }
  const settle = (why: OutsideFailure | null) => {
    const done = under
    under = []
    for (const message of done) onEnd(message, why)
    next()
  }

  return {
    send(message) {
      waiting.push(message)
      next()
    },
    async test(message) {
      const since = clock.monotonic()
      const verdict = await deliver(message, ending.signal)
      // While another message is tried again, its own state stands.
      if (under.length === 0 && !ending.signal.aborted)
        become(
          verdict.kind === 'taken'
            ? { kind: 'sent', at: clock.now() }
            : { kind: 'failed', at: clock.now(), why: verdict.why },
        )
      return verdict.kind === 'taken'
        ? { ok: true, tookMs: clock.monotonic() - since }
        : { ok: false, why: verdict.why }
    },
    state: () => state,
    dispose() {
      ending.abort()
      timer?.dispose()
      const left = [...under, ...waiting]
      under = []
      waiting = []
      for (const message of left) onEnd(message, { code: 'ended' })
    },
  }
}

/** Slack takes about one message in a second for each address, Discord five in two. */
const GAP_MS = 1000
/** A person's telephone should not ring more often; further messages are sent together. */
const MOST = 10
const WITHIN_MS = 5 * 60_000
/** After a failed try, in order; then the message is given up. */
const TRY_AGAIN_MS = [5000, 30_000, 2 * 60_000, 10 * 60_000] as const

/** How long the next one has to wait. @param sent instants of earlier ones, in order */
export function waitFor(sent: readonly number[], now: number): number {
  const last = sent.at(-1)
  const gap = last === undefined ? 0 : last + GAP_MS - now
  const oldest = sent.at(-MOST)
  const room = oldest === undefined ? 0 : oldest + WITHIN_MS - now
  return Math.max(0, gap, room)
}

/** Those that still count. */
export const recent = (sent: readonly number[]): readonly number[] => sent.slice(-MOST)

/** null: no more. @param tries so far @param retryAfterMs how long the service asked to wait */
export function tryAgainAfter(tries: number, retryAfterMs: number | null): number | null {
  const own = TRY_AGAIN_MS[tries - 1]
  return own === undefined ? null : Math.max(own, retryAfterMs ?? 0)
}
