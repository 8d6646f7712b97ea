/** Remembers of whom something was said already, in this run of the engine; the longest ago are forgotten. */
export function oncePerKey(limit = 5000): (key: string) => boolean {
  const told = new Set<string>()
  return (key) => {
    if (told.has(key)) return false
    told.add(key)
    for (const oldest of told) {
      if (told.size <= limit) break
      told.delete(oldest)
    }
    return true
  }
}
