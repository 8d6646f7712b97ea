/** Aligned rows. One column may give way when the terminal is narrow; nothing is ever wrapped. */
import { oneLine } from './clean.ts'
import { cut, pad, widthOf } from './width.ts'

export interface Column<Row> {
  text(row: Row): string
  paint?(text: string, row: Row): string
  align?: 'right'
  /** one space to the next column instead of two, as after a shape */
  tight?: boolean
  /** gives up its width first, down to `least` columns */
  gives?: number
  /** longer values are cut */
  most?: number
}

const gapAfter = (column: { tight?: boolean } | undefined): number => (column?.tight ? 1 : 2)

/** @param columns width of the terminal; Infinity when the output is no terminal */
export function rows<Row>(items: readonly Row[], layout: readonly Column<Row>[], columns: number): string {
  const cells = items.map((row) => layout.map((column) => cut(oneLine(column.text(row)), column.most ?? Infinity)))
  const widths = layout.map((_, i) => Math.max(0, ...cells.map((line) => widthOf(line[i] ?? ''))))
  const kept = layout.map((_, i) => i).filter((i) => (widths[i] ?? 0) > 0)
  const last = kept.at(-1)
  let over = kept.reduce((sum, i) => sum + (widths[i] ?? 0) + (i === last ? 0 : gapAfter(layout[i])), 0) - columns
  for (const i of kept) {
    const least = layout[i]?.gives
    if (over <= 0 || least === undefined) continue
    const less = Math.min(over, Math.max(0, (widths[i] ?? 0) - least))
    widths[i] = (widths[i] ?? 0) - less
    over -= less
  }
  return items
    .map(
      (row, at) =>
        kept
          .map((i) => {
            const column = layout[i]
            const width = widths[i] ?? 0
            const text = cut(cells[at]?.[i] ?? '', width)
            const painted = column?.paint ? column.paint(text, row) : text
            const space = ' '.repeat(width - widthOf(text))
            return (column?.align === 'right' ? space + painted : painted + space) + ' '.repeat(gapAfter(column))
          })
          .join('')
          .trimEnd() + '\n',
    )
    .join('')
}

/** `label   value` lines under a heading. */
export function facts(
  items: readonly (readonly [label: string, value: string])[],
  paintLabel: (text: string) => string,
): string {
  const width = Math.max(0, ...items.map(([label]) => widthOf(label)))
  return items.map(([label, value]) => `  ${paintLabel(pad(label, width))}  ${oneLine(value)}\n`).join('')
}
