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
