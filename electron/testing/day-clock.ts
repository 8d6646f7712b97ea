import { settled } from '../../shared/testing/settled.ts'
import type { Clock } from '../engine/base/clock.ts'

/** A clock for whole days: what timers set off comes to rest once a minute of it at most, not after each timer. */
export interface DayClock extends Clock {
  advance(ms: number): Promise<void>
  pending(): number
}

interface Timer {
  at: number
  fn(): void
}

export function dayClock(start: number): DayClock {
  let now = start
  const timers = new Set<Timer>()
  const firstUntil = (target: number): Timer | null => {
    let first: Timer | null = null
    for (const timer of timers) if (timer.at <= target && (first === null || timer.at < first.at)) first = timer
    return first
  }
  return {
    now: () => now,
    monotonic: () => now - start,
    after(ms, fn) {
      const timer = { at: now + Math.max(0, ms), fn }
      timers.add(timer)
      return {
        dispose: () => {
          timers.delete(timer)
        },
      }
    },
    pending: () => timers.size,
    async advance(ms) {
      const target = now + ms
      let fired = false
      for (let timer = firstUntil(target); timer; timer = firstUntil(target)) {
        fired = true
        timers.delete(timer)
        now = Math.max(now, timer.at)
        timer.fn()
        await new Promise<void>((done) => {
          setImmediate(done)
        })
      }
      if (fired) await settled()
      now = target
    },
  }
}
