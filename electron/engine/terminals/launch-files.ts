import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { systemCodeOf } from '../base/errors.ts'
import type { Launch } from './agents/types.ts'

/** Returns the folder with the files of one terminal's agent; some of them hold its key. */
export const launchFolder = (home: string, terminalId: string): string => join(home, 'launch', terminalId)

export async function writeLaunchFiles({ files }: Pick<Launch, 'files'>): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, content, { mode: 0o600 })
  }
}

export const removeLaunchFiles = (home: string, terminalId: string): Promise<void> =>
  rm(launchFolder(home, terminalId), { recursive: true, force: true })

/** null: there is no such file, or it is not this user's to read */
export function readPersonsFile(cwd: string, path: string): string | null {
  try {
    return readFileSync(resolve(cwd, path.replace(/^~(?=\/)/, homedir())), 'utf8')
  } catch (error) {
    if (systemCodeOf(error) === null) throw error
    return null
  }
}
