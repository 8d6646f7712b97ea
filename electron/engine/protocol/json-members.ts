import { elements, member, members, splice, type Edit, type Span } from './json-bytes/index.ts'

/** A member and its new value as JSON. */
type NewMembers = Readonly<Record<string, Buffer | string>>

/** The span from the first `{` of a JSON text to its end, as the walkers of json-bytes want it. */
export const rootOf = (json: Buffer): Span => ({ start: Math.max(0, json.indexOf(0x7b)), end: json.length })

/** Edits that give members of an object new values; those it lacks are put in front. `json` must be valid. */
export function memberEdits(json: Buffer, object: Span, values: NewMembers): Edit[] {
  const names = Object.keys(values)
  const found = members(json, object, names)
  const edits: Edit[] = []
  const added: Buffer[] = []
  for (const [i, name] of names.entries()) {
    const at = found[i]
    const value = values[name] ?? 'null'
    if (at) edits.push({ start: at.start, end: at.end, replacement: value })
    else added.push(Buffer.concat([Buffer.from(`${JSON.stringify(name)}:`), Buffer.from(value)]))
  }
  if (added.length > 0) {
    const at = object.start + 1
    const isEmpty = /^\s*\}/.test(json.toString('latin1', at, Math.min(json.length, at + 1024)))
    edits.push({ start: at, end: at, replacement: Buffer.concat([...joined(added), Buffer.from(isEmpty ? '' : ',')]) })
  }
  return edits
}

/** The JSON with some members of its root changed, every other byte as it was. */
export const setMembers = (json: Buffer, values: NewMembers): Buffer =>
  splice(json, memberEdits(json, rootOf(json), values))

/** The values of a JSON list, commas between them. */
export function joined(values: readonly Buffer[]): Buffer[] {
  return values.flatMap((value, i) => (i === 0 ? [value] : [comma, value]))
}
export const comma = Buffer.from(',')

/** A JSON list of values that are given as JSON. */
export const listOf = (values: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('['), ...joined(values), Buffer.from(']')])

/** The elements of a list of the root as they stand; none when it has no such list. */
export function elementsOf(json: Buffer, name: string, object: Span = rootOf(json)): Buffer[] {
  const at = member(json, object, name)
  return at ? elements(json, at).map(({ start, end }) => json.subarray(start, end)) : []
}
