import { messageOf } from '../base/errors.ts'
import { confinesOf, locate, type Confines } from './confine.ts'
import { entriesOfFiles, entriesOnDisk, type Entries } from './entries.ts'
import { notInspected } from './found.ts'
import { gitDiff } from './git/diff.ts'
import { gitFiles } from './git/files.ts'
import { gitLog } from './git/log.ts'
import { gitStatus } from './git/status.ts'
import type { GitDeps } from './git/with-git.ts'
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
