import { useApp, useEngine, useUi, useWords } from '../app-context.ts'
import { MachineChoice } from '../machines/machine-choice.tsx'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Segmented } from '../parts/segmented.tsx'
import { Missing } from '../parts/missing.tsx'
import { costBy, type CostDays, type CostView } from '../../shared/cost/cost.ts'
import { ActivityTabs } from './activity-tabs.tsx'
import { CostChart } from './cost-chart.tsx'
import { costCsv } from '../../shared/cost/cost-csv.ts'
import { modelName } from './cost-series.ts'
import { CostTable } from './cost-table.tsx'
import { download } from './download.ts'
import { type RangeQuery, type Ranged, useRange } from './use-range.ts'

const ranges = ['1', '7', '30'] as const
const daysOf = { 1: 1, 7: 7, 30: 30 } as const

/** Costs by hour or day, and by model, session and provider. */
export function CostPane() {
  const { ui } = useApp()
  const { w } = useWords()
  const days = useUi((state) => state.costDays)
  const { view, problem, reload } = useCosts(days)
  return (
    <main className="pane under" data-pane-stop>
      <header className="pane-head wide-head">
        <h1>{w.views.activity}</h1>
        <MachineChoice />
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
          onClick={() => view && download(costCsv(view), 'onward-costs.csv')}
        >
          {w.activity.export}
        </Button>
      </header>
      {view === null ? (
        <Missing loading={w.cost.loading} failed={w.cost.failed} problem={problem} onRetry={reload} />
      ) : view.cells.length === 0 ? (
        <Empty icon="chart" title={w.cost.emptyTitle} text={w.cost.emptyText} />
      ) : (
        <div className="scroll">
          <CostChart view={view} days={days} />
          <Tables view={view} />
        </div>
      )}
    </main>
  )
}

function Tables({ view }: { view: CostView }) {
  const { navigation } = useApp()
  const { w } = useWords()
  const known = useEngine((state) => state.sessions)
  const c = w.cost.columns
  const sessions = costBy(view.cells, ({ session }) => session ?? '')
  const named = (id: string) => known.get(id)?.name ?? view.names[id] ?? id
  const sessionOf = (id: string) =>
    id === '' ? (
      <span className="t3">{w.cost.none}</span>
    ) : known.has(id) ? (
      <button
        type="button"
        className="link"
        onClick={() => navigation.go({ view: 'sessions', selection: { kind: 'session', id, tab: 'timeline' } })}
      >
        {named(id)}
      </button>
    ) : (
      named(id)
    )
  return (
    <>
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

const costs: RangeQuery<CostDays, CostView> = { paceMs: 5000, query: (client, days) => client.costs.query(days) }

/** The costs of a range. */
export const useCosts = (days: CostDays): Ranged<CostView> => useRange(days, costs)
