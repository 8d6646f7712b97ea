import type { Dictionary, Words } from '../i18n/index.ts'
import { Shape } from '../icons/shape.tsx'
import { type Column, columnsCsv } from '../parts/columns.tsx'
import { Ticking } from '../time/ticking.tsx'
import { pricedSpendOf } from '../../shared/cost/cost.ts'
import type { TurnRecord } from '../../shared/state.ts'
import { MachineMark } from '../machines/machine-mark.tsx'
import type { NameOf, ShownTurn, TableRow } from './table-rows.ts'

interface Say extends Pick<Words, 'w' | 's' | 'f'> {
  wide: boolean
  /** there are turns of another day: a time alone says too little of them */
  older: boolean
  time(at: number): string
  nameOf: NameOf
  /** turns of several machines */
  several?: boolean
}
interface Line {
  turn: ShownTurn
  name: string | null
}
type TurnColumn = Column<TableRow, Say, Line>

type Head = keyof Dictionary['activity']['columns']
const head =
  (name: Head) =>
  ({ w }: Say): string =>
    w.activity.columns[name]
/** Two widths: beside others, and where one pane is all there is. */
const width =
  (wide: string, narrow: string | null) =>
  (say: Say): string | null =>
    say.wide ? wide : narrow
const nothing = ({ w }: Say): string => w.activity.noFigure
/** A figure that only turns have that ended. */
const figure = (
  name: Head,
  widths: [wide: string, narrow: string | null],
  csv: TurnColumn['csv'],
  read: (turn: TurnRecord, say: Say) => string | null,
  more: { tone?: string; title?: (row: TableRow, say: Say) => string | null } = {},
): TurnColumn => ({
  csv,
  head: head(name),
  width: width(...widths),
  right: true,
  cell: (row, say) => (row.kind === 'turn' ? read(row.turn, say) : null) ?? nothing(say),
  ...more,
})

const atOf = (row: TableRow) =>
  row.kind === 'running' ? row.since : row.kind === 'turn' ? row.turn.at : row.attempt.at
const nameOf = (row: TableRow, say: Say) => (row.kind === 'running' ? row.session.name : say.nameOf(row.turn))
const modelOf = (row: TableRow) => {
  if (row.kind === 'running') return row.session.model
  const to = row.kind === 'turn' ? row.turn.route : row.attempt
  return to ? `${to.provider}/${to.model}` : row.turn.model
}
const failed = (row: TableRow) =>
  row.kind === 'turn'
    ? row.turn.error !== null || row.turn.finish === 'error' || row.turn.finish === 'broken-off'
    : row.kind === 'attempt'

/** A turn that ended in words; of an upstream that gave no answer its error, and the step after it. */
function endOf(row: TableRow, { w, s, f }: Say): string {
  if (row.kind === 'running') return w.activity.running
  const { turn } = row
  if (row.kind === 'turn') {
    const end = turn.kind === 'turn' ? s.finish(turn.finish) : s.turn(null, turn.kind)
    return failed(row) && turn.status >= 400 ? f.list([end, String(turn.status)]) : end
  }
  const why = row.attempt.status === null ? s.callFailure(row.attempt.code) : String(row.attempt.status)
  return row.next === 'nothing' ? why : w.activity.next[row.next](why)
}

const machineColumn: TurnColumn = {
  csv: ['machine', ({ turn }) => turn.machine ?? null],
  head: ({ w }) => w.machines.sort,
  width: ({ several, wide }) => (several ? (wide ? '96px' : '80px') : null),
  title: (row) => (row.kind === 'running' ? row.session : row.turn).machine,
  cell: (row) => <MachineMark machine={(row.kind === 'running' ? row.session : row.turn).machine ?? null} />,
}

