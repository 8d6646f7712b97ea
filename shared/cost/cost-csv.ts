import type { CostSums, CostView } from './cost.ts'

type Cell = string | number | null

const sums: readonly (readonly [title: string, of: (sums: CostSums) => Cell])[] = [
  ['requests', (of) => of.requests],
  ['input_tokens', (of) => of.input],
  ['cached_tokens', (of) => of.cachedInput],
  ['output_tokens', (of) => of.output],
  ['cost_usd', (of) => of.costUsd],
  ['price', (of) => of.from ?? null],
  ['unpriced_tokens', (of) => of.unpricedTokens ?? 0],
  ['worth_usd', (of) => of.worthUsd ?? 0],
  ['cold_tokens', (of) => of.cold?.tokens ?? 0],
  ['cold_usd', (of) => of.cold?.costUsd ?? null],
  ['warm_usd', (of) => of.warm?.costUsd ?? null],
]

/** Sums as lines of a file, with the columns of their subject first. */
export const costLines = <Row extends CostSums>(
  names: readonly string[],
  rows: readonly Row[],
  namesOf: (row: Row) => readonly Cell[],
): string =>
  csvLines([
    [...names, ...sums.map(([title]) => title)],
    ...rows.map((row) => [...namesOf(row), ...sums.map(([, of]) => of(row))]),
  ])

/** One line for each session and model of the range. */
export const costCsv = ({ cells, names }: CostView): string =>
  costLines(['session', 'name', 'provider', 'model'], cells, ({ session, provider, model }) => [
    session,
    session === null ? null : (names[session] ?? null),
    provider,
    model,
  ])

/** RFC 4180. A cell that a spreadsheet would run as a formula is disarmed: names and errors come from outside. */
export const csvLines = (lines: readonly (readonly (string | number | null)[])[]): string =>
  `${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
