/** How others find the engine of a home: `<home>/engine.json`, there from ready to the end. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Disposable } from '../base/disposable.ts'
import { messageOf, OnwardError, systemCodeOf } from '../base/errors.ts'
import { systemProcesses, type Processes } from '../store/process-start.ts'

const engineInfo = z.object({
  pid: z.number().int().positive(),
  host: z.string().min(1),
  port: z.number().int().min(1).max(65_535),
  /** its own socket, see base/own-socket.ts */
  socket: z.string().min(1),
  /** epoch milliseconds */
  startedAt: z.number(),
  version: z.string(),
  /** the system’s service manager runs it, and starts it again when it fails */
  service: z.boolean().optional(),
})
export type EngineInfo = z.infer<typeof engineInfo>

/** With the identity of the process: its number alone may be another's by now. */
const note = engineInfo.extend({ start: z.string().nullable() })

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
      const now = parse(readIfThere(file))
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
  const found = parse(text)
  if (!found || !processes.alive(found.pid)) return null
  const { start, ...info } = found
  return start === null || start === (await processes.startOf(info.pid)) ? info : null
}

/** A note that can't be understood is of no engine that could be spoken to. */
function parse(text: string | null): z.infer<typeof note> | null {
  if (text === null) return null
  try {
    return note.safeParse(JSON.parse(text)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  }
}
