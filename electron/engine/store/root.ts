import { isAbsolute, join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { OnwardError } from '../base/errors.ts'
import { tempPrefix, fileNameOf } from './disk-files.ts'
import { lockRoot, type RootLock, type Processes } from './lock.ts'
import { storeFailed } from './store-failed.ts'
import type { Files } from './types.ts'

/** Returns `$ROUTECODEX_SESSION_DIR`, default `<home>/sessions/<host_port>`. Absolute. */
export function sessionRoot(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  host: string,
  port: number,
): string {
  const chosen = env.ROUTECODEX_SESSION_DIR
  if (!chosen) return join(home, 'sessions', `${fileNameOf(host)}_${port}`)
  if (!isAbsolute(chosen))
    throw new OnwardError(
      'session-dir',
      `ROUTECODEX_SESSION_DIR is "${chosen}"; an absolute path is ` +
        'needed, because the engine may be started from any folder.',
    )
  return chosen
}

/**
 * Makes this process the only engine of a home, before anything in it is made or read: session roots go by the port, so
 * their locks don't stop two engines that each take a free port.
 * @throws OnwardError `root-locked`, or `store-failed` when the home can't be used
 */
export async function lockHome({
  home,
  files,
  clock,
}: {
  home: string
  files: Files
  clock: Clock
}): Promise<RootLock> {
  try {
    await files.makeFolder(home)
    return await lockRoot({ root: home, clock, name: 'home', instead: 'with another home' })
  } catch (cause) {
    throw unusable(home, cause)
  }
}

const unusable = (folder: string, cause: unknown) =>
  OnwardError.isInstance(cause) ? cause : storeFailed('save', folder, cause)

/** Folders of a root that hold documents, besides the root itself. */
const folders = ['clock', 'outbox', 'servertool-pending', 'thinking'] as const

/**
 * Makes a session root ready: creates it, makes this process its only engine, and removes the temporary files that
 * killed engines left. Release the lock last when the engine ends.
 * @throws OnwardError `root-locked`, or `store-failed` when the folder can't be used
 */
export async function openRoot(options: {
  root: string
  files: Files
  clock: Clock
  processes?: Processes
}): Promise<RootLock> {
  const { root, files, clock, processes } = options
  try {
    await files.makeFolder(root)
    let inRoot: readonly string[] = []
    const onLocked = (names: readonly string[]) => {
      inRoot = names
    }
    const lock = await lockRoot({ root, clock, onLocked, ...(processes ? { processes } : {}) })
    const sweep = async (folder: string, names: readonly string[]) => {
      for (const name of names)
        if (name.startsWith(tempPrefix) && name.endsWith('.tmp')) await files.remove(join(folder, name))
    }
    await sweep(root, inRoot)
    for (const folder of folders) await sweep(join(root, folder), await files.list(join(root, folder)))
    return lock
  } catch (cause) {
    throw unusable(root, cause)
  }
}
