import { settled } from '../../../../shared/testing/settled.ts'
import type { Clock } from '../clock.ts'

/** A clock that moves only when told to. For tests. */
export interface VirtualClock extends Clock {
  /**
   * Moves time on, running every timer that becomes due in order, and lets what it set off come to rest between them.
   */
  advance(ms: number): Promise<void>
  /** The machine sleeps: the clock on the wall goes on, no timer does. */
  sleep(ms: number): void
  pending(): number
}

export function virtualClock(start = Date.UTC(2026, 10, 21, 14, 0)): VirtualClock {
  let now = start
  let slept = 0
  let seq = 0
  const timers = new Map<number, { at: number; fn: () => void }>()
  return {
    now: () => now + slept,
    monotonic: () => now - start,
    after(ms, fn) {
      const id = ++seq
      timers.set(id, { at: now + Math.max(0, ms), fn })
      return {
        dispose: () => {
          timers.delete(id)
        },
      }
    },
    pending: () => timers.size,
    sleep(ms) {
      slept += ms
    },
    async advance(ms) {
      const target = now + ms
      await settled()
      for (;;) {
        let next: [number, { at: number; fn: () => void }] | undefined
        for (const entry of timers) if (entry[1].at <= target && (!next || entry[1].at < next[1].at)) next = entry
        if (!next) break
        timers.delete(next[0])
        now = Math.max(now, next[1].at)
        next[1].fn()
        await settled()
      }
      now = target
      await settled()
    },
  }
}
