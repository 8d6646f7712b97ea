import { useState, type ReactNode } from 'react'
import { useApp, useWords } from '../app-context.ts'
import { costOfAll, type CostSums } from '../../shared/cost/cost.ts'

/** as many rows as one reads; the rest is summed up until it is asked for */
const most = 12

export interface CostRow extends CostSums {
  name: string
  shown: ReactNode
}

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
  const c = w.cost.columns
  const shown = whole || rows.length <= most + 1 ? rows : rows.slice(0, most)
  const rest = rows.slice(shown.length)
  const total = costOfAll(rows)
  const cells = (sums: CostSums, of: CostSums | null) => {
    const share = of?.costUsd && sums.costUsd !== null ? (sums.costUsd / of.costUsd) * 100 : null
    return (
      <>
        <td className="r num">{f.tokens(sums.input)}</td>
        <td className="r num t3">{f.tokens(sums.cachedInput)}</td>
        <td className="r num">{f.tokens(sums.output)}</td>
        <td className="r num strong">{f.cost(sums) ?? w.activity.noFigure}</td>
        <td className="r num t3 wide-only">{share === null ? '' : w.cost.percent(share)}</td>
        <td className="cost-share">
          {of === null ? null : share === null ? (
            <Why sums={sums} />
          ) : (
            <span className="share" aria-hidden="true">
              <i style={{ width: `${share}%` }} />
            </span>
          )}
        </td>
      </>
    )
  }
  return (
    <section className="cost-part">
      <div className="cost-head">
        <h2>{title}</h2>
        <span className="meta cut">{note}</span>
      </div>
      <table className="cost-table" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {[c.in, c.cached, c.out, c.cost].map((name) => (
              <th key={name} scope="col" className="r">
                {name}
              </th>
            ))}
            <th scope="col" className="r wide-only">
              {c.share}
            </th>
            <th scope="col" className="cost-share">
              <span className="sr">{c.about}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.name}>
              <th scope="row" className="cut" title={row.name}>
                {row.shown}
              </th>
              {cells(row, total)}
            </tr>
          ))}
          {rest.length > 0 && (
            <tr>
              <th scope="row">
                <button type="button" className="link" onClick={() => setWhole(true)}>
                  {w.cost.more(rest.length)}
                </button>
              </th>
              {cells(costOfAll(rest), total)}
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{w.cost.all}</th>
            {cells(total, null)}
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
        <span className="needs-text">{w.cost.noPrice}</span>
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
