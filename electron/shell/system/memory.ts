/** The desktop's memory of a home: `<home>/desktop.json`. */
import { z } from 'zod'
import type { Clock } from '../../engine/base/clock.ts'
import { messageOf } from '../../engine/base/errors.ts'
import type { Log } from '../../engine/base/log.ts'
import { createStore } from '../../engine/store/create-store.ts'
import type { Document, Files } from '../../engine/store/types.ts'
import { windowState } from '../window/window-state.ts'

const remembered = z.object({
  /** closing only hides: explained once */
  hidingExplained: z.boolean(),
  window: windowState.nullable(),
})
export type Remembered = z.infer<typeof remembered>
const nothing: Remembered = { hidingExplained: false, window: null }

export interface Memory {
  get(): Remembered
  /** kept in memory at once; a disk that refuses is logged, the app goes on */
  set(change: Partial<Remembered>): void
  /** resolves when what was set is on disk, or could not be put there */
  flush(): Promise<void>
}

export async function openMemory({
  home,
  files,
  clock,
  log,
}: {
  home: string
  files: Files
  clock: Clock
  log: Log
}): Promise<Memory> {
  const store = createStore({
    root: home,
    files,
    clock,
    log,
    onProblem: ({ file, message }) => log.warn({ file, error: message }, 'the desktop’s memory is not kept'),
  })
  const open = store.document({ path: 'desktop.json', version: 1, parse: (value) => remembered.parse(value) })
  const document: Document<Remembered> | null = await open.catch((error: unknown) => {
    log.warn({ error: messageOf(error) }, 'the desktop’s memory can’t be opened')
    return null
  })
  let current = document?.get() ?? nothing
  let written: Promise<void> = Promise.resolve()
  return {
    get: () => current,
    set(change) {
      current = { ...current, ...change }
      // what the store can't write it has reported; nothing here depends on it
      if (document) written = document.set(current).catch(() => undefined)
    },
    flush: () => written,
  }
}
