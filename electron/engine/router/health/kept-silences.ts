import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { writeLater } from '../../records/write-later.ts'
import type { Document, Store } from '../../store/types.ts'
import { createSilences, type KeptSilence, type Silences } from './silences.ts'

const counts = z.array(z.tuple([z.number().int().min(0), z.number().int().min(0)]))
const file = z.object({ models: z.array(z.object({ model: z.string(), silent: counts, idle: counts })) })

/** milliseconds; a crash costs what was measured within this */
const WRITE_AFTER_MS = 60_000

/** What is known of the models' silences, over `silences.json`: some hundred bytes a model. */
export async function openSilences(deps: {
  store: Store
  clock: Clock
  log: Log
}): Promise<Silences & Disposable & { flush(): Promise<void> }> {
  const { store, clock, log } = deps
  const document = await store
    .document<{ models: KeptSilence[] }>({ path: 'silences.json', version: 1, parse: (value) => file.parse(value) })
    .catch((error: unknown): Document<{ models: KeptSilence[] }> | null => {
      // The usual limits count until enough is measured again.
      log.warn({ why: messageOf(error) }, 'how long models may be silent could not be read')
      return null
    })
  const late = writeLater({
    clock,
    log,
    after: WRITE_AFTER_MS,
    failed: 'how long models may be silent could not be written',
    write: async () => document?.set({ models: silences.all() }),
  })
  const silences = createSilences(document?.get()?.models, late.soon)
  return { ...silences, flush: late.flush, dispose: late.dispose }
}
