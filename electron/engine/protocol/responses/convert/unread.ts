import { asObject, type JsonObject } from '../../values.ts'

/** Records, by their paths, parts of a request that have no place at its destination; each path once. */
export interface Notes {
  note(path: string): void
  list(): readonly string[]
}

export function notes(): Notes {
  const paths = new Set<string>()
  return {
    note: (path) => {
      paths.add(path)
    },
    list: () => [...paths],
  }
}

/** Records every member that has a value and is not among the known ones. */
export function noteOthers(object: JsonObject, known: ReadonlySet<string>, path: string, into: Notes): void {
  for (const name in object) if (!known.has(name) && says(object[name])) into.note(path + name)
}

/** The same for a member that is an object itself; nothing is recorded for any other value. */
export function noteOthersOf(value: unknown, known: ReadonlySet<string>, path: string, into: Notes): void {
  const object = asObject(value)
  if (object) noteOthers(object, known, path, into)
}

/** False for null, an empty list and an empty text. */
export const says = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
