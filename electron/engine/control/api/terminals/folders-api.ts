import type { ControlApi } from '../../../../../shared/operations/index.ts'
import type { EngineHost } from '../../../host.ts'
import type { SessionStore } from '../../../sessions/session-store.ts'
import type { TerminalsRegistry } from '../../../sessions/binding/terminals-registry.ts'
import { isFolderAt, listFolder } from './list-folder.ts'
import { writtenFolder } from './written-folder.ts'

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
