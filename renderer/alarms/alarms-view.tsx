import { useEffect, useMemo, useRef, useState } from 'react'
import {
  useApp,
  useEngine,
  useLive,
  useOfEach,
  useShownApps,
  useUi,
  useWords,
  AppContext,
  appOf,
  type App,
} from '../app-context.ts'
import { MachineChoice } from '../machines/machine-choice.tsx'
import { shortcuts } from '../keyboard/shortcuts.ts'
import { Shape } from '../icons/shape.tsx'
import { OpenFirstRun } from '../first-run/open-button.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { CommandLine } from '../parts/copy-line.tsx'
import { Empty } from '../parts/empty.tsx'
import { Segmented } from '../parts/segmented.tsx'
import { Missing } from '../parts/missing.tsx'
import { LeftOut } from '../machines/left-out.tsx'
import { allAlarms, type ShownAlarms as Alarms, type ShownAlarms } from './all-alarms.ts'
import { AlarmsList } from './alarms-list.tsx'
import { DayLineView } from './day-line-view.tsx'
import { useEdited } from './edit-form.tsx'
import { NewForm } from './new-form.tsx'
import type { Outcome } from '../control/outcome.ts'
import { History } from './history.tsx'
import { MissedCard } from './missed-card.tsx'
import { useOrder } from '../parts/use-order.ts'

const filters = ['all', 'model', 'user'] as const
const skeleton = [
  ['20%', '52%'],
  ['24%', '44%'],
  ['18%', '58%'],
  ['22%', '40%'],
] as const

/** All alarms of all sessions: the day as a line, the next due first, the missed ones beside them. */
export function AlarmsView() {
  const apps = useShownApps()
  const views = useOfEach(apps, (s) => s.alarms)
  const problems = useOfEach(apps, (s) => s.alarmsProblem)
  const alarms = useMemo(
    () => allAlarms(apps.map(({ machine }, i) => ({ machine: machine ?? undefined, alarms: views[i] ?? null }))),
    [apps, views],
  )
  return (
    <>
      <main className="pane under alarms" data-pane-stop>
        <Head alarms={alarms} />
        {alarms && <LeftOut apps={apps} answers={apps.map((_, i) => ({ view: views[i], problem: problems[i] }))} />}
        {alarms ? <Body alarms={alarms} /> : <MissingAlarms />}
      </main>
      {alarms ? <SidePane alarms={alarms} /> : <aside className="pane side over" />}
    </>
  )
}

function Head({ alarms }: { alarms: Alarms | null }) {
  const { ui } = useApp()
  const { w } = useWords()
  const live = useLive()
  const filter = useUi((s) => s.alarmFilter)
  const none = useNoSession()
  const missedButton = useReturnedFocus()
  const t = w.alarms
  const missed = alarms?.missedTotal ?? 0
  return (
    <header className="pane-head wide-head">
      <h1>{w.views.alarms}</h1>
      <MachineChoice />
      {alarms && alarms.waiting > 0 && <span className="meta num">{t.set(alarms.waiting)}</span>}
      <span className="grow" />
      {alarms && (
        <Button
          ref={missedButton}
          tone="quiet"
          className="narrow-only"
          onClick={() => ui.setState({ missedOpen: true })}
        >
          {missed > 0 && <Shape shape="failed" />}
          {missed > 0 ? t.missedButton(missed) : t.history}
        </Button>
      )}
      <Segmented
        label={t.setBy}
        value={filter}
        options={filters.map((value) => ({ value, text: t.by[value] }))}
        onChange={(alarmFilter) => ui.setState({ alarmFilter })}
      />
      <Button
        does="addAlarm"
        icon="plus"
        tone="primary"
        keys={shortcuts.newAlarm}
        aria-keyshortcuts="A"
        disabled={!live || none || !alarms}
        title={none ? t.noSession : undefined}
        onClick={() => ui.setState({ alarmForm: { kind: 'new', session: null } })}
      >
        {t.add}
      </Button>
    </header>
  )
}

function Body({ alarms }: { alarms: Alarms }) {
  const { ui } = useApp()
  const { w, f, language } = useWords()
  const live = useLive()
  const form = useUi((s) => s.alarmForm)
  const filter = useUi((s) => s.alarmFilter)
  const edited = useEdited()
  const none = useNoSession()
  const lostAt = useEngine((s) => (s.link.kind === 'stopped' ? s.link.at : null))
  const t = w.alarms
  const waiting = alarms.alarms.filter(({ state }) => state.kind === 'waits')
  const any = alarms.alarms.length > 0 || edited !== null
  const shown = edited !== null || alarms.alarms.some(({ setBy }) => setBy === filter)
  const quiet = !any && alarms.missedTotal === 0 && alarms.history.length === 0
  const add = () => ui.setState({ alarmForm: { kind: 'new', session: null } })
  return (
    <>
      {!quiet && <DayLineView alarms={alarms} />}
      {form?.kind === 'new' && (
        <div className="a-new">
          <NewForm
            key={`${form.machine} ${form.session} ${form.task}`}
            session={form.session}
            task={form.task}
            machine={form.machine}
          />
        </div>
      )}
      {!any ? (
        <Empty icon="alarm" title={t.emptyTitle} text={t.emptyText}>
          {form?.kind !== 'new' && (
            <Button does="addAlarm" icon="plus" tone={quiet ? 'primary' : undefined} disabled={!live} onClick={add}>
              {t.add}
            </Button>
          )}
          {none && <OpenFirstRun />}
          <CommandLine text={t.emptyCli} />
        </Empty>
      ) : filter !== 'all' && !shown ? (
        <Empty title={t.noneOf[filter]}>
          <Button onClick={() => ui.setState({ alarmFilter: 'all' })}>{t.showAll}</Button>
        </Empty>
      ) : (
        <AlarmsList alarms={alarms.alarms} filter={filter} inSession={false} onNew={add} />
      )}
      {alarms.waiting > waiting.length && (
        <p className="meta list-foot">{t.moreWait(alarms.waiting - waiting.length)}</p>
      )}
      {lostAt !== null && (
        <p className="meta list-foot">
          {w.list.asOf(f.minute(lostAt))}
          {language === 'en' ? '. ' : '。'}
          {w.banner.stoppedText}
        </p>
      )}
    </>
  )
}

