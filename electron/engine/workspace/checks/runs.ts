import type { CheckRun } from '../../../../shared/review.ts'
import { putNewest } from '../../base/newest.ts'
import { serial, type Serial } from '../../base/work.ts'
import { neverRan } from './run-check.ts'
import type { CheckResult } from './types.ts'

const MOST_LASTS = 500

export interface Wanted {
  name: string
  /** as they were when the run was requested, to report one that never began */
  argv: readonly string[]
  begin(signal: AbortSignal): Promise<CheckResult>
}

/** Runs under way and the results of the last ones, by real folder and name; in memory. */
export interface Runs {
  running(folder: string, name: string): boolean
  last(folder: string, name: string): CheckRun | null
  /**
   * Runs one at a time in a folder, in the order of the calls. `begin` checks again that it may run, since minutes may
   * have passed. One that is stopped before its turn ends at once.
   */
  inTurn(folder: string, wanted: Wanted, signal: AbortSignal): Promise<CheckResult>
  /** ends its run, if it is under way, and forgets its last result */
  forget(folder: string, name: string): void
  dispose(): void
}

export function createRuns({ now, changed }: { now(): number; changed(folder: string): void }): Runs {
  const queues = new Map<string, { run: Serial; waiting: number }>()
  const under = new Map<string, AbortController>()
  const lasts = new Map<string, CheckRun>()
  const over = new AbortController()
  const keyOf = (folder: string, name: string) => JSON.stringify([folder, name])

  const queueOf = (folder: string) => {
    const queue = queues.get(folder) ?? { run: serial(), waiting: 0 }
    queues.set(folder, queue)
    return queue
  }

  const runNow = async (folder: string, { name, begin }: Wanted, signal: AbortSignal): Promise<CheckResult> => {
    const key = keyOf(folder, name)
    const forgotten = new AbortController()
    under.set(key, forgotten)
    changed(folder)
    try {
      const result = await begin(AbortSignal.any([signal, forgotten.signal]))
      if (!forgotten.signal.aborted) putNewest(lasts, key, result.run, MOST_LASTS)
      return result
    } finally {
      under.delete(key)
      changed(folder)
    }
  }

  return {
    running: (folder, name) => under.has(keyOf(folder, name)),
    last: (folder, name) => lasts.get(keyOf(folder, name)) ?? null,
    async inTurn(folder, wanted, signal) {
      const stopping = AbortSignal.any([signal, over.signal])
      const stopped = () => neverRan(wanted.name, wanted.argv, now())
      const queue = queueOf(folder)
      queue.waiting++
      return new Promise((resolve, reject) => {
        const leave = () => resolve(stopped())
        stopping.addEventListener('abort', leave, { once: true })
        queue
          .run(async () => {
            stopping.removeEventListener('abort', leave)
            if (stopping.aborted) return stopped()
            return runNow(folder, wanted, stopping)
          })
          .then(resolve, reject)
          .finally(() => {
            queue.waiting--
            if (queue.waiting === 0) queues.delete(folder)
          })
      })
    },
    forget(folder, name) {
      under.get(keyOf(folder, name))?.abort()
      lasts.delete(keyOf(folder, name))
    },
    dispose: () => over.abort(),
  }
}
