import { appOf, useApp, useOfEach, useShownApps, useUi, useWords } from '../app-context.ts'
import { LeftOut } from '../machines/left-out.tsx'
import { MachineChoice } from '../machines/machine-choice.tsx'
import { MachineMark } from '../machines/machine-mark.tsx'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Segmented } from '../parts/segmented.tsx'
import { Missing } from '../parts/missing.tsx'
import { costBy, noCost, type CostDays, type CostView, costOfAll } from '../../shared/cost/cost.ts'
import { ActivityTabs } from './activity-tabs.tsx'
import { costCsv, costLines } from '../../shared/cost/cost-csv.ts'
import { machineName, modelName, seriesOf, stackings, type Stacking } from './cost-series.ts'
import { CostTable } from './cost-table.tsx'
import { download } from './download.ts'
import { joinCosts, type ShownCosts } from './all-machines.ts'
import { type RangeQuery, useRanges } from './use-range.ts'
import { useState } from 'react'
import { axisOf } from './axis.ts'
import { bucketTimesOf } from './bucket-times.ts'
import { Bars, Chart } from './chart.tsx'
import { scaleOf } from './scale.ts'

const ranges = ['1', '7', '30'] as const
const daysOf = { 1: 1, 7: 7, 30: 30 } as const

/** Costs by hour or day, and by model, session, provider and machine. */
export function CostPane() {
  const { ui } = useApp()
  const { w } = useWords()
  const days = useUi((state) => state.costDays)
  const apps = useShownApps()
  const several = apps.length > 1
  const { each, reload } = useRanges(apps, days, costs)
  const view = joinCosts(
    apps.flatMap(({ machine }, i) => {
      const told = each[i]?.view
      return told ? [{ machine: machine ?? undefined, view: told }] : []
    }),
  )
  const [problem] = each.flatMap((one) => one.problem ?? [])
  return (
    <main className="pane under" data-pane-stop>
      <header className="pane-head wide-head">
        <h1>{w.views.activity}</h1>
        <MachineChoice sorts={false} />
        <ActivityTabs />
        <span className="grow" />
        <Segmented
          label={w.activity.range}
          value={`${days}`}
          options={ranges.map((value) => ({ value, text: w.cost.ranges[value] }))}
          onChange={(value) => ui.setState({ costDays: daysOf[value] })}
        />
        <Button
          icon="download"
          disabled={view === null || view.cells.length === 0}
          onClick={() => view && download(several ? csvOfAll(view) : costCsv(view), 'onward-costs.csv')}
        >
          {w.activity.export}
        </Button>
      </header>
      {view && <LeftOut apps={apps} answers={each} />}
      {view === null ? (
        <Missing loading={w.cost.loading} failed={w.cost.failed} problem={problem ?? null} onRetry={reload} />
      ) : view.cells.length === 0 ? (
        <Empty icon="chart" title={w.cost.emptyTitle} text={w.cost.emptyText} />
      ) : (
        <div className="scroll">
          <CostChart view={view} days={days} several={several} />
          <Tables view={view} several={several} />
        </div>
      )}
    </main>
  )
}

function Tables({ view, several }: { view: ShownCosts; several: boolean }) {
  const app = useApp()
  const { w } = useWords()
  const machines = [...view.namesAt.keys()]
  const apps = useShownApps()
  const known = useOfEach(apps, (state) => state.sessions)
  const c = w.cost.columns
  /** by the name of its row: the same id on another machine is another session */
  const sessionAt = new Map(view.cells.map((cell) => [sessionKey(cell), cell]))
  const sessions = costBy(view.cells, sessionKey)
  const sessionOf = (name: string) => {
    const { session: id = null, machine } = sessionAt.get(name) ?? {}
    if (id === null) return <span className="t3">{w.cost.none}</span>
    const there = known[apps.findIndex((one) => (one.machine ?? undefined) === machine)]
    const text = there?.get(id)?.name ?? view.namesAt.get(machine)?.[id] ?? id
    const open = () =>
      appOf(app, { machine }).navigation.go({ view: 'sessions', selection: { kind: 'session', id, tab: 'timeline' } })
    return (
      <>
        {there?.has(id) ? (
          <button type="button" className="link" onClick={open}>
            {text}
          </button>
        ) : (
          text
        )}
        {several && (
          <>
            {' '}
            <MachineMark machine={machine ?? null} />
          </>
        )}
      </>
    )
  }
  return (
    <>
      {several && (
        <CostTable
          title={w.cost.byMachine}
          note={w.cost.onlyKnown}
          head={c.machine}
          rows={costBy([...view.cells, ...machines.map((machine) => ({ ...noCost, machine }))], machineName).map(
            (row) => ({ ...row, shown: row.name || w.machines.thisOne }),
          )}
        />
      )}
      <CostTable
        title={w.cost.byModel}
        note={w.cost.partOfIn}
        head={c.model}
        rows={costBy(view.cells, modelName).map((row) => ({ ...row, shown: row.name }))}
      />
      <CostTable
        title={w.cost.bySession}
        note={w.cost.sessions(sessions.filter(({ name }) => name !== '').length)}
        head={c.session}
        rows={sessions.map((row) => ({ ...row, shown: sessionOf(row.name) }))}
      />
      <CostTable
        title={w.cost.byProvider}
        note=""
        head={c.provider}
        rows={costBy(view.cells, ({ provider }) => provider).map((row) => ({ ...row, shown: row.name }))}
      />
    </>
  )
}

/** No machine's name has a space. */
const sessionKey = ({ session, machine }: ShownCosts['cells'][number]): string =>
  session === null ? '' : [machine ?? [], session].flat().join(' ')

/** One line for each machine, session and model of the range. */
const csvOfAll = ({ cells, namesAt }: ShownCosts): string =>
  costLines(['machine', 'session', 'name', 'provider', 'model'], cells, ({ machine, session, provider, model }) => [
    machine ?? null,
    session,
    session === null ? null : (namesAt.get(machine)?.[session] ?? null),
    provider,
    model,
  ])

const costs: RangeQuery<CostDays, CostView> = { paceMs: 5000, query: (client, days) => client.costs.query(days) }

/** The cost of each hour or day, stacked by provider, by model or, where there are several, by machine. */
function CostChart({ view, days, several }: { view: ShownCosts; days: CostDays; several: boolean }) {
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
