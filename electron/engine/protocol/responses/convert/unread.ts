import { asObject, type JsonObject } from '../../values.ts'

/** Notes by its path that something of a request has no place where it goes; each path once. */
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

/** Notes every member that says something and is not among the known ones. */
export function noteOthers(object: JsonObject, known: ReadonlySet<string>, path: string, into: Notes): void {
  for (const name in object) if (!known.has(name) && says(object[name])) into.note(path + name)
}

/** The same of a member that is an object itself; of anything else nothing is noted. */
export function noteOthersOf(value: unknown, known: ReadonlySet<string>, path: string, into: Notes): void {
  const object = asObject(value)
  if (object) noteOthers(object, known, path, into)
}

/** null, an empty list and an empty text say nothing. */
export const says = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
