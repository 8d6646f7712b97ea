import { z } from 'zod'
import type { ClockSync } from '../../../../shared/alarms/alarms.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { Document, DocumentSpec, Store } from '../../store/types.ts'
import { mostOffsetMs } from './judge.ts'

const shape: z.ZodType<ClockSync> = z.object({
  status: z.enum(['synced', 'stale', 'error', 'disabled']),
  offsetMs: z.number().min(-mostOffsetMs).max(mostOffsetMs),
  at: z.number().nullable(),
  lastError: z.string().nullable(),
})
const spec: DocumentSpec<ClockSync> = { path: 'clock/ntp-state.json', version: 1, parse: (value) => shape.parse(value) }

export interface KeptSync {
  /** null: nothing was kept, or nothing can be read */
  load(): Promise<ClockSync | null>
  /** Returns at once. */
  keep(sync: ClockSync): void
}

/** Keeps the state over restarts. A disk that fails only causes a warning: the time is right without it. */
export function keptSync({ store, log }: { store: Store; log: Log }): KeptSync {
  let document: Document<ClockSync> | null = null
  let last: string | null = null
  const open = async (): Promise<Document<ClockSync>> => (document ??= await store.document(spec))
  const warn = (doing: string) => (error: unknown) =>
    log.warn({ file: spec.path, error: messageOf(error) }, `the state of the time sync could not be ${doing}`)
  return {
    async load() {
      try {
        return (await open()).get()
      } catch (error) {
        warn('read')(error)
        return null
      }
    },
    keep(sync) {
      const text = JSON.stringify(sync)
      if (text === last) return
      last = text
      open()
        .then((opened) => opened.set(sync))
        .catch((error: unknown) => {
          last = null
          warn('written')(error)
        })
    },
  }
}
