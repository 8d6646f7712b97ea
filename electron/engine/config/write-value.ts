/** How a config text is laid out, and new values written the same way. */
export interface Layout {
  /** of one level */
  unit: string
  eol: string
  /** the text has more than one line */
  inLines: boolean
}

export function layoutOf(text: string): Layout {
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
export function writeValue(value: unknown, layout: Layout, indent: string | null): string {
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
