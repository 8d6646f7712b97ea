/** How others find the engine of a home: `<home>/engine.json`, there from ready to the end. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pause, type Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf, OnwardError, systemCodeOf } from '../base/errors.ts'
import { systemProcesses, type Processes } from '../store/lock.ts'
import { parseNote, type EngineInfo, type EngineNote } from './engine-note.ts'

export type { EngineInfo }

export const engineFile = (home: string): string => join(home, 'engine.json')

export interface Announced extends Disposable {
  /** it takes no new requests and ends by then, epoch milliseconds. @throws OnwardError `announce-failed` */
  endsBy(at: number): void
}

/** Says where the engine is. Disposing takes the note away again, unless another engine has replaced it. */
export async function announceEngine(
  home: string,
  info: EngineInfo,
  processes: Processes = systemProcesses(),
): Promise<Announced> {
  const file = engineFile(home)
  const start = await processes.startOf(info.pid)
  const aside = `${file}.${info.pid}`
  const write = (note: EngineNote) => {
    try {
      writeFileSync(aside, `${JSON.stringify(note)}\n`, { mode: 0o600 })
      renameSync(aside, file)
    } catch (error) {
      rmSync(aside, { force: true })
      throw new OnwardError(
        'announce-failed',
        `${file} can’t be written: ${messageOf(error)}. Without it nobody finds this engine.`,
        { cause: error },
      )
    }
  }
  write({ ...info, start })
  return {
    endsBy: (at) => write({ ...info, endsBy: at, start }),
    dispose() {
      const now = parseNote(readIfThere(file))
      if (now?.pid === info.pid && now.startedAt === info.startedAt) rmSync(file, { force: true })
    },
  }
}

/**
 * Returns the engine that holds this home, null if there is none. A note of a dead process counts as none. That the
 * process really is the engine is known only once it has proved that it holds the control token.
 */
export async function findRunningEngine(
  home: string,
  processes: Processes = systemProcesses(),
): Promise<EngineInfo | null> {
  const text = await readFile(engineFile(home), 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error) ?? '')) return null
    throw new OnwardError('engine-file', `${engineFile(home)} can’t be read: ${messageOf(error)}.`, { cause: error })
  })
  if (text === null) return null
  const found = parseNote(text)
  if (!found || !processes.alive(found.pid)) return null
  const { start, ...info } = found
  return start === null || start === (await processes.startOf(info.pid)) ? info : null
}

/** True after a crash of a service: its system is about to start it again, and the crash left its note there. */
export const comesBack = (home: string): boolean => parseNote(readIfThere(engineFile(home)))?.service === true

export interface EndWatch {
  clock: Clock
  findRunning(): Promise<EngineInfo | null>
  alive(pid: number): boolean
}

const pollMs = 50

/**
 * Waits until an engine has ended; true means it is gone, and its home and port are free. `withinMs` is the time it may
 * take once its last answer is out.
 */
export async function hasEnded(
  pid: number,
  withinMs: number,
  { clock, findRunning, alive }: EndWatch,
  signal?: AbortSignal,
): Promise<boolean> {
  let until = clock.now() + withinMs
  while (!signal?.aborted) {
    const running = await findRunning()
    if (running === null ? !alive(pid) : running.pid !== pid) return true
    until = Math.max(until, (running?.endsBy ?? 0) + withinMs)
    if (clock.now() >= until) return false
    await pause(clock, pollMs, signal)
  }
  return false
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  }
}
