/** The engine's log file of a home: pino lines, rotated by size, two files at most. Both hosts write it, `onward logs` reads it. */
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Log } from './engine/base/log.ts'

export const engineLogFile = (home: string): string => join(home, 'logs', 'engine.log')

const rotateAtBytes = 10 * 1024 * 1024

export interface EngineLog { log: Log; dispose(): Promise<void> }

export async function openEngineLog(home: string, options: { level?: string; rotateAt?: number } = {}): Promise<EngineLog> {
  const { pino } = await import('pino')
  const file = engineLogFile(home)
  const rotateAt = options.rotateAt ?? rotateAtBytes
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  let written = existsSync(file) ? statSync(file).size : 0
  if (written >= rotateAt) { renameSync(file, `${file}.1`); written = 0 }
  // one write per tick at most, so that a burst of turns doesn't wait for the disk
  const destination = pino.destination({ dest: file, append: true, mode: 0o600, sync: false, minLength: 0 })
  destination.on('write', (bytes: number) => {
    written += bytes
    if (written < rotateAt) return
    written = 0
    renameSync(file, `${file}.1`)
    destination.reopen(file)
  })
  // a full disk must not end the engine; where the log can't be written, stderr is what is left
  destination.on('error', (error: Error) => { process.stderr.write(`onward: the log ${file} can’t be written: ${error.message}\n`) })
  const log: Log = pino({ level: options.level ?? 'info', base: null }, destination)
  return { log, dispose: () => closed(destination) }
}

const closeWithinMs = 500

function closed(destination: { once(event: 'close', listener: () => void): unknown; end(): void }): Promise<void> {
  return new Promise((resolve) => {
    // a file that never opened never closes
    const late = setTimeout(resolve, closeWithinMs)
    destination.once('close', () => { clearTimeout(late); resolve() })
    destination.end()
  })
}
