/**
 * The beginning of an id as lists show it: long enough to distinguish conversations of the same day. A UUID of version
 * 7 (Codex) begins with the time, of which eight characters are the same for a minute; so does the rest of an opencode
 * id after its `ses_`.
 */
export function shortId(id: string): string {
  // an agent that names no conversation has the terminal's id with a count
  if (id.includes('#')) return id
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id)) return id.slice(0, 13)
  const kind = /^[a-z]{1,6}_/.exec(id)?.[0].length ?? 0
  return id.slice(0, kind + (kind > 0 ? 12 : 8))
}

/** As many characters as it takes to distinguish these ids, and never fewer than lists show. */
export function shortIds(ids: readonly string[]): string[] {
  for (let more = 0; ; more++) {
    const short = ids.map((id) => id.slice(0, shortId(id).length + more))
    if (new Set(short).size === new Set(ids).size) return short
  }
}
