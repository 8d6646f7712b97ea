import { findNodeAtLocation, getLocation, parseTree, type Node } from 'jsonc-parser'
import { formsOf, schemasAt, type Schema } from './schema-at.ts'

export interface Completion {
  label: string
  /** what takes the place of `from`…`to` */
  insert: string
  /** where the caret stands then, counted from the insertion's end */
  caret: number
  /** e.g. `object`, `true or false` */
  type: string
  about: string | null
  /** as JSON; null: none is known */
  fallback: string | null
}

export interface Completions {
  from: number
  to: number
  items: readonly Completion[]
}

const MOST = 50

/** Returns what may stand at the caret: names of settings that are not there yet, values a setting can have. */
export function completionsAt(text: string, offset: number, schema: Schema): Completions | null {
  const location = getLocation(text, offset)
  const root = parseTree(text, [], { allowTrailingComma: true })
  if (!root || inComment(text, offset)) return null
  const { from, to } = wordAt(text, offset, location.previousNode)
  const typed = text.slice(from, offset).replace(/^"/, '').toLowerCase()
  const fits = (label: string) => label.toLowerCase().includes(typed)
  const rank = (label: string) => (label.toLowerCase().startsWith(typed) ? 0 : 1)
  const items = (
    location.isAtPropertyKey ? names(text, to, root, location.path, schema) : values(root, location.path, schema)
  )
    .filter(({ label }) => fits(label))
    .toSorted((a, b) => rank(a.label) - rank(b.label))
    .slice(0, MOST)
  return items.length === 0 ? null : { from, to, items }
}

function names(text: string, to: number, root: Node, path: readonly (string | number)[], schema: Schema): Completion[] {
  const parent = path.slice(0, -1)
  const own = path.at(-1)
  const object = parent.length === 0 ? root : findNodeAtLocation(root, [...parent])
  const there = new Set(
    (object?.children ?? []).map((property) => String(property.children?.[0]?.value)).filter((name) => name !== own),
  )
  const named = /^\s*:/.test(text.slice(to))
  const found = new Map<string, Completion>()
  for (const at of schemasAt(schema, parent)) {
    const given = Object.entries(at.properties ?? {})
    const listed = (at.propertyNames?.enum ?? []).map((name): [string, Schema] => [
      String(name),
      typeof at.additionalProperties === 'object' ? at.additionalProperties : {},
    ])
    for (const [name, member] of [...given, ...listed]) {
      if (there.has(name) || found.has(name)) continue
      const [value, caret] = named ? ['', 0] : valueFor(member)
      found.set(name, {
        label: name,
        insert: named ? JSON.stringify(name) : `${JSON.stringify(name)}: ${value}`,
        caret,
        ...about(member),
      })
    }
  }
  return [...found.values()]
}

function values(root: Node, path: readonly (string | number)[], schema: Schema): Completion[] {
  const found = new Map<string, Completion>()
  const add = (value: unknown, of: Schema) => {
    const label = typeof value === 'string' ? value : JSON.stringify(value)
    found.set(label, { label, insert: JSON.stringify(value), caret: 0, ...about(of) })
  }
  for (const target of targets(root, path)) add(target, {})
  for (const at of schemasAt(schema, path)) {
    if (at.const !== undefined) add(at.const, at)
    for (const value of at.enum ?? []) add(value, at)
    if (at.type === 'boolean') for (const value of [true, false]) add(value, at)
    if (at.type === 'null') add(null, at)
  }
  return [...found.values()]
}

/** Models of the providers in this very text, where a route or an alias names one. */
function targets(root: Node, path: readonly (string | number)[]): string[] {
  const [first] = path
  const named =
    (first === 'routes' && path.length >= 3) ||
    (first === 'aliases' && path.length === 2) ||
    path.join('.') === 'stopMessage.review.model'
  if (!named) return []
  return members(findNodeAtLocation(root, ['providers'])).flatMap(([id, provider]) =>
    members(provider && findNodeAtLocation(provider, ['models'])).map(([model]) => `${id}.${model}`),
  )
}

const members = (node: Node | undefined): [string, Node | undefined][] =>
  (node?.type === 'object' ? (node.children ?? []) : []).map((property) => [
    String(property.children?.[0]?.value),
    property.children?.[1],
  ])

/** A new setting begins with its default, or with what has its form; the caret stands inside. */
function valueFor(member: Schema): [value: string, caret: number] {
  const [form = {}] = formsOf(member)
  if (form.type === 'object') return ['{}', -1]
  if (form.type === 'array') return ['[]', -1]
  if (member.default !== undefined) return [JSON.stringify(member.default), 0]
  if (form.type === 'string') return ['""', -1]
  return ['', 0]
}

function about(schema: Schema): Pick<Completion, 'type' | 'about' | 'fallback'> {
  const types = new Set(formsOf(schema).flatMap(({ type }) => type ?? []))
  return {
    type: [...types].join(' | '),
    about: schema.description ?? null,
    fallback: schema.default === undefined || isHolder(schema.default) ? null : JSON.stringify(schema.default),
  }
}

const isHolder = (value: unknown): boolean => typeof value === 'object' && value !== null

/** The text to replace: the string or name around the caret with its quotes, else the letters before it. */
function wordAt(text: string, offset: number, node: Node | undefined): { from: number; to: number } {
  if (node && offset > node.offset && offset <= node.offset + node.length) {
    const end = node.offset + node.length
    // A text that is not closed yet would reach to the end of its line.
    const closed = text[node.offset] !== '"' || (node.length > 1 && text[end - 1] === '"')
    return { from: node.offset, to: closed ? end : offset }
  }
  const [word = ''] = /"?[\w$.-]*$/.exec(text.slice(0, offset)) ?? []
  return { from: offset - word.length, to: offset }
}

const inComment = (text: string, offset: number): boolean => {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[^"]*(?:"(?:[^"\\]|\\.)*"[^"]*)*\/\//.test(line)
}
