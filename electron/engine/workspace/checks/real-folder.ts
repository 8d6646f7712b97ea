import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { messageOf, systemCodeOf } from '../../base/errors.ts'

/** The folder itself, by whatever path it was reached. `problem`: why there is none to run anything in. */
export interface RealFolder {
  path: string
  problem: string | null
}

export async function realFolder(folder: string): Promise<RealFolder> {
  try {
    const path = await realpath(folder)
    return { path, problem: (await stat(path)).isDirectory() ? null : `${path} is no folder.` }
  } catch (error) {
    // What was approved for this path stays required: a folder that is gone for a moment does not get rid of it.
    return {
      path: resolve(folder),
      problem: `The folder ${folder} can’t be read: ${systemCodeOf(error) ?? messageOf(error)}.`,
    }
  }
}
