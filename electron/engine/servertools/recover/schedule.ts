import { providerOfTarget } from '../../../../shared/outage.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { freeSlot } from '../resume-at-reset/schedule.ts'
import type { Recovery } from './state.ts'

/** Between two sessions that come back, so that they don't do so all at once; all of them are back within the other. */
const STAGGER_MS = 3_000
const WITHIN_MS = 10_000
/** so long a try of another session is waited for */
const ANOTHER_TRIES_MS = 60_000
/** a session that is paused is looked at again */
const PAUSED_MS = 15_000

/** When each session that waits may be typed to, and one timer for the earliest: it calls `look`. */
export function createSchedule(clock: Clock, recoveries: () => ReadonlyMap<string, Recovery>, look: () => void) {
  /** epoch ms from which on a waiting session may be typed to: what it waited for answered */
  const ready = new Map<string, number>()
  /** monotonic: the last try at each provider */
  const lastOf = new Map<string, number>()
  let timer: Disposable | null = null
  let started = false

  const waiting = () => [...recoveries()].filter(([, { phase }]) => phase.kind === 'waits')
  /** ms until its text may be typed; Infinity: unknown */
  const readyIn = (sessionId: string, { targets, phase }: Recovery): number => {
    if (phase.kind !== 'waits') return Infinity
    const answeredAt = ready.get(sessionId)
    if (answeredAt !== undefined) return answeredAt - clock.now()
    const last = Math.max(...targets.map((target) => lastOf.get(providerOfTarget(target)) ?? -Infinity))
    return Math.max((phase.trialAt ?? Infinity) - clock.now(), last + ANOTHER_TRIES_MS - clock.monotonic())
  }
  const plan = () => {
    timer?.dispose()
    timer = null
    const delay = Math.min(...waiting().map(([id, one]) => readyIn(id, one)))
    if (!started || delay === Infinity) return
    // No longer than that: after a sleep what it waits for may have come.
    timer = clock.after(Math.max(0, Math.min(delay, PAUSED_MS)), () => {
      timer = null
      look()
    })
  }

  return {
    waiting,
    readyIn,
    plan,
    start() {
      started = true
      plan()
    },
    readyAt: (sessionId: string, at: number) => void ready.set(sessionId, at),
    /** it is checked again later, and not together with others: a pause of all ends for all at once */
    later(sessionId: string) {
      ready.delete(sessionId)
      ready.set(sessionId, freeSlot([...ready.values()], clock.now() + PAUSED_MS))
    },
    /** its text was queued */
    tried({ targets }: Recovery) {
      for (const target of targets) lastOf.set(providerOfTarget(target), clock.monotonic())
    },
    /** one of the models answers again */
    answers(target: string) {
      const back = waiting().filter(([id, { targets }]) => targets.includes(target) && !ready.has(id))
      const stagger = Math.min(STAGGER_MS, WITHIN_MS / back.length)
      back.forEach(([id], i) => ready.set(id, clock.now() + i * stagger))
      plan()
    },
    forget: (sessionId: string) => void ready.delete(sessionId),
    dispose: () => timer?.dispose(),
  }
}
