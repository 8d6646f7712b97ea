import { promises as fs } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { systemCodeOf } from '../../base/errors.ts'
import { readSmall } from './read-small.ts'

export interface Repository {
  /** the folder that holds `.git`: its work tree, whatever `core.worktree` of its config says */
  top: string
  /** of this work tree: HEAD and index */
  gitDir: string
  /** of all work trees: objects and refs */
  commonDir: string
}

/** The repository a folder (its real path) is in, or null. Nothing of its config is read. */
export async function findRepository(folder: string): Promise<Repository | null> {
  for (let top = folder; ; top = dirname(top)) {
    const gitDir = await gitDirOf(top)
    if (gitDir !== null) {
      // gitrepository-layout(5): a work tree's own directory names the common one in `commondir`.
      const common = await readSmall(join(gitDir, 'commondir'))
      return { top, gitDir, commonDir: common === null ? gitDir : resolve(gitDir, common.toString('utf8').trimEnd()) }
    }
    if (dirname(top) === top) return null
  }
}

async function gitDirOf(top: string): Promise<string | null> {
  const path = join(top, '.git')
  const file = await readSmall(path)
  const gitDir =
    file === null ? path : resolve(top, /^gitdir: (.+)/.exec(file.toString('utf8'))?.[1]?.trimEnd() ?? '.git')
  try {
    await fs.lstat(join(gitDir, 'HEAD'))
    return gitDir
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'ELOOP') return null
    throw error
  }
}
