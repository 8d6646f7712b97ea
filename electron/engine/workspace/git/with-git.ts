import { promises as fs } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { RunProgram } from '../types.ts'
import { refused, type Refused } from '../relative-path.ts'
import { shutAt, type Confines } from '../confine.ts'
import { findRepository } from './find-repository.ts'
import { gitEnv, gitOptions, noOuterConfig } from './git-env.ts'
import { inspect } from './inspect.ts'
import { objectFolders } from './object-folders.ts'
import { fillOwnGitDir } from './own-git-dir.ts'
import { whatGitSays } from './what-git-says.ts'

export interface GitDeps {
  confines: Confines
  runProgram: RunProgram
  /** where short-lived git directories are made; the system's folder for such things where not given */
  scratch?: string
  /** once git took too long here it is not asked again: whatever holds it up is still there */
  patience: { over: boolean }
}

/** `cut`: there was more, and only its end was kept. */
export interface GitOutput {
  ok: true
  out: string
  cut: boolean
}

export interface Git {
  /** what the working tree is compared with: HEAD, or nothing where there is no commit yet */
  base: string
  /** a tree without files */
  emptyBase: string
  hasCommits: boolean
  /** the folder is the whole work tree */
  isTop: boolean
  /** Paths in and out are relative to the folder. `fine`: the exit codes that are no failure; default 0 */
  run(args: readonly string[], fine?: readonly number[]): Promise<GitOutput | Refused>
}

const timeoutMs = 20_000
const mostOutput = 8 * 1024 * 1024
/** bytes: a cut falls into one */
const longestCharacter = 4
/** Git knows these two without having them. */
const emptyTree = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
}

/** Looks at the folder's repository with git, in a git directory that lasts as long as `use`. */
export async function withGit<T>(
  { confines, runProgram, scratch = tmpdir(), patience }: GitDeps,
  signal: AbortSignal,
  use: (git: Git) => Promise<T>,
): Promise<T | Refused> {
  if (patience.over) return noGit('it took too long before, and is not asked again.')
  const real = await fs.realpath(confines.folder)
  const shut = shutAt(confines, '', real)
  if (shut !== null) return shut
  const repository = await findRepository(real)
  if (repository === null) return refused('The session’s folder is in no git repository.', 'no repository')
  if ('problem' in repository) return refused(repository.problem, 'another’s repository')
  const runPatiently: RunProgram = async (start, stop) => {
    const end = await runProgram(start, stop)
    if (end.kind === 'timed-out') patience.over = true
    return end
  }
  // Git is started in here: on Windows a program is looked for in the folder it starts in first.
  const own = await fs.mkdtemp(join(scratch, 'onward-git-'))
  try {
    const inspected = await inspect(runPatiently, repository, own, signal)
    if ('problem' in inspected) return noGit(inspected.problem)
    // After HEAD, so that what it names is among them.
    const objects = await objectFolders(repository)
    if ('problem' in objects) return refused(objects.problem, 'another’s repository')
    const places = await fillOwnGitDir(own, repository, objects, inspected)
    const env = { ...gitEnv, ...noOuterConfig, ...places, GIT_WORK_TREE: repository.top }
    const emptyBase = emptyTree[inspected.settings.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1']
    return await use({
      base: inspected.head ?? emptyBase,
      emptyBase,
      hasCommits: inspected.head !== null,
      isTop: relative(repository.top, real) === '',
      async run(args, fine = [0]) {
        const end = await runPatiently(
          { argv: ['git', ...gitOptions, '-C', real, ...args], cwd: own, timeoutMs, outputChars: mostOutput, env },
          signal,
        )
        if (end.kind === 'exited' && end.exitCode !== null && fine.includes(end.exitCode))
          return { ok: true, out: end.stdout, cut: Buffer.byteLength(end.stdout) >= mostOutput - longestCharacter }
        return noGit(
          end.problem ??
            (end.kind === 'timed-out'
              ? `git took longer than ${timeoutMs / 1_000} seconds.`
              : end.kind === 'stopped'
                ? 'It was stopped.'
                : whatGitSays(end)),
        )
      },
    })
  } finally {
    await fs.rm(own, { recursive: true, force: true })
  }
}

const noGit = (why: string): Refused => refused(`Git can’t be asked: ${why}`, 'git failed')
