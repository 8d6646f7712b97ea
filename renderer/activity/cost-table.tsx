import { useState, type ReactNode } from 'react'
import { useApp, useWords } from '../app-context.ts'
import type { Dictionary, Words } from '../i18n/index.ts'
import { Cells, type Column, Heads, shownOf } from '../parts/columns.tsx'
import { useWide } from '../sessions/use-wide.ts'
import { costOfAll, type CostSums } from '../../shared/cost/cost.ts'

/** as many rows as one reads; the rest is summed up until it is asked for */
const most = 12

export interface CostRow extends CostSums {
  name: string
  shown: ReactNode
}

interface Line {
  name?: string
  shown: ReactNode
  sums: CostSums
  /** percent of the whole */
  share: number | null
  whole?: boolean
}
interface Say extends Pick<Words, 'w' | 'f'> {
  head: string
  wide: boolean
}

const figure = (
  name: keyof Dictionary['cost']['columns'],
  tone: string,
  cell: (sums: CostSums, say: Say) => string,
  narrow = '72px',
): Column<Line, Say> => ({
  head: ({ w }) => w.cost.columns[name],
  width: ({ wide }) => (wide ? '96px' : narrow),
  right: true,
  tone,
  cell: ({ sums }, say) => cell(sums, say),
})

/** The file of costs has other lines: of sessions and models together (shared/cost/cost-csv.ts). */
const costColumns: readonly Column<Line, Say>[] = [
  {
    head: ({ head }) => head,
    tone: ({ name }) => (name === undefined ? undefined : 'cut'),
    title: ({ name }) => name,
    cell: ({ shown }) => shown,
  },
  figure('in', 'num', ({ input }, { f }) => f.tokens(input)),
  figure('cached', 'num t3', ({ cachedInput }, { f }) => f.tokens(cachedInput)),
  figure('out', 'num', ({ output }, { f }) => f.tokens(output)),
  // with its “≥”, where some has no price
  figure('cost', 'num strong', (sums, { w, f }) => f.cost(sums) ?? w.activity.noFigure, '96px'),
  {
    head: ({ w }) => w.cost.columns.share,
    width: ({ wide }) => (wide ? '72px' : null),
    right: true,
    tone: 'num t3',
    cell: ({ share }, { w }) => (share === null ? '' : w.cost.percent(share)),
  },
  {
    head: ({ w }) => <span className="sr">{w.cost.columns.about}</span>,
    width: ({ wide }) => (wide ? '264px' : '232px'),
    cell: ({ sums, share, whole }) =>
      whole ? null : share === null ? (
        <Why sums={sums} />
      ) : (
        <span className="share" aria-hidden="true">
          <i style={{ width: `${share}%` }} />
        </span>
      ),
  },
]

/** Costs by one criterion, the dearest first, with each share of the whole. */
export function CostTable({
  title,
  note,
  head,
  rows,
}: {
  title: string
  note: string
  head: string
  rows: readonly CostRow[]
}) {
  const { w, f } = useWords()
  const [whole, setWhole] = useState(false)
  const wide = useWide()
  const shown = whole || rows.length <= most + 1 ? rows : rows.slice(0, most)
  const rest = rows.slice(shown.length)
  const total = costOfAll(rows)
  const say = { w, f, head, wide }
  const columns = shownOf(costColumns, say)
  const more = (
    <button type="button" className="link" onClick={() => setWhole(true)}>
      {w.cost.more(rest.length)}
    </button>
  )
  const line = (sums: CostSums, shown: ReactNode, name?: string): Line => ({
    name,
    shown,
    sums,
    share: total.costUsd && sums.costUsd !== null ? (sums.costUsd / total.costUsd) * 100 : null,
  })
  const lines = shown.map((row) => line(row, row.shown, row.name))
  if (rest.length > 0) lines.push(line(costOfAll(rest), more))
  return (
    <section className="cost-part">
      <div className="cost-head">
        <h2>{title}</h2>
        <span className="meta cut">{note}</span>
      </div>
      <table className="cost-table" aria-label={title}>
        <thead>
          <tr>
            <Heads columns={columns} say={say} />
          </tr>
        </thead>
        <tbody>
          {lines.map((row) => (
            <tr key={row.name ?? ' '}>
              <Cells columns={columns} row={row} say={say} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <Cells columns={columns} row={{ shown: w.cost.all, sums: total, share: null, whole: true }} say={say} />
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

/** Why something has no cost. */
function Why({ sums }: { sums: CostSums }) {
  const { navigation } = useApp()
  const { w, s, f } = useWords()
  if (sums.unpricedTokens)
    return (
      <span className="cost-why">
        <span className="needs">{w.cost.noPrice}</span>
        <button type="button" className="link" onClick={() => navigation.go({ view: 'providers' })}>
          {w.cost.setPrice}
        </button>
      </span>
    )
  if (sums.worthUsd || sums.from === 'plan')
    return (
      <span className="t3" title={s.spent(sums) ?? undefined}>
        {w.cost.plan(sums.worthUsd ? f.money(sums.worthUsd) : null)}
      </span>
    )
  return sums.from === 'local' ? <span className="t3">{w.cost.local}</span> : null
}
