import type { JsonObject } from '../../values.ts'

/**
 * Returns an object with snake case members in camel case; any other as it is. Google's JSON may name members either
 * way (protobuf's JSON mapping reads both, and Google's own curl examples mix them).
 */
export function camelled(object: JsonObject): JsonObject {
  for (const name in object) if (name.includes('_', 1)) return renamed(object)
  return object
}

const renamed = (object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name.replace(/([a-z0-9])_([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase()),
      value,
    ]),
  )

/** Records the members of an object that have a value and were not read. */
export function noteUnread(object: JsonObject, read: ReadonlySet<string>, path: string, unread: Set<string>): void {
  for (const name in object)
    if (!read.has(name) && object[name] !== null && object[name] !== undefined) unread.add(path + name)
}

/** An object under construction. */
export type Draft = Record<string, unknown>

export const isEmpty = (object: JsonObject): boolean => {
  for (const _ in object) return false
  return true
}
