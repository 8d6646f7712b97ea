import { useState } from 'react'
import { useWords } from '../app-context.ts'
import { Segmented } from '../parts/segmented.tsx'
import { costOfAll, type CostDays } from '../../shared/cost/cost.ts'
import type { ShownCosts } from './all-machines.ts'
import { axisOf } from './axis.ts'
import { bucketTimesOf } from './bucket-times.ts'
import { Bars, Chart } from './chart.tsx'
import { seriesOf, stackings, type Stacking } from './cost-series.ts'
import { scaleOf } from './scale.ts'

/** The cost of each hour or day, stacked by provider, by model or, where there are several, by machine. */
export function CostChart({ view, days, several }: { view: ShownCosts; days: CostDays; several: boolean }) {
  const { language, zone, w, s, f } = useWords()
  const [chosen, setBy] = useState<Stacking>('provider')
  const by = chosen === 'machine' && !several ? 'provider' : chosen
  const times = bucketTimesOf(language, zone)
  const { buckets } = view
  const series = seriesOf(view, by)
  const total = costOfAll(view.cells)
  const scale = scaleOf(Math.max(0, ...buckets.map((bucket) => costOfAll(bucket.parts).costUsd ?? 0)))
  const nameOf = (name: string | null) => (name === '' ? w.machines.thisOne : (name ?? w.cost.others))
  const texts = { provider: w.cost.byProvider, model: w.cost.byModel, machine: w.cost.byMachine }
  const besides = s.spent({ ...total, costUsd: null })
  const note = f.list([
    w.cost.of[days],
    w.cost.tokens(f.tokens(total.input + total.output)),
    ...(besides === null ? [] : [besides]),
    ...(total.cold ? [w.cost.cold(s.coldCaches(total.cold))] : []),
    ...(total.warm ? [w.cost.warm(s.warmCaches(total.warm))] : []),
  ])
  return (
    <div className={`cost-chart${days === 7 ? ' few' : ''}`}>
      <Chart
        title={w.cost.per[days]}
        figure={f.cost(total) ?? w.activity.noFigure}
        note={note}
        scale={scale}
        tick={(usd) => (usd === 0 ? '0' : `$${usd}`)}
        axis={axisOf(buckets, days === 7 ? 7 : 5).map((bucket) => times.tick(bucket))}
        count={buckets.length}
        legend={series.map(({ tone, name, costUsd }) => ({ tone, text: `${nameOf(name)} ${f.money(costUsd)}` }))}
        read={(index) => {
          const bucket = buckets[index]
          if (!bucket) return { when: '', values: [], said: '' }
          const when = times.whole(bucket)
          const values = [
            ...series.flatMap(({ tone, name, of }) =>
              of(bucket) > 0 ? [{ tone, text: nameOf(name), value: f.money(of(bucket)) }] : [],
            ),
            { tone: null, text: w.cost.all, value: f.cost(costOfAll(bucket.parts)) ?? w.activity.noFigure },
          ]
          const said = f.list(values.map(({ text, value }) => `${text} ${value}`))
          return { when, values, said: w.activity.chartValue(when, said) }
        }}
      >
        <Bars top={scale.top} buckets={buckets.map((bucket) => series.map(({ tone, of }) => [tone, of(bucket)]))} />
      </Chart>
      <Segmented
        label={w.cost.stack}
        value={by}
        options={stackings
          .filter((value) => several || value !== 'machine')
          .map((value) => ({ value, text: texts[value] }))}
        onChange={setBy}
      />
    </div>
  )
}
