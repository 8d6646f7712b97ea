import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { messageOf, systemCodeOf } from '../../base/errors.ts'

/** The real path of a folder, however it was reached. `problem`: why nothing can run in it. */
export interface RealFolder {
  path: string
  problem: string | null
}

export async function realFolder(folder: string): Promise<RealFolder> {
  try {
    const path = await realpath(folder)
    return { path, problem: (await stat(path)).isDirectory() ? null : `${path} is no folder.` }
  } catch (error) {
    // Approvals for this path stay required: a folder that is gone for a moment does not drop them.
    return {
      path: resolve(folder),
      problem: `The folder ${folder} can’t be read: ${systemCodeOf(error) ?? messageOf(error)}.`,
    }
  }
}
