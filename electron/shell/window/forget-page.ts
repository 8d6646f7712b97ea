import { session } from 'electron'

/**
 * Clears data that a page can leave for the next one at its address. A program that listened there while no engine did
 * may have left a service worker or a cached file that would get the next link; the window's theme and the like stay.
 */
export async function forgetPage(): Promise<void> {
  const { defaultSession } = session
  await Promise.all([
    defaultSession.clearStorageData({ storages: ['serviceworkers', 'cachestorage'] }),
    defaultSession.clearCache(),
  ])
}
