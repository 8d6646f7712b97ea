import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { pino, type Logger } from 'pino'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { gatheredFile } from './gathered-file.ts'
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
