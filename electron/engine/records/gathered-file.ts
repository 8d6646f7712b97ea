import { appendFileSync, existsSync, renameSync, statSync } from 'node:fs'

/** A text file that is written a few times a second, however many lines come, and rotated by size. */
export interface GatheredFile {
  write(line: string): void
  /** writes what waits */
  flush(): void
  /** writes what waits, and stops */
  close(): void
}

export interface GatheredFileOptions {
  file: string
  /** bytes; then the file becomes `<file>.1` and a new one is begun */
  rotateAt: number
  onFailure(error: unknown): void
  onWritten(): void
}

/**
 * Lines gather this long (milliseconds), or until they are this many characters: a write a line would cost more than
 * the turn that the line is about.
 */
const gatherFor = 250
const gatherMost = 64 * 1024
/** Lines wait for a disk that has no room; beyond this many characters the oldest are given up. */
const longestWait = 1024 * 1024

export function gatheredFile({ file, rotateAt, onFailure, onWritten }: GatheredFileOptions): GatheredFile {
  const most = Math.min(gatherMost, rotateAt / 2)
  let waiting: string[] = []
  let length = 0
  let timer: NodeJS.Timeout | null = null
  /** the disk refused: tried again by the timer only */
  let refused = false
  let size = existsSync(file) ? statSync(file).size : 0

  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    if (waiting.length === 0) return
    const text = waiting.join('')
    try {
      if (size >= rotateAt) {
        renameSync(file, `${file}.1`)
        size = 0
      }
      appendFileSync(file, text, { mode: 0o600 })
      size += Buffer.byteLength(text)
      waiting = []
      length = 0
      refused = false
      onWritten()
    } catch (error) {
      refused = true
      while (length > longestWait && waiting.length > 0) length -= waiting.shift()?.length ?? 0
      onFailure(error)
    }
  }
  return {
    flush,
    write(line) {
      waiting.push(line)
      length += line.length
      if (length >= most && !refused) return flush()
      timer ??= setTimeout(flush, gatherFor).unref()
    },
    close: flush,
  }
}
