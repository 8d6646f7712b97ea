import { useEffect, useMemo, useState } from 'react'
import { useApp, useEngine, useUi, useWords } from '../app-context.ts'
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
import { everyTurn, filtered, matchesTurn, type TableRow, tableRows, type TurnFilter } from './table-rows.ts'
import { csvOf } from './turn-columns.tsx'
import { TurnsTable } from './turns-table.tsx'
import { mostTurns, useTurns } from './use-turns.ts'
import { type Ranged, type RangeQuery, useRange } from './use-range.ts'

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
  const { actions, clock, navigation, ui } = useApp()
  const { w, s } = useWords()
  const hours = useUi((state) => state.activityHours)
  const { turns, problem, reload } = useTurns()
  const figures = useActivity(hours)
  const sessions = useEngine((state) => state.sessions)
  const shown = useUi((state) => state.record)
  const [filter, setFilter] = useState<TurnFilter>(everyTurn)
  const from = figures.view?.total.at ?? clock.now() - hours * HOUR
  const recent = useMemo(() => turns?.filter((turn) => turn.at >= from) ?? [], [turns, from])
  const words = useMemo(
    () => ({
      nameOf: (id: string | null) => (id === null ? null : (sessions.get(id)?.name ?? id)),
      finish: s.finish,
      running: w.activity.running,
    }),
    [sessions, s, w],
  )
  const rows = useMemo(() => tableRows(recent, sessions.values(), filter, words), [recent, sessions, filter, words])
  const record = turns?.find((turn) => turn.requestId === shown)
  const ended = figures.view === null ? recent.length : turnsIn(figures.view)
  const open = (row: TableRow) => {
    if (row.kind === 'running')
      navigation.go({ view: 'sessions', selection: { kind: 'session', id: row.session.id, tab: 'timeline' } })
    else ui.setState({ record: row.turn.requestId })
  }
  const nothing = turns?.length === 0 && rows.length === 0 && (figures.view === null || turnsIn(figures.view) === 0)
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
                ),
                'onward-turns.csv',
              )
            }
          >
            {w.activity.export}
          </Button>
        </header>
        {nothing ? (
          <Empty icon="chart" title={w.activity.emptyTitle} text={w.activity.emptyText}>
            <OpenFirstRun />
          </Empty>
        ) : (
          <>
            <Charts view={figures.view} problem={figures.problem} onRetry={figures.reload} />
            {turns === null ? (
              <Missing loading={w.activity.loading} failed={w.activity.failed} problem={problem} onRetry={reload} />
            ) : (
              <>
                <Filters
                  turns={recent}
                  filter={filter}
                  note={
                    turns.length >= mostTurns && recent.length === turns.length
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
        <RecordPane
          record={record}
          name={words.nameOf(record.sessionId)}
          onCopy={() => void actions.copy(JSON.stringify(record, null, 2), w.activity.copied)}
        />
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

/** The figures of a range, asked for again when an hour begins. */
function useActivity(hours: Hours): Ranged<ActivityView> {
  const { clock } = useApp()
  const ranged = useRange(hours, figures)
  const { reload } = ranged
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
  return ranged
}

/** By the person's clock, which is not everywhere a whole hour from UTC. */
function untilNextHour(now: number): number {
  const date = new Date(now)
  return new Date(now).setHours(date.getHours() + 1, 0, 0, 0) - now
}
