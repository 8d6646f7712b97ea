/** Changes a config text where it has to change, and nowhere else: comments, order and layout are a person's own. */
import { isDeepStrictEqual } from 'node:util'
import { createScanner, parseTree, type Node } from 'jsonc-parser'
import { OnwardError } from '../base/errors.ts'

export type ConfigPath = readonly (string | number)[]
export type ConfigEdit =
  /** undefined removes */
  | { path: ConfigPath; value: unknown }
  /** the member keeps its place and all that stands in it */
  | { path: ConfigPath; rename: string }

/**
 * @param text valid JSON with comments. @throws OnwardError `bad-edit` for a path that leads through something
 *   without members
 */
export function editText(text: string, edits: readonly ConfigEdit[]): string {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const plain = text.slice(bom.length)
  const layout = layoutOf(plain)
  return (
    bom +
    edits.reduce(
      (now, edit) =>
        'rename' in edit
          ? rename(now, edit.path, edit.rename)
          : edit.value === undefined
            ? remove(now, edit.path)
            : put(now, edit.path, literal(edit.value), layout),
      plain,
    )
  )
}

/** `${` stands for the environment in a config text (read-text.ts); a value that is set means what it says. */
function literal(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${')
  if (Array.isArray(value)) return value.map(literal)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, literal(member)]),
  )
}

function rename(text: string, path: ConfigPath, name: string): string {
  const { node, rest } = find(text, path)
  const key = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined
  if (rest.length > 0 || !key)
    throw new OnwardError('bad-edit', `There is nothing in the config that is called ${path.join('.')}.`)
  return text.slice(0, key.offset) + JSON.stringify(name) + text.slice(key.offset + key.length)
}

function put(text: string, path: ConfigPath, value: unknown, layout: Layout): string {
  const { node, rest } = find(text, path)
  const [name, ...below] = rest
  if (name === undefined) return change(text, path, node, value, layout)
  const made = below.reduceRight<unknown>(
    (inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }),
    value,
  )
  if (node.type === 'array' && typeof name === 'number') return insert(text, node, name, made, null, layout)
  if (node.type === 'object' && typeof name === 'string') return insert(text, node, Infinity, made, name, layout)
  throw new OnwardError('bad-edit', `There is nothing in the config that could hold ${path.join('.')}.`)
}

/** As little as possible: members and entries that stay as they were keep their text, and the comments around it. */
function change(text: string, path: ConfigPath, node: Node, value: unknown, layout: Layout): string {
  if (isDeepStrictEqual(valueOf(node), value)) return text
  if (node.type === 'object' && isObject(value)) {
    const gone = members(node)
      .map(nameOf)
      .filter((name) => !Object.hasOwn(value, name))
    const without = gone.reduce((now, name) => remove(now, [...path, name]), text)
    return Object.entries(value).reduce((now, [name, member]) => put(now, [...path, name], member, layout), without)
  }
  if (node.type === 'array' && Array.isArray(value)) return changeList(text, path, node, value, layout)
  const { offset, length } = node
  return text.slice(0, offset) + writeValue(value, layout, indentAt(text, offset)) + text.slice(offset + length)
}

function changeList(text: string, path: ConfigPath, node: Node, value: readonly unknown[], layout: Layout): string {
  const before = members(node).map(valueOf)
  let first = 0
  while (first < before.length && first < value.length && isDeepStrictEqual(before[first], value[first])) first++
  let tail = 0
  while (
    tail < before.length - first &&
    tail < value.length - first &&
    isDeepStrictEqual(before.at(-1 - tail), value.at(-1 - tail))
  )
    tail++
  const [old, next] = [before.length - first - tail, value.length - first - tail]
  let now = text
  for (let i = old - 1; i >= next; i--) now = remove(now, [...path, first + i])
  for (let i = 0; i < next; i++) {
    const at = [...path, first + i]
    if (i < old) now = change(now, at, find(now, at).node, value[first + i], layout)
    else now = insert(now, find(now, path).node, first + i, value[first + i], null, layout)
  }
  return now
}

function insert(
  text: string,
  parent: Node,
  index: number,
  value: unknown,
  name: string | null,
  layout: Layout,
): string {
  const items = members(parent)
  const open = parent.offset + 1
  const close = parent.offset + parent.length - 1
  const [first] = items
  // Empty lists stay in their line, where most of them are short; objects open up, unless the whole file is one line.
  const inLines = first ? text.slice(open, first.offset).includes('\n') : parent.type === 'object' && layout.inLines
  const around = indentAt(text, parent.offset)
  const indent = inLines && first ? indentAt(text, first.offset) : around + layout.unit
  const item = (name === null ? '' : `${JSON.stringify(name)}: `) + writeValue(value, layout, inLines ? indent : null)
  const line = `${layout.eol}${indent}`
  if (!first) {
    const inside = text.slice(open, close)
    const room = inLines ? (/\n/.test(inside) ? '' : `${layout.eol}${around}`) : parent.type === 'object' ? ' ' : ''
    const put = inLines ? `${line}${item}` : `${parent.type === 'object' ? ' ' : ''}${item}`
    return text.slice(0, open) + put + (inside.trim() === '' ? room || inside : inside) + text.slice(close)
  }
  const next = items[index]
  if (next) return text.slice(0, next.offset) + item + (inLines ? `,${line}` : ', ') + text.slice(next.offset)
  const last = items[items.length - 1] ?? first
  const end = last.offset + last.length
  const tail = tokensOf(text, end, close)
  const comma = tail.find((token) => token.text === ',')
  const behind = comma ? comma.end : end
  if (!inLines) return text.slice(0, end) + `, ${item}` + text.slice(end)
  // A comment after the last one, in its line, is about that one.
  const said = tail.filter((token) => isComment(token.text) && !text.slice(behind, token.start).includes('\n')).at(-1)
  const at = Math.max(behind, said?.end ?? 0)
  return (
    text.slice(0, end) + (comma ? '' : ',') + text.slice(end, at) + line + item + (comma ? ',' : '') + text.slice(at)
  )
}

