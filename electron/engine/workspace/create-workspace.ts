import { messageOf } from '../base/errors.ts'
import { confinesOf, locate, type Confines } from './confine.ts'
import { entriesOfFiles, entriesOnDisk, type Entries } from './entries.ts'
import { notInspected, counted, cutLine, linesThatFit, inspected } from './found.ts'
import { gitDiff, nulRecords, askedPath } from './git/diff.ts'
import { type GitDeps, withGit } from './git/with-git.ts'
import { listFiles } from './list-files.ts'
import { readFile } from './read-file.ts'
import { relativePath, refused, shownPath } from './relative-path.ts'
import { searchText } from './search-text.ts'
import type { Found, RunProgram, Workspace } from './types.ts'

export interface WorkspaceDeps {
  folder: string
  runProgram: RunProgram
  /** absolute folders of which nothing is shown: Onward's own home */
  closed?: readonly string[]
  scratch?: string
}

/** A session's folder, to look at. Nothing is read before it is asked for, and nothing is ever written to it. */
export function createWorkspace({ folder, closed = [], ...programs }: WorkspaceDeps): Workspace {
  const patience = { over: false }
  const within = async (): Promise<Within> => {
    const confines = await confinesOf(folder, closed)
    return { confines, git: { ...programs, confines, patience } }
  }
  const safely = async (what: string, inspect: (within: Within) => Promise<Found>): Promise<Found> => {
    try {
      return await inspect(await within())
    } catch (error) {
      return notInspected(
        shownPath(what),
        refused(`The session’s folder can’t be looked at: ${messageOf(error)}`, 'not readable'),
      )
    }
  }
  return {
    folder,
    listFiles: ({ path = '' }, signal) =>
      safely(path, async (at) => listFiles(at.confines, path, await entriesBelow(at, path, signal), signal)),
    readFile: (input) => safely(input.path, ({ confines }) => readFile(confines, input)),
    searchText: (input, signal) =>
      safely(input.text, async (at) =>
        searchText(at.confines, input, await entriesBelow(at, input.path ?? '', signal), signal),
      ),
    gitStatus: (signal) => safely('git status', ({ git }) => gitStatus(git, signal)),
    gitDiff: (input, signal) => safely('HEAD', ({ git }) => gitDiff(git, input, signal)),
    gitLog: (input, signal) => safely('git log', ({ git }) => gitLog(git, input, signal)),
    exists: async (path) => (await locate((await within()).confines, path)).ok,
  }
}

interface Within {
  confines: Confines
  git: GitDeps
}

/** If git ignores a path altogether, it was named for a reason: then everything on the disk below it counts. */
async function entriesBelow({ confines, git }: Within, path: string, signal: AbortSignal): Promise<Entries> {
  const onDisk = entriesOnDisk(confines)
  const wanted = relativePath(path)
  const files = wanted.ok ? await gitFiles(git, signal) : null
  if (files === null || !wanted.ok) return onDisk
  return wanted.path === '' || files.some((file) => file.startsWith(`${wanted.path}/`))
    ? entriesOfFiles(files, onDisk)
    : onDisk
}

/** Files git tracks or would add, relative to the folder; null where git has no say. */
async function gitFiles(deps: GitDeps, signal: AbortSignal): Promise<readonly string[] | null> {
  const result = await withGit(deps, signal, (git) =>
    git.run(['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', '.']),
  )
  // A list that was cut off would hide files: then the disk is listed instead.
  return result.ok && !result.cut ? nulRecords(result) : null
}

const usual = 20
const most = 100

/** Commits, the newest first: short hash, date, author, first line. */
async function gitLog(deps: GitDeps, input: { path?: string; count?: number }, signal: AbortSignal): Promise<Found> {
  const asked = await askedPath(deps.confines, input.path)
  const what = input.path === undefined ? 'git log' : `git log ${shownPath(asked.ok ? asked.path : input.path)}`
  if (!asked.ok) return notInspected(what, asked)
  const count = Math.min(most, Math.max(1, Math.floor(input.count ?? usual) || usual))
  const result = await withGit(deps, signal, (git) => {
    const where = asked.path !== '' ? ['--', asked.path] : git.isTop ? [] : ['--', '.']
    return git.hasCommits
      ? git.run([
          'log',
          `--max-count=${count}`,
          '--no-show-signature',
          '--no-mailmap',
          '--no-decorate',
          '--no-color',
          '--no-notes',
          '--date=iso-strict',
          '--format=%h %ad %an: %s',
          ...where,
        ])
      : Promise.resolve({ ok: true as const, out: '', cut: false })
  })
  if (!result.ok) return notInspected(what, result)
  const commits = result.out
    .split('\n')
    .filter((line) => line !== '')
    .map(cutLine)
  if (commits.length === 0)
    return !asked.there ? notInspected(what, asked.absent) : inspected(what, 'There is no commit yet.', 'no commits')
  return inspected(what, linesThatFit(commits).join('\n'), counted(commits.length, 'commit'))
}

/** Names only, so those of secrets are among them. */
async function gitStatus(deps: GitDeps, signal: AbortSignal): Promise<Found> {
  const what = 'git status'
  const result = await withGit(deps, signal, (git) =>
    git.run([
      'status',
      '--short',
      '--branch',
      '--untracked-files=normal',
      '--ignore-submodules=all',
      '--no-renames',
      '--',
      '.',
    ]),
  )
  if (!result.ok) return notInspected(what, result)
  const [branch = '', ...changes] = result.out.trimEnd().split('\n').map(cutLine)
  const shown = linesThatFit(changes)
  const say = changes.length === 0 ? 'no changes' : counted(changes.length, 'change')
  return inspected(
    what,
    [
      branch,
      ...(changes.length === 0 ? ['Nothing differs from the last commit.'] : shown),
      ...(shown.length < changes.length ? [`… ${changes.length - shown.length} more`] : []),
    ].join('\n'),
    say,
  )
}
