import { useMemo } from 'react'
import { AppContext, appOf, useApp, useShownApps, useUi, useWords } from '../app-context.ts'
import { LeftOut } from '../machines/left-out.tsx'
import { MachineChoice } from '../machines/machine-choice.tsx'
import { Empty } from '../parts/empty.tsx'
import { Segmented } from '../parts/segmented.tsx'
import { Missing } from '../parts/missing.tsx'
import { eveningBefore, type ReportView } from '../../shared/report.ts'
import { joinReports, type ShownReport } from './all-machines.ts'
import { ActivityTabs } from './activity-tabs.tsx'
import { timeTicks } from './report-axis.ts'
import { ReportSession } from './report-session.tsx'
import { ReportSide } from './report-side.tsx'
import { useRanges, type RangeQuery } from './use-range.ts'

const ranges = ['evening', '8', '24'] as const
type ReportRange = (typeof ranges)[number]

/** A report on the time a person was away, to be read in the morning. */
export function ReportPane() {
  const { clock, ui } = useApp()
  const { w } = useWords()
  const r = w.report
  const range = useUi((state) => state.reportRange)
  const apps = useShownApps()
  const several = apps.length > 1
  // Folders are looked at for it: not after each turn that ends. Several are asked for the same time.
  const reports = useMemo<RangeQuery<ReportRange, ReportView>>(
    () => ({
      paceMs: 60_000,
      query: (client, of) =>
        client.report.query(
          of !== 'evening' ? clock.now() - Number(of) * 3_600_000 : several ? eveningBefore(clock.now()) : null,
        ),
    }),
    [clock, several],
  )
  const { each, reload } = useRanges(apps, range, reports)
  const byMachine = useUi((state) => state.byMachine)
  const view = joinReports(
    apps.flatMap(({ machine }, i) => {
      const told = each[i]?.view
      return told ? [{ machine: machine ?? undefined, view: told }] : []
    }),
    byMachine,
  )
  const [problem] = each.flatMap((one) => one.problem ?? [])
  return (
    <main className="pane under" data-pane-stop>
      <header className="pane-head wide-head">
        <h1>{w.views.activity}</h1>
        <MachineChoice />
        <ActivityTabs />
        <span className="grow" />
        <Segmented
          label={r.since}
          value={range}
          options={ranges.map((value) => ({ value, text: r.ranges[value] }))}
          onChange={(value) => ui.setState({ reportRange: value })}
        />
      </header>
      {view && <LeftOut apps={apps} answers={each} />}
      {view === null ? (
        <Missing loading={r.loading} failed={r.loadFailed} problem={problem ?? null} onRetry={reload} />
      ) : view.sessions.length === 0 ? (
        <Empty icon="chart" title={r.emptyTitle} text={r.emptyText} />
      ) : (
        <Report view={view} />
      )}
    </main>
  )
}

function Report({ view }: { view: ShownReport }) {
  const app = useApp()
  const { w, f } = useWords()
  const r = w.report
  const { since, from, until, sessions, total } = view
  const needs = sessions.filter(({ needsYou }) => needsYou).length
  const done = sessions.filter(({ needsYou, now }) => !needsYou && now.shape === 'done').length
  const facts = [
    r.work(f.sum(total.sums.working), f.span(until - from)),
    r.rounds(total.rounds),
    ...[f.cost(total.spent)].flatMap((cost) => cost ?? []),
  ]
  return (
    <div className="scroll">
      <div className="rep">
        <div className="rep-m">
          <div className="lead">
            <h2>{r.standing(needs, done, sessions.length - needs - done)}</h2>
            <p className="num">
              {r.lead(f.minuteOfDay(from, until), f.minute(until), f.list(facts))}
              {from > since && ` ${r.noOlder(f.minuteOfDay(since, until))}`}
            </p>
          </div>
          <div className="w-ax" aria-hidden="true">
            <div>
              <span className="num">{f.minute(from)}</span>
              {timeTicks(from, until, f.minute).map(({ at, left }) => (
                <span key={at} className="num" style={{ left: `${left}%` }}>
                  {f.minute(at)}
                </span>
              ))}
              <span className="num">{f.minute(until)}</span>
            </div>
          </div>
          {sessions.map((one) => (
            <AppContext key={`${one.machine} ${one.id}`} value={appOf(app, one)}>
              <ReportSession one={one} from={from} until={until} />
            </AppContext>
          ))}
        </div>
        <ReportSide report={view} />
      </div>
    </div>
  )
}
