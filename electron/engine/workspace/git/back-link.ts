/** How a repository says which folder is its work tree. */
import { promises as fs } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { readSmall } from './read-small.ts'

const largestConfig = 256 * 1024

/**
 * The common directory of a linked work tree, by gitrepository-layout(5): `worktrees/<id>` in it is this one's own, and
 * the file `gitdir` there leads back to the folder. null: it is no such directory, or leads elsewhere.
 */
export async function commonDirOfWorktree(gitDir: string, top: string): Promise<string | null> {
  const parent = dirname(gitDir)
  if (basename(parent) !== 'worktrees') return null
  const common = await pathIn(gitDir, 'commondir')
  const back = await pathIn(gitDir, 'gitdir')
  if (common === null || back === null || basename(back) !== '.git') return null
  const whole = dirname(parent)
  return (await realOf(common)) === whole && (await realOf(dirname(back))) === top ? whole : null
}

/** `core.worktree`, as the repository of a submodule has it (git-submodule(1)). */
export async function namesAsWorkTree(gitDir: string, top: string): Promise<boolean> {
  for (const name of ['config', 'config.worktree']) {
    const config = (await readSmall(resolve(gitDir, name), largestConfig))?.toString('utf8') ?? ''
    for (const [, quoted, plain = ''] of config.matchAll(/^[ \t]*worktree[ \t]*=[ \t]*(?:"([^"\n]*)"|([^\n]*))/gim)) {
      const path = (quoted ?? plain).trim().replace(/\\(["\\])/g, '$1')
      if (path !== '' && (await realOf(resolve(gitDir, path))) === top) return true
    }
  }
  return false
}

async function pathIn(gitDir: string, name: string): Promise<string | null> {
  const text = (await readSmall(resolve(gitDir, name)))?.toString('utf8').trimEnd() ?? ''
  return text === '' ? null : resolve(gitDir, text)
}

/** null where nothing stands there, or it may not be looked at */
const realOf = (path: string): Promise<string | null> => fs.realpath(path).catch(() => null)
