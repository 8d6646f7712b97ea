/**
 * Where a key leads from `at` in a list, which may be beyond its ends; undefined: it leads nowhere. `screenful`: rows
 * that are in sight
 */
export function steppedTo(key: string, at: number, last: number, screenful: number): number | undefined {
  const page = Math.max(1, Math.floor(screenful) - 1)
  return { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: last }[key]
}
