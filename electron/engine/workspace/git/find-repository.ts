import { promises as fs, type Stats } from 'node:fs'
import { dirname, join, resolve, basename } from 'node:path'
import { systemCodeOf } from '../../base/errors.ts'
import { isInside } from '../confine.ts'
import { readSmall } from './read-small.ts'

export interface Repository {
  /** the folder that holds `.git`: its work tree, whatever `core.worktree` of its config says */
  top: string
  /** of this work tree: HEAD and index */
  gitDir: string
  /** of all work trees: objects and refs */
  commonDir: string
}

/**
 * The repository a folder (its real path) is in; null: none; `problem`: why the one that is named there is not looked
 * at. The author of the folder's files controls where `.git` points, so a place outside counts only if the repository
 * itself names this as its work tree: else any other of the person's repositories could be shown.
 */
export async function findRepository(folder: string): Promise<Repository | { problem: string } | null> {
  for (let top = folder; ; top = dirname(top)) {
    const named = await gitDirNamedIn(top)
    if (named !== null) {
      if (!(await isOfSameOwner(top, folder)))
        return { problem: `The repository in ${top} belongs to another user of this machine.` }
      return ownedBy(top, named)
    }
    if (dirname(top) === top) return null
  }
}

async function ownedBy(top: string, gitDir: string): Promise<Repository | { problem: string }> {
  const commonDir = await commonDirOfWorktree(gitDir, top)
  if (commonDir !== null) return { top, gitDir, commonDir }
  // A `commondir` of its own choosing is not looked at.
  if (isInside(top, gitDir) || (await namesAsWorkTree(gitDir, top))) return { top, gitDir, commonDir: gitDir }
  return {
    problem:
      '.git leads to a repository elsewhere that does not name this folder ' +
      'as its work tree (git worktree repair, or core.worktree, mends that).',
  }
}

/** The real path of the git directory that stands in a folder, or that a link or a file `.git` there names. */
async function gitDirNamedIn(top: string): Promise<string | null> {
  const path = join(top, '.git')
  try {
    const stat = await fs.lstat(path)
    const named = stat.isFile() ? await nameIn(path) : stat.isDirectory() || stat.isSymbolicLink() ? '.git' : null
    if (named === null) return null
    const gitDir = await fs.realpath(resolve(top, named))
    await fs.lstat(join(gitDir, 'HEAD'))
    return gitDir
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'ELOOP') return null
    throw error
  }
}

const nameIn = async (path: string): Promise<string | null> =>
  /^gitdir: (.+)/.exec((await readSmall(path))?.toString('utf8') ?? '')?.[1]?.trimEnd() ?? null

/**
 * As git itself asks (safe.directory of git-config(1)): in a folder that everyone may write to, anyone can create a
 * repository.
 */
async function isOfSameOwner(top: string, folder: string): Promise<boolean> {
  const own = process.getuid?.()
  if (own === undefined) return true
  const uid = async (path: string): Promise<Stats['uid']> => (await fs.lstat(path)).uid
  const owner = await uid(join(top, '.git'))
  return owner === own || owner === 0 || owner === (await uid(folder))
}

// How a repository says which folder is its work tree.

const largestConfig = 256 * 1024

/**
 * The common directory of a linked work tree, by gitrepository-layout(5): `worktrees/<id>` in it is this one's own, and
 * the file `gitdir` there leads back to the folder. null: it is no such directory, or leads elsewhere.
 */
async function commonDirOfWorktree(gitDir: string, top: string): Promise<string | null> {
  const parent = dirname(gitDir)
  if (basename(parent) !== 'worktrees') return null
  const common = await pathIn(gitDir, 'commondir')
  const back = await pathIn(gitDir, 'gitdir')
  if (common === null || back === null || basename(back) !== '.git') return null
  const whole = dirname(parent)
  return (await realOf(common)) === whole && (await realOf(dirname(back))) === top ? whole : null
}

/** `core.worktree`, as the repository of a submodule has it (git-submodule(1)). */
async function namesAsWorkTree(gitDir: string, top: string): Promise<boolean> {
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
