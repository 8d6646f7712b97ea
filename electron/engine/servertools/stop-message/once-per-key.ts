/** Remembers, in this run of the engine, for which keys something was already reported; the oldest are forgotten. */
export function oncePerKey(limit = 5000): (key: string) => boolean {
  const seen = new Set<string>()
  return (key) => {
    if (seen.has(key)) return false
    seen.add(key)
    for (const oldest of seen) {
      if (seen.size <= limit) break
      seen.delete(oldest)
    }
    return true
  }
}
