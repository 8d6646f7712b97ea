/** Reads files of other programs: parts that are not as expected count as not there. */
import { parse, type ParseError } from 'jsonc-parser'

export type Loose = Readonly<Record<string, unknown>>

/** JSON, with comments and trailing commas where a tool allows them. */
export function objectIn(text: string | null): Loose {
  if (text === null) return {}
  const errors: ParseError[] = []
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true })
  return errors.length > 0 ? {} : asObject(value)
}

export const asObject = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {}
export const asText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => asObject(inner)[name], value)

/** A `.env` file: `NAME=value`, quoted or not, with or without `export`. */
export function envIn(text: string | null): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const line of (text ?? '').split(/\r?\n/)) {
    const [, name = '', raw = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    const quoted = /^(["'])(.*)\1/.exec(raw)
    const value = quoted ? (quoted[2] ?? '') : raw.replace(/\s+#.*$/, '')
    if (name !== '' && value !== '') found[name] = value
  }
  return found
}

/** The texts and sections of a TOML file that are written as everybody writes them. */
export function tomlSections(text: string | null): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const sections = new Map<string, Record<string, string>>()
  let open: Record<string, string> = {}
  sections.set('', open)
  for (const line of (text ?? '').split(/\r?\n/)) {
    const head = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1]
    if (head !== undefined) {
      open = {}
      sections.set(head.replaceAll(/["'\s]/g, ''), open)
      continue
    }
    const [, name, , value] = /^\s*([\w-]+)\s*=\s*(["'])(.*?)\2\s*(?:#.*)?$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) open[name] = value
  }
  return sections
}

/** A value that names a variable, in the ways such files do: `$NAME`, `${NAME}`, `{env:NAME}`. */
export const variableIn = (text: string): string | null =>
  /^(?:\$(\w+)|\$\{(\w+)\}|\{env:(\w+)\})$/.exec(text)?.slice(1).find(Boolean) ?? null
