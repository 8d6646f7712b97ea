/** Recorded turns as the dashboard's table shows them. */
import { pricedSpendOf } from '../../../shared/cost/cost.ts'
import type { Sentences } from '../../../shared/sentences/index.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import { rows, type Column } from './columns.ts'
import type { Words } from './print.ts'

export interface TurnNames {
  sessionName(id: string): string
}

/** `req_` and eight digits of a random number: enough among those that are listed */
const shortId = 12

interface Field {
  head: string
  of(record: TurnRecord): string
  layout?: Omit<Column<unknown>, 'text' | 'paint'>
}

export const failed = ({ finish, error }: TurnRecord): boolean =>
  error !== null || finish === 'error' || finish === 'broken-off'

/** One heading, one line a turn; a column in which nothing stands is left out. */
export function turnRows(
  records: readonly TurnRecord[],
  { style, columns }: Words,
  sentences: Sentences,
  { sessionName }: TurnNames,
  now: number,
): string {
  const { figures } = sentences
  const right = { align: 'right' as const }
  const fields: readonly Field[] = [
    { head: 'time', of: (r) => momentOf(r.at, now, figures.time) },
    // a person copies the beginning of it; a program gets it whole
    { head: 'id', of: (r) => (columns === Infinity ? r.requestId : r.requestId.slice(0, shortId)) },
    {
      head: 'session',
      of: (r) => (r.sessionId === null ? '' : sessionName(r.sessionId)),
      layout: { gives: 8, most: 24 },
    },
    { head: 'route', of: (r) => r.route?.category ?? '', layout: { gives: 5 } },
    {
      head: 'model',
      of: (r) => (r.route ? `${r.route.provider}/${r.route.model}` : (r.model ?? '')),
      layout: { gives: 10, most: 40 },
    },
    { head: 'in', of: (r) => (r.usage ? figures.tokens(r.usage.input) : ''), layout: right },
    { head: 'cached', of: (r) => (r.usage ? figures.tokens(r.usage.cachedInput) : ''), layout: right },
    { head: 'cold', of: (r) => (r.cold ? figures.tokens(r.cold.tokens) : ''), layout: right },
    { head: 'out', of: (r) => (r.usage ? figures.tokens(r.usage.output) : ''), layout: right },
    { head: 'cost', of: (r) => figures.cost(pricedSpendOf(r)) ?? '', layout: right },
    { head: 'first byte', of: (r) => (r.ttfbMs === null ? '' : figures.took(r.ttfbMs)), layout: right },
    { head: 'took', of: (r) => figures.took(r.durationMs), layout: right },
    {
      head: 'end',
      of: (r) => `${sentences.finish(r.finish)}${r.status >= 400 ? ` ${r.status}` : ''}`,
      layout: { gives: 6 },
    },
  ]
  const used = fields
    .map((field) => ({ ...field, cells: records.map(field.of) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const heading = -1
  return rows(
    [heading, ...records.keys()],
    used.map(({ head, cells, layout = {} }) => ({
      ...layout,
      text: (line) => (line === heading ? head : (cells[line] ?? '')),
      paint: (text, line) =>
        line === heading
          ? style.quiet(text)
          : head === 'session'
            ? style.strong(text)
            : head === 'end' && isFailed(records[line])
              ? style.shape('failed', text)
              : head === 'id'
                ? style.quiet(text)
                : text,
    })),
    columns,
  )
}

const isFailed = (record: TurnRecord | undefined): boolean => record !== undefined && failed(record)

/** The time of day, with its date where that is not today. */
export function momentOf(at: number, now: number, time: (at: number) => string): string {
  const then = new Date(at)
  if (then.toDateString() === new Date(now).toDateString()) return time(at)
  return `${String(then.getMonth() + 1).padStart(2, '0')}-${String(then.getDate()).padStart(2, '0')} ${time(at)}`
}
