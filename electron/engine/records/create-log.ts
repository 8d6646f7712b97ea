import { mkdirSync, appendFileSync, existsSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pino, type Logger } from 'pino'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { redact, redactText } from './redact.ts'

export interface LogFile {
  log: Log
  /** writes everything logged so far to the file, or reports that it could not */
  flush(): void
  /** resolves when everything logged is in the file */
  dispose(): Promise<void>
}

export interface LogFileOptions {
  /** absolute, e.g. `<home>/logs/onward.log` */
  file: string
  level?: string
  /** bytes; then the file becomes `<file>.1` and a new one is begun */
  rotateAt?: number
  /** called when the log itself can't be written: there is no other place where that would show */
  onFailure(message: string): void
}

/** The engine's log: one JSON object per line, mode 0600, rotated by size, without secrets for every writer. */
export function createLog({ file, level = 'info', rotateAt = 10 * 1024 * 1024, onFailure }: LogFileOptions): LogFile {
  let failing = false
  // A full disk must not end the engine, and is reported once.
  const failed = (error: unknown) => {
    if (!failing) onFailure(`The log ${file} can't be written: ${messageOf(error)}.`)
    failing = true
  }
  makeFolderOf(file, failed)
  const destination = gatheredFile({
    file,
    rotateAt,
    onFailure: failed,
    onWritten() {
      failing = false
    },
  })
  return {
    log: redacting(pino({ level, base: null }, destination)),
    flush: () => destination.flush(),
    dispose: async () => destination.close(),
  }
}

/** Without it no line can be written; whether the engine can do without is not the log's to say. */
function makeFolderOf(file: string, failed: (error: unknown) => void): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  } catch (error) {
    failed(error)
  }
}

const redacting = (inner: Logger): Log => ({
  debug(fields, message) {
    if (inner.isLevelEnabled('debug')) inner.debug(redact(fields), redactText(message))
  },
  info(fields, message) {
    if (inner.isLevelEnabled('info')) inner.info(redact(fields), redactText(message))
  },
  warn(fields, message) {
    inner.warn(redact(fields), redactText(message))
  },
  error(fields, message) {
    inner.error(redact(fields), redactText(message))
  },
  child: (fields) => redacting(inner.child(redact(fields))),
})

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
