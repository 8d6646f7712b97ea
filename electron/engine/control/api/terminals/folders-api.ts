import type { ControlApi } from '../../../../../shared/operations/index.ts'
import type { EngineHost } from '../../../host.ts'
import type { SessionStore } from '../../../sessions/session-store.ts'
import type { TerminalsRegistry } from '../../../sessions/binding/terminals-registry.ts'
import { writtenFolder } from './written-folder.ts'
import type { Dirent } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { FolderListing, FolderProblem } from '../../../../../shared/setup/folders.ts'
import { OnwardError, systemCodeOf } from '../../../base/errors.ts'
import { whyFailed } from '../../../store/store-failed.ts'

export interface FoldersApiDeps {
  host: Pick<EngineHost, 'env' | 'home'>
  sessions: Pick<SessionStore, 'list'>
  registry: Pick<TerminalsRegistry, 'list'>
  loaded: Promise<void>
}

export function foldersApi({ host, sessions, registry, loaded }: FoldersApiDeps) {
  return {
    async recentFolders() {
      await loaded
      return recentFolders(
        [
          ...sessions.list().map(({ cwd, lastActivityAt }) => ({ cwd, at: lastActivityAt })),
          ...registry.list().map(({ cwd, openedAt }) => ({ cwd, at: openedAt })),
        ],
        isFolderAt,
      )
    },
    listFolder: ({ path, hidden }) => listFolder(writtenFolder(host, path), { hidden }),
  } satisfies Partial<ControlApi>
}

/** As many as a list below a field shows without scrolling. */
const MOST_RECENT = 8
interface Seen {
  cwd: string | null
  at: number
}

/**
 * The folders that agents were started or seen in, the last one first. Sessions are kept for good, so these are, too;
 * a folder that is gone by now is left out.
 */
export async function recentFolders(
  seen: readonly Seen[],
  isThere: (path: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const newest = new Map<string, number>()
  for (const { cwd, at } of seen) if (cwd !== null && at > (newest.get(cwd) ?? -Infinity)) newest.set(cwd, at)
  const ordered = [...newest].sort(([, a], [, b]) => b - a).map(([path]) => path)
  const there: string[] = []
  for (const path of ordered) {
    if (there.length === MOST_RECENT) break
    if (await isThere(path)) there.push(path)
  }
  return there
}

/** The most folders shown of one folder; no one scrolls through more. */
const MOST_FOLDERS = 1_000
/** Entries of all kinds that are looked at: a folder of a million files must not hold the engine up. */
const MOST_ENTRIES = 20_000

let collator: Intl.Collator | null = null

/** Made when the first folder is listed, so that the engine's start doesn't wait for it. */
const inOrder = (a: string, b: string): number =>
  (collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })).compare(a, b)

/**
 * The folders in a folder, without those whose names begin with a dot unless `hidden`.
 * @throws OnwardError `folder-not-found`, `folder-not-readable`, `not-a-folder`
 */
export async function listFolder(
  path: string,
  { hidden, open = opendir }: { hidden: boolean; open?: (path: string) => Promise<AsyncIterable<Dirent>> },
): Promise<FolderListing> {
  const names: string[] = []
  let count = 0
  try {
    for await (const entry of await open(path)) {
      if (++count > MOST_ENTRIES) break
      if (!hidden && entry.name.startsWith('.')) continue
      if (await isFolder(path, entry)) names.push(entry.name)
    }
  } catch (error) {
    throw notShown(path, error)
  }
  names.sort(inOrder)
  const above = dirname(path)
  return {
    path,
    parent: above === path ? null : above,
    folders: names.slice(0, MOST_FOLDERS),
    separator: sep === '\\' ? '\\' : '/',
    more: names.length > MOST_FOLDERS || count > MOST_ENTRIES,
  }
}

/** True for a link to a folder too; false for a link to nowhere. */
const isFolder = async (path: string, entry: Dirent): Promise<boolean> =>
  entry.isSymbolicLink() ? isFolderAt(join(path, entry.name)) : entry.isDirectory()

const isFolderAt = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

const refusals: Readonly<Record<string, { code: FolderProblem; say(path: string): string; status: number }>> = {
  ENOENT: { code: 'folder-not-found', say: (path) => `There is no folder ${path}.`, status: 404 },
  ENOTDIR: { code: 'not-a-folder', say: (path) => `${path} is no folder.`, status: 409 },
  EACCES: { code: 'folder-not-readable', say: mayNotBeRead, status: 403 },
  EPERM: { code: 'folder-not-readable', say: mayNotBeRead, status: 403 },
}

function mayNotBeRead(path: string): string {
  return `${path} may not be read. Check owner and permissions of the folder.`
}

function notShown(path: string, error: unknown): OnwardError {
  const refusal = refusals[systemCodeOf(error) ?? '']
  if (refusal)
    return new OnwardError(refusal.code, refusal.say(path), { cause: error, details: { path }, status: refusal.status })
  return new OnwardError('folder-not-readable', `${path} could not be read: ${whyFailed(error)}.`, {
    cause: error,
    details: { path },
  })
}
