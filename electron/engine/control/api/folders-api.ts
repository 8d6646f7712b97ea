import type { ControlApi } from '../../../../shared/control/contract.ts'
import type { EngineHost } from '../../host.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { TerminalsRegistry } from '../../sessions/terminals-registry.ts'
import { isFolderAt, listFolder } from './list-folder.ts'
import { recentFolders } from './recent-folders.ts'
import { writtenFolder } from './written-folder.ts'

export interface FoldersApiDeps {
  host: Pick<EngineHost, 'env' | 'home'>
  sessions: Pick<SessionStore, 'list'>
  registry: Pick<TerminalsRegistry, 'list'>
  loaded: Promise<void>
}

export function foldersApi({
  host,
  sessions,
  registry,
  loaded,
}: FoldersApiDeps): Pick<ControlApi, 'recentFolders' | 'listFolder'> {
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
  }
}
