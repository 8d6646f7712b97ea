import type { Disposable } from './disposable.ts'

/** All time in the engine comes from here, so that every timing rule has a test without a sleep. */
export interface Clock {
  /** epoch milliseconds */
  now(): number
  /** milliseconds that never go back, for durations */
  monotonic(): number
  /** runs `fn` once after `ms`; the timer does not keep the process alive */
  after(ms: number, fn: () => void): Disposable
}

/**
 * A timer that comes late, since the process had no turn or the machine was asleep, would run before anything that
 * waits in a socket is read, and give up what has come already. So it lets the sockets go first.
 * @param awake its timers keep the process alive, for a program that has nothing to do but wait
 */
export function systemClock(awake: 'awake' | null = null): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after(ms, fn) {
      let behind: NodeJS.Immediate | undefined
      const timer = setTimeout(() => {
        behind = setImmediate(fn)
      }, ms)
      if (!awake) timer.unref()
      return {
        dispose() {
          clearTimeout(timer)
          clearImmediate(behind)
        },
      }
    },
  }
}

/** A timer notices neither that the machine slept nor that its clock was set, so it looks again this often. */
const LOOK_MS = 15_000

/** Runs `fn` once when the clock on the wall shows `at`, epoch ms; soon after a sleep in which it came to that. */
export function atTime(clock: Clock, at: number, fn: () => void): Disposable {
  let timer: Disposable
  const look = () => {
    const left = at - clock.now()
    timer = clock.after(Math.max(0, Math.min(left, LOOK_MS)), () => (clock.now() < at ? look() : fn()))
  }
  look()
  return { dispose: () => timer.dispose() }
}

/** Waits on the given clock; resolves early (false) when the signal aborts. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false)
    const stop = () => {
      timer.dispose()
      resolve(false)
    }
    const timer = clock.after(ms, () => {
      signal?.removeEventListener('abort', stop)
      resolve(true)
    })
    signal?.addEventListener('abort', stop, { once: true })
  })
}