function remove(text: string, path: ConfigPath): string {
  const { node, rest } = find(text, path)
  if (rest.length > 0 || !node.parent) return text
  const item = node.parent.type === 'property' ? node.parent : node
  const parent = node.parent.type === 'property' ? node.parent.parent : node.parent
  if (!parent) return text
  const siblings = members(parent)
  const at = siblings.indexOf(item)
  const close = parent.offset + parent.length - 1
  const end = item.offset + item.length
  const tail = tokensOf(text, end, siblings[at + 1]?.offset ?? close)
  const comma = tail.find((token) => token.text === ',')
  const before = siblings[at - 1]
  // The last one takes the comma before it along, where there is none after it.
  const lead =
    !comma && before
      ? tokensOf(text, before.offset + before.length, item.offset).find((token) => token.text === ',')
      : undefined
  let [from, to] = [item.offset, comma?.end ?? end]
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  const lineEnd = endOfLine(text, to)
  const restOfLine = text.slice(to, Math.min(lineEnd, close))
  if (
    lineStart > parent.offset &&
    text.slice(lineStart, from).trim() === '' &&
    lineEnd <= close &&
    onlyComment(restOfLine)
  )
    [from, to] = [lineStart, text.startsWith('\n', lineEnd) ? lineEnd + 1 : lineEnd]
  else if (comma) to += /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0
  else if (lead) from -= /[ \t]*$/.exec(text.slice(lead.end, from))?.[0].length ?? 0
  const left = lead ? text.slice(0, lead.start) + text.slice(lead.end, from) : text.slice(0, from)
  const right = text.slice(to)
  const inside = left.slice(parent.offset + 1) + right.slice(0, close - to)
  return siblings.length === 1 && inside.trim() === ''
    ? left.slice(0, parent.offset + 1) + right.slice(close - to)
    : left + right
}

const onlyComment = (text: string): boolean => /^\s*(\/\/.*|(\/\*[^\n]*?\*\/\s*)*)$/.test(text)
const isComment = (token: string): boolean => token.startsWith('//') || token.startsWith('/*')
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The node at a path, or the deepest one on the way to it and the steps that are left. */
function find(text: string, path: ConfigPath): { node: Node; rest: ConfigPath } {
  const root = parseTree(text, [], { allowTrailingComma: true })
  if (!root) throw new OnwardError('bad-edit', 'There is nothing in the config that could be changed.')
  let node = root
  for (const [depth, step] of path.entries()) {
    const item = members(node).find((child, i) => (child.type === 'property' ? nameOf(child) : i) === step)
    const value = item?.type === 'property' ? item.children?.[1] : item
    if (!value) return { node, rest: path.slice(depth) }
    node = value
  }
  return { node, rest: [] }
}

const members = (node: Node): readonly Node[] =>
  node.type === 'object' || node.type === 'array' ? (node.children ?? []) : []
const nameOf = (property: Node): string => String(property.children?.[0]?.value)

function valueOf(node: Node): unknown {
  if (node.type === 'array') return members(node).map(valueOf)
  if (node.type !== 'object') return node.value
  return Object.fromEntries(
    members(node).map((property) => [nameOf(property), property.children?.[1] && valueOf(property.children[1])]),
  )
}

function tokensOf(text: string, from: number, to: number): { text: string; start: number; end: number }[] {
  const scanner = createScanner(text.slice(0, to), false)
  scanner.setPosition(from)
  const found = []
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const start = scanner.getTokenOffset()
    const end = start + scanner.getTokenLength()
    found.push({ text: text.slice(start, end), start, end })
  }
  return found
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

const endOfLine = (text: string, from: number): number => {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at
}

/** How a config text is laid out, and new values written the same way. */
interface Layout {
  /** of one level */
  unit: string
  eol: string
  /** the text has more than one line */
  inLines: boolean
}

function layoutOf(text: string): Layout {
  const indents = Array.from(text.matchAll(/^([ \t]+)"/gm), ([, indent = '']) => indent)
  const unit = indents.reduce((least, indent) => (least === '' || indent.length < least.length ? indent : least), '')
  return {
    unit: unit.startsWith('\t') ? '\t' : unit || '  ',
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    inLines: /\n\s*\S/.test(text),
  }
}

/** A longer value is written over several lines. */
const MOST_IN_LINE = 72

/** @param indent of the line the value begins in; null: it stays in that line */
function writeValue(value: unknown, layout: Layout, indent: string | null): string {
  const line = inLine(value)
  if (indent === null || line.length <= MOST_IN_LINE || !layout.inLines || typeof value !== 'object' || value === null)
    return line
  const inner = indent + layout.unit
  const parts = Array.isArray(value)
    ? value.map((entry) => writeValue(entry, layout, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${writeValue(member, layout, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}${parts.map((part) => `${layout.eol}${inner}${part}`).join(',')}${layout.eol}${indent}${close}`
}

function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${inLine(member)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}
