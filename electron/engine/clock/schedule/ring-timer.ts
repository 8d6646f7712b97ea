import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'

export interface RingTimerDeps {
  clock: Clock
  tickMs(): number
  /** when something is due next; null: nothing waits */
  next(): number | null
  /** something waits for more than a time: it is checked every tick */
  restless(): boolean
  ring(): void
}

export interface RingTimer extends Disposable {
  /** something changed: it may have to ring earlier */
  arm(): void
  /** the clock itself may have changed */
  again(): void
  start(): void
}

/**
 * One timer for all alarms, armed for the earliest. It is never armed for longer than a tick, because a timer notices
 * neither that the computer slept nor that the clock was set. Without any alarm there is none.
 */
export function createRingTimer({ clock, tickMs, next, restless, ring }: RingTimerDeps): RingTimer {
  let timer: Disposable | null = null
  let armedFor = Infinity
  let running = false

  const arm = () => {
    if (!running) return
    const instant = next()
    if (instant === null && !restless()) {
      timer?.dispose()
      timer = null
      return
    }
    const at = instant ?? Infinity
    // A check that comes too early finds nothing and sets the timer again.
    if (timer && at >= armedFor) return
    timer?.dispose()
    armedFor = at
    timer = clock.after(Math.max(0, Math.min(at - clock.now(), tickMs())), () => {
      timer = null
      armedFor = Infinity
      ring()
      arm()
    })
  }
  return {
    arm,
    again() {
      armedFor = Infinity
      timer?.dispose()
      timer = null
      arm()
    },
    start() {
      running = true
      arm()
    },
    dispose() {
      running = false
      timer?.dispose()
      timer = null
    },
  }
}
