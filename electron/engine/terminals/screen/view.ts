import type { ProgramStatus } from './program-status.ts'

/** A colour as the program set it; null is the terminal's own. */
export type Color = { palette: number } | { rgb: number }

/** One column of a row. `char` is '' in the second column of a wide character and ' ' where nothing was drawn. */
export interface Cell {
  char: string
  dim: boolean
  bold: boolean
  inverse: boolean
  color: Color | null
  background: Color | null
}

/** A terminal's screen at one moment, the same for an own PTY and a tmux pane. */
export interface ScreenView {
  rows: readonly (readonly Cell[])[]
  cursor: { x: number; y: number }
  /** DEC mode 25 */
  cursorVisible: boolean
  title: string
  /** last OSC 7501 report; null when there was none, or none can be seen */
  programStatus: ProgramStatus | null
  /** goes up with every OSC 7501 report */
  statusSerial: number
  /** DEC mode 2004; null where it can't be known (tmux before 3.6) */
  bracketedPaste: boolean | null
}

/** The text of columns [from, to) of a row, without trailing white space. */
export function textOf(row: readonly Cell[] | undefined, from = 0, to = Infinity): string {
  if (!row) return ''
  return row
    .slice(from, to === Infinity ? row.length : to)
    .map((cell) => cell.char)
    .join('')
    .trimEnd()
}

/** True if columns [from, to) show nothing. A character without width belongs to the cell before it. */
export const isBlank = (row: readonly Cell[] | undefined, from = 0, to = Infinity): boolean =>
  /^[\s\p{Cf}\p{M}]*$/u.test(textOf(row, from, to))

/** All rows as text, for matching footers and dialogs. */
export const linesOf = (view: ScreenView): string[] => view.rows.map((row) => textOf(row))
