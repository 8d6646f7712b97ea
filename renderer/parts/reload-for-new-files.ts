/** A page that was just loaded again and still misses a file would go on like that for ever. */
const notAgainMs = 60_000
const key = 'onward.reloaded-for-files'

type Win = {
  fetch(path: string, how: { method: 'HEAD'; cache: 'no-store' }): Promise<Pick<Response, 'ok'>>
  location: { pathname: string; reload(): void }
  sessionStorage: Pick<Storage, 'getItem' | 'setItem'>
}

/**
 * Loads the page again where one of its files is gone: an engine of another version has others. An engine that is about
 * to end serves no more files before it announces its end: a page that left would have nowhere to go.
 *
 * @returns false where that was tried a moment ago, can't be remembered, or no engine would serve the page
 */
export async function reloadForNewFiles(win: Win, now = Date.now()): Promise<boolean> {
  try {
    const last = Number(win.sessionStorage.getItem(key) ?? Number.NEGATIVE_INFINITY)
    if (now - last < notAgainMs) return false
    if (!(await win.fetch(win.location.pathname, { method: 'HEAD', cache: 'no-store' })).ok) return false
    win.sessionStorage.setItem(key, String(now))
  } catch {
    // No engine is there, or storage is forbidden: the reload before could not be remembered.
    return false
  }
  win.location.reload()
  return true
}
