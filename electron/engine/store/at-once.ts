import type { Clock } from '../base/clock.ts'
import type { Files } from './types.ts'

/**
 * After a disk took longer than this (milliseconds) for one small file several times in a row, the next files are read
 * in the background. A single slow read says nothing: another process had the processor.
 */
const slow = { ms: 2, times: 3, nextOnes: 256 }

export interface FilesAtOnce {
  read(path: string): Promise<Buffer | string | null>
  modifiedAt(path: string): Promise<number | null>
}

/**
 * Reads the thousands of small files of a start. Each way through the thread pool costs several times what a file in
 * the system's cache does, so they are read in place, as long as the disk answers at once.
 */
export function filesAtOnce(files: Files, clock: Pick<Clock, 'monotonic'>): FilesAtOnce {
  let slowOnes = 0
  let inBackground = 0
  const watched = <T>(look: () => T): T => {
    const from = clock.monotonic()
    try {
      return look()
    } finally {
      slowOnes = clock.monotonic() - from > slow.ms ? slowOnes + 1 : 0
      if (slowOnes >= slow.times) {
        slowOnes = 0
        inBackground = slow.nextOnes
      }
    }
  }
  const isQuick = () => inBackground === 0 || --inBackground === 0
  return {
    async read(path) {
      const found = isQuick() ? watched(() => files.readInPlace?.(path)) : undefined
      return found === undefined ? files.read(path) : found
    },
    async modifiedAt(path) {
      const found = isQuick() ? watched(() => files.modifiedInPlace?.(path)) : undefined
      return found === undefined ? ((await files.modifiedAt?.(path)) ?? null) : found
    },
  }
}
