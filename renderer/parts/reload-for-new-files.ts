/** A page that was just loaded again and still misses a file would go on like that for ever. */
const notAgainMs = 60_000
const key = 'onward.reloaded-for-files'

type Win = { location: { reload(): void }; sessionStorage: Pick<Storage, 'getItem' | 'setItem'> }

/**
 * Loads the page again where one of its files is gone: an engine of another version has others.
 *
 * @returns false where that was tried a moment ago, or can't be remembered
 */
export function reloadForNewFiles(win: Win, now = Date.now()): boolean {
  try {
    const last = Number(win.sessionStorage.getItem(key) ?? Number.NEGATIVE_INFINITY)
    if (now - last < notAgainMs) return false
    win.sessionStorage.setItem(key, String(now))
  } catch {
    // Storage is forbidden: nobody would know of the reload before.
    return false
  }
  win.location.reload()
  return true
}
