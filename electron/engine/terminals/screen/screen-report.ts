import type { Cell, Color, ScreenView } from './view.ts'

/** Facts about a screen besides its content. */
export interface ReportFacts {
  from: 'tmux' | 'pty'
  client: string
  /** of the client, as its banner names it; null where none is on the screen */
  version: string | null
  /** Onward's judgement of the screen, e.g. `unknown: menu` */
  read: string
  /** a mode of the client that its screen names; one of a closed list, so no word of a person */
  mode: string | null
}

/**
 * A screen that can be shown to a stranger: every letter is an `x`, every digit a `9`; signs, rules, colours, the
 * cursor and the layout stay. The form is that of the recorded screens in ../agents/fixtures: a line of facts, then
 * lines with colour sequences, ␛ in the place of ESC.
 */
export function screenReport(view: ScreenView, { from, client, version, read, mode }: ReportFacts): string {
  const { cursor, cursorVisible, bracketedPaste, programStatus } = view
  const head = {
    from,
    client,
    version: version ?? 'unknown',
    cols: view.rows[0]?.length ?? 0,
    rows: view.rows.length,
    cursor,
    cursorVisible,
    title: wordless(view.title),
    bracketedPaste,
    ...(programStatus && { status: { ...programStatus, kind: null, app: null } }),
    read,
    mode,
  }
  const rows = view.rows.map(rowReport)
  while (rows.at(-1) === '') rows.pop()
  return `${[JSON.stringify(head), ...rows].join('\n')}\n`
}

function rowReport(row: readonly Cell[]): string {
  const end = row.findLastIndex((cell) => !/^ ?$/.test(cell.char) || cell.background !== null || cell.inverse)
  let style = ''
  let out = ''
  for (let x = 0; x <= end; x++) {
    const cell = row[x]
    // the second column of a wide character
    if (!cell || cell.char === '') continue
    const next = styleOf(cell)
    if (next !== style) out += `␛[0${next}m`
    style = next
    out += glyph(cell.char, row[x + 1]?.char === '')
  }
  return style === '' ? out : `${out}␛[0m`
}

/**
 * Returns one character without its meaning: of several code points in one cell only the first can be a sign of its
 * own.
 */
function glyph(char: string, wide: boolean): string {
  const [first = ' '] = char
  if (/\p{L}|\p{M}/u.test(first)) return wide ? '口' : /\p{Lu}/u.test(first) ? 'X' : 'x'
  if (/\p{N}/u.test(first)) return wide ? '９' : '9'
  // private and invisible code points could carry anything
  if (/\p{C}/u.test(first)) return wide ? '口' : '?'
  return first
}

const wordless = (text: string): string => Array.from(text, (char) => glyph(char, /\p{Lo}/u.test(char))).join('')

const styleOf = ({ dim, bold, inverse, color, background }: Cell): string =>
  [bold ? ';1' : '', dim ? ';2' : '', inverse ? ';7' : '', colorCode(38, color), colorCode(48, background)].join('')

function colorCode(kind: 38 | 48, color: Color | null): string {
  if (color === null) return ''
  if ('palette' in color) return `;${kind};5;${color.palette}`
  return `;${kind};2;${(color.rgb >> 16) & 255};${(color.rgb >> 8) & 255};${color.rgb & 255}`
}
