import { asObject, type JsonObject } from '../values.ts'

/** Members that a reader understands, or that say nothing which an answer in another protocol would miss. */
export type KnownMembers = ReadonlySet<string>

/** Null, false, an empty text, list or object stand for the member's absence. */
export function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false
  if (typeof value !== 'object') return true
  for (const _ in value) return true
  return false
}

/**
 * Records every member of an object that is not among the known ones and says something, by `path` and its name. It is
 * one look-up per member beside the parsing of its JSON, so it may stand on the way of every delta.
 */
export function noteMembers(
  object: JsonObject,
  known: KnownMembers,
  path: string,
  dropped: (name: string) => void,
): void {
  for (const name in object) if (!known.has(name) && saysSomething(object[name])) dropped(path + name)
}

/** The same of a member that is an object itself; nothing is recorded of anything else. */
export function noteMembersOf(
  value: unknown,
  known: KnownMembers,
  path: string,
  dropped: (name: string) => void,
): void {
  const object = asObject(value)
  if (object) noteMembers(object, known, path, dropped)
}

/** True if an answer's `service_tier` says something: an answer without the member got the plain one. */
export const isSpecialTier = (tier: unknown): boolean =>
  saysSomething(tier) && tier !== 'default' && tier !== 'auto' && tier !== 'standard'
