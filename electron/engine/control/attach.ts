/** How others find the engine of a home: `<home>/engine.json`, there from ready to the end. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Disposable } from '../base/disposable.ts'
import { messageOf, OnwardError, systemCodeOf } from '../base/errors.ts'
import { systemProcesses, type Processes } from '../store/process-start.ts'
import { parseNote, type EngineInfo } from './engine-note.ts'

export type { EngineInfo }

export const engineFile = (home: string): string => join(home, 'engine.json')

/** Says where the engine is. Disposing takes the note away again, unless another engine has replaced it. */
export async function announceEngine(
  home: string,
  info: EngineInfo,
  processes: Processes = systemProcesses(),
): Promise<Disposable> {
  const file = engineFile(home)
  const start = await processes.startOf(info.pid)
  const aside = `${file}.${info.pid}`
  try {
    writeFileSync(aside, `${JSON.stringify({ ...info, start })}\n`, { mode: 0o600 })
    renameSync(aside, file)
  } catch (error) {
    rmSync(aside, { force: true })
    throw new OnwardError(
      'announce-failed',
      `${file} can’t be written: ${messageOf(error)}. Without it nobody finds this engine.`,
      { cause: error },
    )
  }
  return {
    dispose() {
      const now = parseNote(readIfThere(file))
      if (now?.pid === info.pid && now.startedAt === info.startedAt) rmSync(file, { force: true })
    },
  }
}

/**
 * The engine that holds this home, null where there is none. A note of a dead process counts as none; that the
 * process is really the engine is known only once it has proved that it holds the control token.
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

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  }
}
