import type { JsonObject } from '../../values.ts'

/**
 * Google's JSON may name members in camel or in snake case (protobuf's JSON mapping reads both, and Google's own curl
 * examples mix them). An object with snake case members, in camel case; any other as it is.
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

/** Puts on record what stands in an object beside the members that were read. */
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
