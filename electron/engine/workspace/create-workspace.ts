import { messageOf } from '../base/errors.ts'
import { locate } from './confine.ts'
import { entriesOfFiles, entriesOnDisk, type Entries } from './entries.ts'
import { notLooked } from './found.ts'
import { gitDiff } from './git/diff.ts'
import { gitFiles } from './git/files.ts'
import { gitLog } from './git/log.ts'
import { gitStatus } from './git/status.ts'
import type { GitDeps } from './git/with-git.ts'
import { listFiles } from './list-files.ts'
import { readFile } from './read-file.ts'
import { relativePath, refused, shownPath } from './relative-path.ts'
import { searchText } from './search-text.ts'
import type { Found, Workspace } from './types.ts'

/** A session's folder, to look at. Nothing is read before it is asked for, and nothing is ever written to it. */
export function createWorkspace(deps: GitDeps): Workspace {
  const { folder } = deps
  return {
    folder,
    listFiles: ({ path = '' }, signal) =>
      safely(path, async () => listFiles(folder, path, await entriesBelow(deps, path, signal), signal)),
    readFile: (input) => safely(input.path, () => readFile(folder, input)),
    searchText: (input, signal) =>
      safely(input.text, async () =>
        searchText(folder, input, await entriesBelow(deps, input.path ?? '', signal), signal),
      ),
    gitStatus: (signal) => safely('git status', () => gitStatus(deps, signal)),
    gitDiff: (input, signal) => safely('HEAD', () => gitDiff(deps, input, signal)),
    gitLog: (input, signal) => safely('git log', () => gitLog(deps, input, signal)),
    exists: async (path) => (await locate(folder, path)).ok,
  }
}

/** Below a path git ignores altogether, which somebody names for a reason, everything on the disk counts. */
async function entriesBelow(deps: GitDeps, path: string, signal: AbortSignal): Promise<Entries> {
  const onDisk = entriesOnDisk(deps.folder)
  const wanted = relativePath(path)
  const files = wanted.ok ? await gitFiles(deps, signal) : null
  if (files === null || !wanted.ok) return onDisk
  return wanted.path === '' || files.some((file) => file.startsWith(`${wanted.path}/`))
    ? entriesOfFiles(files, onDisk)
    : onDisk
}

async function safely(what: string, look: () => Promise<Found>): Promise<Found> {
  try {
    return await look()
  } catch (error) {
    return notLooked(
      shownPath(what),
      refused(`The session’s folder can’t be looked at: ${messageOf(error)}`, 'not readable'),
    )
  }
}
