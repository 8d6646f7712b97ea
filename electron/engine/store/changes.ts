/**
 * A change that turns one value of plain JSON into another, small where little changed. Parts that are the same object
 * are not compared: states share what they have in common.
 */
export type Change =
  | { is: unknown }
  | { members: Record<string, Change>; gone?: string[] }
  /** an array: `from` elements are taken off its front, then it has this length, with these items replaced or added */
  | { from: number; length: number; items: Record<number, Change> }

type Members = Readonly<Record<string, unknown>>

/** Returns null for equal values. What JSON leaves out of an object (`undefined`) counts as absent. */
export function changeBetween(before: unknown, after: unknown): Change | null {
  if (Object.is(before, after)) return null
  if (Array.isArray(before) && Array.isArray(after)) return changeOfArray(before, after)
  if (isMembers(before) && isMembers(after)) return changeOfMembers(before, after)
  // In a list JSON writes `undefined` as null.
  return { is: after === undefined ? null : after }
}

function changeOfMembers(before: Members, after: Members): Change | null {
  const members: [string, Change][] = []
  for (const [name, value] of Object.entries(after)) {
    if (value === undefined) continue
    const change = Object.hasOwn(before, name) ? changeBetween(before[name], value) : { is: value }
    if (change) members.push([name, change])
  }
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name) || after[name] === undefined)
  if (members.length === 0 && gone.length === 0) return null
  return { members: Object.fromEntries(members), ...(gone.length === 0 ? {} : { gone }) }
}

function changeOfArray(before: readonly unknown[], after: readonly unknown[]): Change | null {
  // Lists of events lose their oldest as they get a new one.
  const from = Math.max(0, before.indexOf(after[0]))
  const items: Record<number, Change> = {}
  for (const [i, value] of after.entries()) {
    const change = from + i < before.length ? changeBetween(before[from + i], value) : { is: value ?? null }
    if (change) items[i] = change
  }
  if (from === 0 && before.length === after.length && Object.keys(items).length === 0) return null
  return { from, length: after.length, items }
}

/** @throws TypeError where the change was not made for such a value */
export function withChange(value: unknown, change: Change): unknown {
  if ('is' in change) return change.is
  if ('items' in change) {
    if (!Array.isArray(value)) throw new TypeError('a list was expected')
    const kept: readonly unknown[] = value.slice(change.from, change.from + change.length)
    return Array.from({ length: change.length }, (_, i) => {
      const item = change.items[i]
      return item ? withChange(kept[i], item) : kept[i]
    })
  }
  if (!isMembers(value)) throw new TypeError('an object was expected')
  const members = new Map(Object.entries(value))
  for (const name of change.gone ?? []) members.delete(name)
  for (const [name, part] of Object.entries(change.members)) members.set(name, withChange(members.get(name), part))
  return Object.fromEntries(members)
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