/** The table of turns and the file of them. */
export const turnColumns: readonly TurnColumn[] = [
  {
    csv: ['time', ({ turn }) => new Date(turn.at).toISOString()],
    head: head('time'),
    width: ({ wide, older }) => (older ? '124px' : wide ? '84px' : '76px'),
    tone: 't3',
    title: (row, { f }) => f.instant(atOf(row)),
    cell: (row, { f, time }) => (row.kind === 'running' ? f.time(row.since) : time(atOf(row))),
  },
  { csv: ['session', ({ turn }) => turn.sessionId] },
  {
    csv: ['name', ({ name }) => name],
    head: head('session'),
    width: width('minmax(104px, 1fr)', 'minmax(88px, 1fr)'),
    tone: 'name',
    title: nameOf,
    cell: (row, say) => nameOf(row, say) ?? say.w.activity.none,
  },
  machineColumn,
  { csv: ['turn', ({ turn }) => turn.turn ?? null] },
  { csv: ['by', ({ turn }) => turn.by ?? null] },
  { csv: ['client', ({ turn }) => turn.client] },
  { csv: ['kind', ({ turn }) => turn.kind] },
  { csv: ['entry', ({ turn }) => turn.entry] },
  { csv: ['model', ({ turn }) => turn.model] },
  {
    csv: ['route', ({ turn }) => turn.route?.category ?? null],
    head: head('route'),
    width: width('92px', '80px'),
    cell: (row, say) => (row.kind === 'running' ? null : row.turn.route?.category) ?? nothing(say),
  },
  { csv: ['provider', ({ turn }) => turn.route?.provider ?? null] },
  {
    csv: ['routed_model', ({ turn }) => turn.route?.model ?? null],
    head: head('model'),
    width: width('minmax(156px, 1.4fr)', 'minmax(112px, 1.3fr)'),
    title: modelOf,
    cell: (row, say) => modelOf(row) ?? nothing(say),
  },
  { csv: ['key', ({ turn }) => turn.route?.keyAlias ?? null] },
  { csv: ['failed_attempts', ({ turn }) => turn.tried?.length ?? 0] },
  { csv: ['status', ({ turn }) => turn.status] },
  { csv: ['finish', ({ turn }) => turn.finish] },
  figure(
    'in',
    ['60px', '52px'],
    ['input_tokens', ({ turn }) => turn.usage?.input ?? null],
    ({ usage }, { f }) => usage && f.tokens(usage.input),
  ),
  figure(
    'cached',
    ['62px', null],
    ['cached_tokens', ({ turn }) => turn.usage?.cachedInput ?? null],
    ({ usage }, { f }) => usage && f.tokens(usage.cachedInput),
    { tone: 't3' },
  ),
  figure(
    'out',
    ['54px', '48px'],
    ['output_tokens', ({ turn }) => turn.usage?.output ?? null],
    ({ usage }, { f }) => usage && f.tokens(usage.output),
  ),
  { csv: ['reasoning_tokens', ({ turn }) => turn.usage?.reasoning ?? null] },
  figure(
    'cost',
    ['84px', '78px'],
    ['cost_usd', ({ turn }) => turn.costUsd],
    (turn, { f }) => f.cost(pricedSpendOf(turn)),
    { tone: 't3', title: (row, { s }) => (row.kind === 'turn' ? s.paid(row.turn) : null) },
  ),
  figure('firstByte', ['76px', '72px'], ['first_byte_ms', ({ turn }) => turn.ttfbMs], ({ ttfbMs }, { f }) =>
    ttfbMs === null ? null : f.took(ttfbMs),
  ),
  {
    csv: ['duration_ms', ({ turn }) => turn.durationMs],
    head: head('took'),
    width: width('62px', '56px'),
    right: true,
    cell: (row, { f }) =>
      row.kind === 'running' ? (
        <Ticking text={(now) => f.took(Math.max(0, now - row.since))} />
      ) : (
        f.took((row.kind === 'turn' ? row.turn : row.attempt).durationMs)
      ),
  },
  { csv: ['bytes_in', ({ turn }) => turn.bytesIn] },
  { csv: ['bytes_out', ({ turn }) => turn.bytesOut] },
  {
    csv: [
      'onward_tools',
      ({ turn }) =>
        turn.servertools?.map(({ tool, failure }) => (failure === null ? tool : `${tool}:failed`)).join(' ') ?? null,
    ],
  },
  { csv: ['dropped', ({ turn }) => turn.dropped?.join(' ') ?? null] },
  { csv: ['bodies_kept', ({ turn }) => (turn.captured === undefined ? null : String(turn.captured))] },
  { csv: ['request', ({ turn }) => turn.requestId] },
  {
    csv: ['error', ({ turn }) => turn.error?.message ?? null],
    head: head('end'),
    width: width('minmax(140px, 1fr)', 'minmax(106px, 1fr)'),
    tone: (row) => (failed(row) ? 'failed' : undefined),
    title: (row, say) => {
      if (row.kind === 'running') return null
      if (row.kind === 'turn') return row.turn.error?.message
      return say.f.list([endOf(row, say), say.w.activity.attempt(row.attempt.code, row.attempt.keyAlias)])
    },
    cell: (row, say) => (
      <>
        {row.kind === 'running' ? (
          <Shape shape="working" />
        ) : failed(row) ? (
          <Shape shape="failed" />
        ) : (
          <span className="nost" />
        )}
        {endOf(row, say)}
      </>
    ),
  },
  { csv: ['price', ({ turn }) => turn.price?.from ?? null] },
]

/** @param several they are of several machines */
export const csvOf = (turns: readonly ShownTurn[], name: NameOf, several = false): string =>
  columnsCsv(
    several ? turnColumns : turnColumns.filter((column) => column !== machineColumn),
    turns.map((turn) => ({ turn, name: name(turn) })),
  )
