// The two builds that a guard compares: what stands here, and the commit that it goes back to.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { temporaryFolder } from './children.mjs'

const root = resolve(import.meta.dirname, '../..')
const modules = join(root, 'node_modules')

/** What git says; null where it says no. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** Where this branch left main; of main itself the commit before, or the last one where files differ from it. */
export function baseCommit() {
  const head = git('rev-parse', 'HEAD')
  const left = git('merge-base', 'HEAD', 'origin/main') ?? git('merge-base', 'HEAD', 'main')
  if (left !== null && left !== head) return left
  const changed = git('status', '--porcelain', '--untracked-files=no') !== ''
  const base = changed ? head : git('rev-parse', 'HEAD^')
  if (base === null) throw new Error('there is no commit to compare with: fetch more of the history')
  return base
}

function build(folder, out) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(modules, 'electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'error'],
    { cwd: folder, env: { ...process.env, ONWARD_OUT: out }, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`the build in ${folder} failed\n${stderr}`)
}

/** The base in a worktree of its own, with the packages of this one. @returns its folder `out` */
export function buildBase(commit) {
  const tree = join(temporaryFolder(), 'base')
  // The folder goes when the bench ends, and what git knows of it after that.
  process.once('exit', () => git('worktree', 'prune'))
  if (git('worktree', 'add', '--detach', tree, commit) === null) throw new Error(`git has no worktree for ${commit}`)
  symlinkSync(modules, join(tree, 'node_modules'), 'junction')
  build(tree, 'out')
  return join(tree, 'out')
}

/** As it stands, beside `out`, which a running program may use. Native packages are found from below node_modules. */
export function buildHere() {
  mkdirSync(join(modules, '.cache'), { recursive: true })
  const out = mkdtempSync(join(modules, '.cache/onward-guard-'))
  process.once('exit', () => rmSync(out, { recursive: true, force: true }))
  build(root, out)
  return out
}

export const titleOf = (commit) => git('log', '-1', '--format=%h %s', commit) ?? commit
