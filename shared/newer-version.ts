/**
 * Which of two versions of Onward is newer, by semver.org's order of numbers; a pre-release comes before its release.
 */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [parts(version), parts(than)]
  if (a === null || b === null) return false
  for (const [i, number] of a.numbers.entries()) {
    const other = b.numbers[i] ?? 0
    if (number !== other) return number > other
  }
  return b.pre && !a.pre
}

/** null: no version, so nothing can be said of it */
function parts(version: string): { numbers: readonly number[]; pre: boolean } | null {
  const found = /^(\d+)\.(\d+)\.(\d+)(-)?/.exec(version)
  return found && { numbers: found.slice(1, 4).map(Number), pre: found[4] !== undefined }
}
