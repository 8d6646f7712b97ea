import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { faultOf, type ConfigFault } from '../../../shared/config/config-faults.ts'
import { problemOf } from './problem-of.ts'
import type { ConfigProblem } from './types.ts'

/** A config with more than this is a mistake, and would block the event loop. */
const MOST_CHARACTERS = 4 * 1024 * 1024

export type Path = readonly PropertyKey[]

/** A config text as plain data that still knows where each part stands. */
export interface ReadText {
  value: unknown
  /** of the part at the path, or of the nearest one around it */
  problemAt(path: Path, fault: ConfigFault, key?: string): ConfigProblem
  /** counts from 1 */
  lineOf(path: Path): number
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads JSON with comments and trailing commas; `${NAME}` in a string stands for an environment variable, `$${` for
 * `${`. `env` null: texts stand as they are.
 */
export function readText(text: string, env: Env | null): { read: ReadText | null; problems: ConfigProblem[] } {
  const source = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
  const lines = lineStarts(source)
  const problems: ConfigProblem[] = []
  const at = (offset: number, path: Path, fault: ConfigFault): ConfigProblem =>
    problemOf({ ...position(lines, offset), path: path.map(String).join('.') }, fault)

  if (source.length > MOST_CHARACTERS)
    return { read: null, problems: [at(0, [], faultOf('too-large', { mebibytes: 4 }))] }
  const deep = tooDeepAt(source)
  if (deep !== null) return { read: null, problems: [at(deep, [], faultOf('too-deep', {}))] }
  const errors: ParseError[] = []
  const root = parseTree(source, errors, { allowTrailingComma: true })
  if (source.trim() === '') return { read: null, problems: [at(0, [], faultOf('empty', {}))] }
  for (const error of errors.slice(0, 10))
    problems.push(at(error.offset, [], faultOf('syntax', { kind: printParseErrorCode(error.error) })))
  if (problems.length > 0 || !root) return { read: null, problems }

  const value = plain(root, [], (node, path, fault) => problems.push(at(node.offset, path, fault)), env)
  const tree = root
  return {
    read: {
      value,
      problemAt: (path, fault, key) => at(offsetOf(tree, path, key), path, fault),
      lineOf: (path) => position(lines, offsetOf(tree, path)).line,
    },
    problems,
  }
}

function plain(
  node: Node,
  path: Path,
  complain: (node: Node, path: Path, fault: ConfigFault) => void,
  env: Env | null,
): unknown {
  switch (node.type) {
    case 'object': {
      const entries = new Map<string, unknown>()
      for (const property of node.children ?? []) {
        const [key, value] = property.children ?? []
        if (!key || !value) continue
        const name = String(key.value)
        const below = [...path, name]
        if (name === '__proto__') {
          complain(key, below, faultOf('bad-name', {}))
          continue
        }
        if (entries.has(name)) complain(key, below, faultOf('twice', { name }))
        entries.set(name, plain(value, below, complain, env))
      }
      return Object.fromEntries(entries)
    }
    case 'array':
      return (node.children ?? []).map((child, i) => plain(child, [...path, i], complain, env))
    case 'string':
      return env === null ? String(node.value) : expand(String(node.value), env, (fault) => complain(node, path, fault))
    default:
      return node.value
  }
}

function expand(text: string, env: Env, complain: (fault: ConfigFault) => void): string {
  return text.replace(/\$(\$\{)|\$\{([^}]*)\}/g, (_all, escaped: string | undefined, name: string | undefined) => {
    if (escaped !== undefined || name === undefined) return '${'
    const value = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? env[name] : undefined
    if (value !== undefined) return value
    // Any other text in the braces may be a secret: it is not repeated.
    complain(/^[A-Za-z_]\w*$/.test(name) ? faultOf('env-unset', { name }) : faultOf('env-unnamed', {}))
    return ''
  })
}

/** Where the part at `path` begins; with `key`, where that member's name stands. */
function offsetOf(root: Node, path: Path, key?: string): number {
  let node = root
  let offset = root.offset
  for (const step of key === undefined ? path : [...path, key]) {
    const property: Node | undefined = node.children?.find((child, i) =>
      node.type === 'array' ? i === step : child.children?.[0]?.value === step,
    )
    const value = node.type === 'array' ? property : property?.children?.[1]
    if (!property || !value) break
    offset = value === property ? value.offset : key !== undefined && step === key ? property.offset : value.offset
    node = value
  }
  return offset
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1)
  return starts
}

function position(starts: readonly number[], offset: number): { line: number; column: number } {
  const line = starts.findLastIndex((start) => start <= offset)
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 }
}

/** Far more levels than any setting has. */
const MOST_LEVELS = 100

/** `SyntaxKind` of jsonc-parser, an enum that can't be imported as a value here. */
const openBrace = 1,
  closeBrace = 2,
  openBracket = 3,
  closeBracket = 4,
  endOfText = 17

/**
 * Where a text opens more levels than that; null: nowhere. Readers of JSON call themselves for every level, and how
 * many of those the stack bears differs from run to run: this does not, so that the same text always has the same
 * mistake.
 */
function tooDeepAt(text: string): number | null {
  const scanner = createScanner(text, true)
  let levels = 0
  for (let token: number = scanner.scan(); token !== endOfText; token = scanner.scan()) {
    if (token === openBrace || token === openBracket) levels++
    if (token === closeBrace || token === closeBracket) levels--
    if (levels > MOST_LEVELS) return scanner.getTokenOffset()
  }
  return null
}
