import type { Cell, ScreenView } from './view.ts'
import type { Terminal } from './xterm.ts'

type BufferCell = NonNullable<ReturnType<NonNullable<ReturnType<Terminal['buffer']['active']['getLine']>>['getCell']>>

/** Cells and cursor of the visible part of a headless terminal. */
export function viewOf(terminal: Terminal): Pick<ScreenView, 'rows' | 'cursor'> {
  const buffer = terminal.buffer.active
  const rows: Cell[][] = []
  let scratch: BufferCell | undefined
  for (let y = 0; y < terminal.rows; y++) {
    const line = buffer.getLine(buffer.baseY + y)
    const row: Cell[] = []
    for (let x = 0; x < terminal.cols; x++) {
      scratch = line?.getCell(x, scratch)
      row.push(scratch ? cellOf(scratch) : blank)
    }
    rows.push(row)
  }
  return { rows, cursor: { x: buffer.cursorX, y: buffer.cursorY } }
}

const blank: Cell = { char: ' ', dim: false, bold: false, inverse: false, color: null, background: null }

function cellOf(cell: BufferCell): Cell {
  const char = cell.getWidth() === 0 ? '' : cell.getChars() || ' '
  return {
    char,
    dim: cell.isDim() !== 0,
    bold: cell.isBold() !== 0,
    inverse: cell.isInverse() !== 0,
    color: cell.isFgRGB() ? { rgb: cell.getFgColor() } : cell.isFgPalette() ? { palette: cell.getFgColor() } : null,
    background: cell.isBgRGB()
      ? { rgb: cell.getBgColor() }
      : cell.isBgPalette()
        ? { palette: cell.getBgColor() }
        : null,
  }
}
