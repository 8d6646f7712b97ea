import { OnwardError } from '../../../base/errors.ts'
import { asObject, type JsonObject } from '../../values.ts'

/** Names of members that were seen and have no place; each once. */
export type Unread = Set<string>

export const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** Notes every member that is not among the known ones and says something. */
export function noteUnread(object: JsonObject, known: ReadonlySet<string>, path: string, unread: Unread): void {
  for (const name in object) if (!known.has(name) && isSaid(object[name])) unread.add(path + name)
}

/** The same of a member that is an object itself; of anything else nothing is noted. */
export function noteUnreadOf(value: unknown, known: ReadonlySet<string>, path: string, unread: Unread): void {
  const object = asObject(value)
  if (object) noteUnread(object, known, path, unread)
}

export function badRequest(path: string, problem: string): OnwardError {
  return new OnwardError('bad-request', `${path} ${problem}.`, { status: 400, details: { param: path } })
}

/** A list, none where it is absent. @throws bad-request for anything else */
export function listAt(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw badRequest(path, 'must be a list')
}

export function objectAt(value: unknown, path: string): JsonObject {
  const object = asObject(value)
  if (!object) throw badRequest(path, 'must be an object')
  return object
}
