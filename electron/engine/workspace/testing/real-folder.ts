import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { createWorkspace } from '../create-workspace.ts'
import { createRunProgram } from '../run-program.ts'
import type { RunProgram, Workspace } from '../types.ts'

export interface RealFolder {
  /** holds `folder`, and may hold what is outside of it */
  around: string
  folder: string
  workspace: Workspace
  runProgram: RunProgram
  /** a file relative to the folder, its folders made */
  put(path: string, content?: string | Buffer): string
  git(...args: string[]): string
  remove(): void
}

/**
 * A temporary folder with a workspace on it, and the real git.
 * @param like another one to begin with a copy of: each git that makes a repository takes longer
 */
export function realFolder(like?: RealFolder): RealFolder {
  const around = realpathSync(mkdtempSync(join(tmpdir(), 'onward-workspace-')))
  const folder = join(around, 'project')
  const scratch = join(around, 'scratch')
  if (like) cpSync(like.around, around, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  else for (const made of [folder, scratch]) mkdirSync(made)
  const env = { PATH: process.env.PATH, HOME: around, TMPDIR: scratch, GIT_CONFIG_NOSYSTEM: '1' }
  const runProgram = createRunProgram({ clock: systemClock(), env: async () => env })
  const remove = () => rmSync(around, { recursive: true, force: true })
  return {
    around,
    folder,
    runProgram,
    workspace: createWorkspace({ folder, runProgram, scratch }),
    put(path, content = '') {
      const whole = join(folder, path)
      mkdirSync(dirname(whole), { recursive: true })
      writeFileSync(whole, content)
      return whole
    },
    git: (...args) =>
      execFileSync(
        'git',
        ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'init.defaultBranch=main', ...args],
        { cwd: folder, env, encoding: 'utf8', timeout: 10_000, stdio: ['ignore', 'pipe', 'pipe'] },
      ),
    remove,
  }
}

export const never = new AbortController().signal
