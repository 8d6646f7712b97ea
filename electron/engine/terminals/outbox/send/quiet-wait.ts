import type { Clock } from '../../../base/clock.ts'
import type { Disposable } from '../../../base/disposable.ts'

/**
 * Waits for receipts. Only time during which no request of the scope is in flight counts: a long answer that is being
 * written says nothing about a text that waits in the client's queue.
 */
export interface QuietWait extends Disposable {
  watch(id: string): void
  unwatch(id: string): void
  /** tells whether a request is in flight now */
  busy(running: boolean): void
}

export function createQuietWait(clock: Clock, limitMs: () => number, onDue: (id: string) => void): QuietWait {
  const waits = new Map<string, { spent: number; since: number | null; timer: Disposable | null }>()
  let busy = false

  const run = (id: string) => {
    const wait = waits.get(id)
    if (!wait || busy || wait.since !== null) return
    wait.since = clock.monotonic()
    wait.timer = clock.after(Math.max(0, limitMs() - wait.spent), () => {
      waits.delete(id)
      onDue(id)
    })
  }
  const halt = (id: string) => {
    const wait = waits.get(id)
    if (!wait) return
    if (wait.since !== null) wait.spent += clock.monotonic() - wait.since
    wait.since = null
    wait.timer?.dispose()
    wait.timer = null
  }
  return {
    watch(id) {
      if (!waits.has(id)) waits.set(id, { spent: 0, since: null, timer: null })
      run(id)
    },
    unwatch(id) {
      halt(id)
      waits.delete(id)
    },
    busy(running) {
      if (busy === running) return
      busy = running
      for (const id of waits.keys()) (busy ? halt : run)(id)
    },
    dispose() {
      for (const id of Array.from(waits.keys())) {
        halt(id)
        waits.delete(id)
      }
    },
  }
}