/** There is none, on any of the machines that are shown. */
const useNoSession = (): boolean => useOfEach(useShownApps(), (s) => s.sessions.size === 0).every(Boolean)

/** Not received yet, or not available. */
function MissingAlarms() {
  const { loadAlarms } = useApp()
  const { w } = useWords()
  const problem = useEngine((s) => s.alarmsProblem)
  return (
    <Missing
      loading={w.alarms.loading}
      rows={skeleton}
      failed={w.alarms.failed}
      problem={problem}
      onRetry={() => void loadAlarms()}
    />
  )
}

/** The keyboard comes back to the button that opened what was missed. */
function useReturnedFocus() {
  const open = useUi((s) => s.missedOpen)
  const button = useRef<HTMLButtonElement>(null)
  const was = useRef(open)
  useEffect(() => {
    if (was.current && !open && document.activeElement === document.body) button.current?.focus()
    was.current = open
  }, [open])
  return button
}

/** Missed alarms that wait for a person's decision, and how the others ended. Below 1100 px it lies over the list. */
function SidePane({ alarms }: { alarms: ShownAlarms }) {
  const app = useApp()
  const { ui } = app
  const { w, f } = useWords()
  const t = w.alarms
  const back = useFocusWhenOpened()
  const { missed, missedTotal } = alarms
  return (
    <aside className="pane side over" aria-label={t.side} data-pane-stop>
      <header className="pane-head">
        <IconButton
          ref={back}
          icon="left"
          className="narrow-only"
          name={t.back}
          onClick={() => ui.setState({ missedOpen: false })}
        />
        <h1>{t.missed}</h1>
        {missedTotal > 0 && <span className="meta num">{missedTotal}</span>}
        <span className="grow" />
        {missedTotal > 0 && <DismissAll count={missedTotal} />}
      </header>
      <div className="scroll m-body">
        <p className="meta">
          {missed.length === 0 && `${t.nothingMissed} `}
          {t.missedNote(f.span(alarms.retentionMs))}
        </p>
        <ul className="vstack" aria-label={t.missed}>
          {missed.map((one) => (
            <AppContext key={`${one.machine} ${one.key}`} value={appOf(app, one)}>
              <MissedCard missed={one} />
            </AppContext>
          ))}
        </ul>
        {missedTotal > missed.length && <p className="meta">{t.missedMore(missedTotal - missed.length)}</p>}
        <h2>{t.history}</h2>
        {alarms.history.length === 0 ? <p className="meta">{t.noHistory}</p> : <History history={alarms.history} />}
      </div>
    </aside>
  )
}

/** Nothing brings them back, so it asks; the button that was pressed is the question. */
function DismissAll({ count }: { count: number }) {
  const apps = useShownApps()
  const { w } = useWords()
  const live = useLive()
  const order = useOrder()
  const [sure, setSure] = useState(false)
  if (order.refused !== null)
    return (
      <span className="meta failed cut" role="alert" title={order.refused}>
        {order.refused}
      </span>
    )
  return (
    <Button
      does="dismissAllMissed"
      small
      tone={sure ? 'danger' : 'quiet'}
      busy={order.busy}
      disabled={!live}
      onBlur={() => setSure(false)}
      onClick={() => {
        if (sure) void order.give(() => dismissAll(apps))
        setSure(!sure)
      }}
    >
      {sure ? w.alarms.dismissAllSure(count) : w.alarms.dismissAll}
    </Button>
  )
}

/** At each engine that has some; what one refused is said, and done at the others all the same. */
async function dismissAll(apps: readonly App[]): Promise<Outcome<unknown>> {
  const missing = apps.filter(({ engine }) => (engine.getState().alarms?.missedTotal ?? 0) > 0)
  const outcomes = await Promise.all(missing.map(({ actions }) => actions.dismissAllMissed()))
  return outcomes.find(({ ok }) => !ok) ?? { ok: true, value: undefined }
}

function useFocusWhenOpened() {
  const open = useUi((s) => s.missedOpen)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (open) button.current?.focus()
  }, [open])
  return button
}
