import { useEffect, useMemo, useState } from 'react'
import { AppContext, appOf, type App, useApp, useOfEach, useShownApps, useUi, useWords } from '../app-context.ts'
import { LeftOut } from '../machines/left-out.tsx'
import { MachineChoice } from '../machines/machine-choice.tsx'
import { OpenFirstRun } from '../first-run/open-button.tsx'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Segmented } from '../parts/segmented.tsx'
import { Missing } from '../parts/missing.tsx'
import type { ActivityView, ActivityView as Figures } from '../../shared/state.ts'
import { ActivityTabs } from './activity-tabs.tsx'
import { Charts } from './charts.tsx'
import { CostPane } from './cost-pane.tsx'
import { download } from './download.ts'
import { Filters } from './filters.tsx'
import { RecordPane } from './record-pane.tsx'
import { ReportPane } from './report-pane.tsx'
import { sumActivity } from './all-machines.ts'
import {
  everyTurn,
  filtered,
  matchesTurn,
  type NameOf,
  type ShownTurn,
  type TableRow,
  tableRows,
  type TurnFilter,
} from './table-rows.ts'
import { csvOf } from './turn-columns.tsx'
import { TurnsTable } from './turns-table.tsx'
import { mostTurns, useTurns } from './use-turns.ts'
import { type RangeQuery, useRanges } from './use-range.ts'

const ranges = ['24', '168', '720'] as const
const hoursOf = { 24: 24, 168: 168, 720: 720 } as const
const HOUR = 3_600_000

/** All sessions over a range of time: their turns, their costs, or a report. */
export function ActivityView() {
  const tab = useUi((state) => state.activityTab)
  return tab === 'cost' ? <CostPane /> : tab === 'report' ? <ReportPane /> : <TurnsPane />
}

/** Three figures, and every turn as a table with its record beside it. */
function TurnsPane() {
  const app = useApp()
  const { clock, ui } = app
  const { w } = useWords()
  const hours = useUi((state) => state.activityHours)
  const apps = useShownApps()
  const several = apps.length > 1
  const { all, reload } = useTurns(apps)
  const turns = useMemo(() => turnsOf(apps, all), [apps, all])
  const { view, figures, reload: again } = useActivity(apps, hours)
  const shown = useUi((state) => state.record)
  const [filter, setFilter] = useState<TurnFilter>(everyTurn)
  const from = view?.total.at ?? clock.now() - hours * HOUR
  const recent = useMemo(() => turns?.filter((turn) => turn.at >= from) ?? [], [turns, from])
  const { rows, words } = useRows(apps, recent, filter)
  const record = turns?.find((turn) => turn.requestId === shown)
  const ended = view === null ? recent.length : turnsIn(view)
  const open = (row: TableRow) => {
    if (row.kind === 'running')
      appOf(app, row.session).navigation.go({
        view: 'sessions',
        selection: { kind: 'session', id: row.session.id, tab: 'timeline' },
      })
    else ui.setState({ record: row.turn.requestId })
  }
  const [problem] = all.flatMap((one) => one.problem ?? [])
  const unread = figures.find((one) => one.problem !== null)
  const answers = all.map((one, i) => ({
    view: one.turns && (figures[i]?.view ?? null),
    problem: one.problem ?? figures[i]?.problem,
  }))
  const nothing = turns?.length === 0 && rows.length === 0 && (view === null || turnsIn(view) === 0)
  return (
    <>
      <main className="pane under" data-pane-stop>
        <header className="pane-head wide-head">
          <h1>{w.views.activity}</h1>
          <MachineChoice />
          <ActivityTabs />
          {turns && <span className="meta num cut">{w.activity.turns(ended)}</span>}
          <span className="grow" />
          <Segmented
            label={w.activity.range}
            value={`${hours}`}
            options={ranges.map((value) => ({ value, text: w.activity.ranges[value] }))}
            onChange={(value) => ui.setState({ activityHours: hoursOf[value] })}
          />
          <Button
            icon="download"
            disabled={recent.length === 0}
            onClick={() =>
              download(
                csvOf(
                  recent.filter((turn) => matchesTurn(turn, filter, words)),
                  words.nameOf,
                  several,
                ),
                'onward-turns.csv',
              )
            }
          >
            {w.activity.export}
          </Button>
        </header>
        {turns && <LeftOut apps={apps} answers={answers} />}
        {nothing ? (
          <Empty icon="chart" title={w.activity.emptyTitle} text={w.activity.emptyText}>
            <OpenFirstRun />
          </Empty>
        ) : (
          <>
            <Charts view={view} problem={unread?.problem ?? null} onRetry={again} />
            {turns === null ? (
              <Missing
                loading={w.activity.loading}
                failed={w.activity.failed}
                problem={problem ?? null}
                onRetry={reload}
              />
            ) : (
              <>
                <Filters
                  turns={recent}
                  filter={filter}
                  note={
                    all.some((one) => (one.turns?.length ?? 0) >= mostTurns) && recent.length === turns.length
                      ? w.activity.newestOf(mostTurns)
                      : w.activity.newest
                  }
                  onChange={setFilter}
                />
                {rows.length > 0 ? (
                  <TurnsTable rows={rows} nameOf={words.nameOf} selected={shown} onOpen={open} />
                ) : filtered(filter) ? (
                  <Empty title={w.activity.noMatch}>
                    <Button onClick={() => setFilter(everyTurn)}>{w.activity.clearFilters}</Button>
                  </Empty>
                ) : (
                  <Empty title={w.activity.emptyRange} />
                )}
              </>
            )}
          </>
        )}
      </main>
      {record && (
        <AppContext value={appOf(app, record)}>
          <RecordPane
            record={record}
            name={words.nameOf(record)}
            onCopy={() => void app.actions.copy(JSON.stringify(record, null, 2), w.activity.copied)}
          />
        </AppContext>
      )}
    </>
  )
}

