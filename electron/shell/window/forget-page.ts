import { session } from 'electron'

/**
 * What a page can leave behind for the next one at its address. Whoever listened there while no engine did may have
 * left a service worker or a cached file that would get the next link; the window's theme and the like stay.
 */
export async function forgetPage(): Promise<void> {
  const { defaultSession } = session
  await Promise.all([
    defaultSession.clearStorageData({ storages: ['serviceworkers', 'cachestorage'] }),
    defaultSession.clearCache(),
  ])
}
