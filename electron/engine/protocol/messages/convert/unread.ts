import type { JsonObject } from '../../values.ts'

/** Names of the members that the canonical turn has no place for. */
export type Unread = Set<string>

/** Notes what an object has beyond the members that were read. */
export function noteOthers(object: JsonObject, read: ReadonlySet<string>, path: string, unread: Unread): void {
  for (const name in object) {
    if (!read.has(name) && !saysNothing(object[name])) unread.add(path === '' ? name : `${path}.${name}`)
  }
}

/**
 * True for what stands for a member's absence: null, false, an empty list, `{enabled: false}`, a tool's plain caller.
 */
function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return true
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.length === 0
  return ('enabled' in value && value.enabled === false) || ('type' in value && value.type === 'direct')
}
