import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'

/** A sum of costs (shared/cost/cost.ts) as files have it. */
export const spendShape = {
  costUsd: z.number().nullable(),
  unpricedTokens: z.number().optional(),
  worthUsd: z.number().optional(),
}

/** The tokens of sums, with the cached ones apart. */
export const tokensShape = { input: z.number(), cachedInput: z.number(), output: z.number() }

/** Sums that change with every turn and are written once in a while. */
export interface LateWrite extends Disposable {
  /** they changed */
  soon(): void
  /** writes what waits */
  flush(): Promise<void>
}

export interface LateWriteParts {
  clock: Clock
  log: Log
  /** milliseconds; a crash may cost this much of the sums */
  after: number
  /** the log's text on a write that failed: sums are not worth keeping the engine from anything */
  failed: string
  write(): Promise<void>
}

export function writeLater({ clock, log, after, failed, write }: LateWriteParts): LateWrite {
  let timer: Disposable | null = null
  const stop = () => {
    timer?.dispose()
    timer = null
  }
  return {
    soon() {
      timer ??= clock.after(after, () => {
        timer = null
        write().catch((error: unknown) => log.warn({ why: messageOf(error) }, failed))
      })
    },
    async flush() {
      if (!timer) return
      stop()
      await write()
    },
    dispose: stop,
  }
}
