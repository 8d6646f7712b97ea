import { promises as fs } from 'node:fs'
import { dirname } from 'node:path'
import { systemCodeOf } from '../base/errors.ts'

const mode = 0o700

/**
 * Makes a folder and those above it, open to the owner only. Not by node:fs's recursive mkdir: on a read-only disk that
 * says ENOENT, and where nothing can ever be made (`/proc`) it never ends (seen with Node 20).
 * @returns the first one that was made, undefined when all were there
 * @throws the system error as it came
 */
export async function makeFolders(path: string): Promise<string | undefined> {
  try {
    return await makeOne(path)
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
  }
  const first = await makeFolders(dirname(path))
  const last = await makeOne(path)
  return first ?? last
}

/** @returns undefined when it existed */
async function makeOne(path: string): Promise<string | undefined> {
  try {
    await fs.mkdir(path, { mode })
    return path
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' || !(await isFolder(path))) throw error
    return undefined
  }
}

const isFolder = (path: string): Promise<boolean> =>
  fs.stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
