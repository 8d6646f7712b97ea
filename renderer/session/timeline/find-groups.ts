import type { Group, GroupRow } from './groups.ts'

/** Returns the groups that say every word of the query, one in whichever row. Pure. */
export function findGroups(groups: readonly Group[], query: string, say: (row: GroupRow) => string): readonly Group[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return groups
  return groups.filter(({ rows }) => {
    const said = rows.map(say).join('\n').toLowerCase()
    return words.every((word) => said.includes(word))
  })
}