const turnsIn = ({ total }: Figures): number => total.continued + total.byPerson + total.failed

type Hours = ActivityView['hours']

const figures: RangeQuery<Hours, ActivityView> = {
  paceMs: 2000,
  query: (client, hours) => client.activity.query(hours),
}

/** The rows of the table, by time or by machine, and what their sessions are called. */
function useRows(apps: readonly App[], recent: readonly ShownTurn[], filter: TurnFilter) {
  const { w, s } = useWords()
  const sessions = useOfEach(apps, (state) => state.sessions)
  const byMachine = useUi((state) => state.byMachine) && apps.length > 1
  const words = useMemo(() => {
    const known = new Map(apps.map(({ machine }, i) => [machine ?? undefined, sessions[i]]))
    const nameOf: NameOf = ({ sessionId: id, machine }) =>
      id === null ? null : (known.get(machine)?.get(id)?.name ?? id)
    return { nameOf, finish: s.finish, running: w.activity.running }
  }, [apps, sessions, s, w])
  const rows = useMemo(() => {
    const there = apps.flatMap(({ machine }, i) =>
      Array.from(sessions[i]?.values() ?? [], (one) => (machine === null ? one : { ...one, machine })),
    )
    const found = tableRows(recent, there, filter, words)
    return byMachine ? found.toSorted((a, b) => nameAt(a).localeCompare(nameAt(b))) : found
  }, [apps, recent, sessions, filter, words, byMachine])
  return { rows, words }
}

/** The turns of all of them, newest first. @returns null: none are known */
function turnsOf(apps: readonly App[], all: ReturnType<typeof useTurns>['all']): readonly ShownTurn[] | null {
  const known = all.flatMap(({ turns }, i) => {
    const machine = apps[i]?.machine ?? null
    return turns ? [machine === null ? turns : turns.map((turn): ShownTurn => ({ ...turn, machine }))] : []
  })
  const [only, ...others] = known
  return others.length === 0 ? (only ?? null) : known.flat().toSorted((a, b) => b.at - a.at)
}

/** Of a row its machine, this one's first. */
const nameAt = (row: TableRow): string => (row.kind === 'running' ? row.session : row.turn).machine ?? ''

/** The figures of a range, asked for again when an hour begins, and their sum. */
function useActivity(apps: readonly App[], hours: Hours) {
  const { clock } = useApp()
  const { each, reload } = useRanges(apps, hours, figures)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const arm = () => {
      timer = setTimeout(
        () => {
          reload()
          arm()
        },
        untilNextHour(clock.now()) + 500,
      )
    }
    arm()
    return () => clearTimeout(timer)
  }, [reload, clock])
  return { figures: each, reload, view: sumActivity(each.flatMap(({ view }) => view ?? [])) }
}

/** By the person's clock, which is not everywhere a whole hour from UTC. */
function untilNextHour(now: number): number {
  const date = new Date(now)
  return new Date(now).setHours(date.getHours() + 1, 0, 0, 0) - now
}
