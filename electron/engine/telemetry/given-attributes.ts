import type { Attributes } from './types.ts'

type Given = Record<string, string | number | boolean | string[]>

/** Without members that have no value, and with no longer texts than `mostCharacters`. */
export function givenAttributes(attributes: Attributes, mostCharacters: number): Given {
  const cut = (text: string) => (text.length > mostCharacters ? text.slice(0, mostCharacters) : text)
  const all: Given = {}
  for (const name of Object.keys(attributes)) {
    const value = attributes[name]
    if (value === null || value === undefined) continue
    all[name] = typeof value === 'string' ? cut(value) : typeof value === 'object' ? value.map(cut) : value
  }
  return all
}
