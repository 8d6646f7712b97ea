/** What plain Node and Electron's main process have in common as hosts of the engine: the real clock, disk, network and log. */
import { mkdir } from 'node:fs/promises'
import { systemClock } from './engine/base/clock.ts'
import { systemRandom } from './engine/base/system-random.ts'
import { messageOf, OnwardError } from './engine/base/errors.ts'
import type { EngineHost, Notify } from './engine/host.ts'
import { openEngineLog } from './engine-log.ts'

export interface NodeHost {
  host: EngineHost
  /** closes connections and the log; after the engine's own dispose */
  dispose(): Promise<void>
}

export interface NodeHostOptions {
  /** absolute */
  home: string
  env: Readonly<Record<string, string | undefined>>
  version: string
  /** left out where there is no desktop: notices then stand in the timeline only */
  notify?: Notify
}

const recordOnly: Notify = async () => ({ kind: 'suppressed', why: 'no desktop' })

/** @throws OnwardError `home-unusable` */
export async function createNodeHost({ home, env, version, notify = recordOnly }: NodeHostOptions): Promise<NodeHost> {
  await mkdir(home, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new OnwardError('home-unusable', `The Onward home ${home} can’t be made: ${messageOf(error)}.`, { cause: error })
  })
  const clock = systemClock()
  const [{ diskFiles }, { undiciTransport }, log] = await Promise.all([
    import('./engine/store/disk-files.ts'),
    import('./engine/providers/undici/transport.ts'),
    openEngineLog(home, { level: env.ONWARD_LOG_LEVEL || undefined }),
  ])
  const transport = undiciTransport({ clock, env })
  return {
    host: { home, env, version, clock, random: systemRandom(), log: log.log, files: diskFiles(), transport, notify },
    async dispose() {
      await transport.dispose()
      await log.dispose()
    },
  }
}
