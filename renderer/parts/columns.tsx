import type { ReactNode } from 'react'
import { csvLines } from '../../shared/cost/cost-csv.ts'

/** What the page shows of a column. `Say` is whatever a cell needs beside its row: words, figures, the page's width. */
interface Shown<Row, Say> {
  /** null: it has no name, as a column of buttons */
  head(say: Say): ReactNode
  /** of a grid's track or a table's column; null: there is no room for it here */
  width?(say: Say): string | null
  right?: boolean
  cell(row: Row, say: Say): ReactNode
  title?(row: Row, say: Say): string | null | undefined
  /** class of its cells */
  tone?: string | ((row: Row) => string | undefined)
}

/**
 * A column of a table, said once: head, width, cell, and what a file of the table's lines has of it. One without a head
 * is in the file alone, one without `csv` on the page alone.
 */
export type Column<Row, Say, Line = Row> = (Shown<Row, Say> | { head?: undefined }) & {
  csv?: readonly [title: string, of: (line: Line) => string | number | null]
}

export type ShownColumns<Row, Say> = readonly Shown<Row, Say>[]

/** The columns that the page has room for. */
export const shownOf = <Row, Say, Line>(columns: readonly Column<Row, Say, Line>[], say: Say): ShownColumns<Row, Say> =>
  columns.flatMap((column) => (column.head && column.width?.(say) !== null ? [column] : []))

/** `grid-template-columns` of a row. */
export const tracksOf = <Row, Say>(columns: ShownColumns<Row, Say>, say: Say): string =>
  columns.map(({ width }) => width?.(say) ?? 'auto').join(' ')

export function columnsCsv<Row, Say, Line>(columns: readonly Column<Row, Say, Line>[], lines: readonly Line[]): string {
  const written = columns.flatMap(({ csv }) => (csv ? [csv] : []))
  return csvLines([written.map(([title]) => title), ...lines.map((line) => written.map(([, of]) => of(line)))])
}

interface Drawn<Row, Say> {
  columns: ShownColumns<Row, Say>
  say: Say
  /** rows are boxes of ARIA's grid, whose widths are tracks; else those of a table */ grid?: boolean
}

export function Heads<Row, Say>({ columns, say, grid }: Drawn<Row, Say>) {
  return columns.map(({ head, width, right }, i) => {
    const text = head(say)
    const className = right ? 'r' : undefined
    if (text === null) return <td key={i} />
    return grid ? (
      <span key={i} role="columnheader" className={className}>
        {text}
      </span>
    ) : (
      <th key={i} scope="col" className={className} style={{ width: width?.(say) ?? undefined }}>
        {text}
      </th>
    )
  })
}

/** In a table the first one is the head of its row. */
export function Cells<Row, Say>({ columns, row, say, grid }: Drawn<Row, Say> & { row: Row }) {
  return columns.map(({ cell, right, title, tone }, i) => {
    const Tag = grid ? 'span' : i === 0 ? 'th' : 'td'
    const place = grid ? { role: 'gridcell' } : i === 0 ? { scope: 'row' } : {}
    const className = [right && 'r', typeof tone === 'function' ? tone(row) : tone].filter(Boolean).join(' ')
    return (
      <Tag key={i} {...place} className={className || undefined} title={title?.(row, say) ?? undefined}>
        {cell(row, say)}
      </Tag>
    )
  })
}
