import { useStore } from 'zustand'
import { StandingActions } from '../session/queue/standing-actions.tsx'
import { stands, waiting } from '../session/queue/waiting.ts'
import { BackButton } from '../sessions/back-button.tsx'
import { useApp, useEngine, useUi, useWords, useLive, AppContext } from '../app-context.ts'
import { MachineMark } from '../machines/machine-mark.tsx'
import { Shape } from '../icons/shape.tsx'
import { homeShort } from '../parts/home-short.ts'
import { AsksCard } from '../session/goal/asks-card.tsx'
import { HeldMarkersLine } from '../session/goal/held-markers.tsx'
import { Header } from '../session/header.tsx'
import { LimitLine } from '../session/limit-line.tsx'
import { OutageLine } from '../session/outage/outage-line.tsx'
import { Tabs } from '../session/tabs.tsx'
import type { Selection } from '../state/place.ts'
import type { SessionView, TerminalView } from '../../shared/state.ts'
import { TerminalBody } from './terminal-body.tsx'
import { Button } from '../parts/button.tsx'
import { Offered } from '../parts/offered.tsx'
import { GoalCard } from '../session/goal/goal-card.tsx'
import { SayForm } from '../session/queue/say-form.tsx'
import { excerpt } from '../../shared/sentences/excerpt.ts'
import { Icon } from '../icons/icon.tsx'
import { LeftGoalActions } from '../session/goal/attention-card.tsx'
import { CommandLine } from '../parts/copy-line.tsx'
import { Empty } from '../parts/empty.tsx'

/** The terminal that a selection shows, by itself or as a session's tab. */
export function useShownTerminal(selection: Selection | null): {
  terminal: TerminalView | undefined
  session: SessionView | undefined
} {
  const session = useEngine((s) =>
    selection?.kind === 'session' && selection.tab === 'terminal' ? s.sessions.get(selection.id) : undefined,
  )
  const terminal = useEngine((s) => {
    if (selection?.kind === 'terminal') return s.terminals.get(selection.id)
    // before its first turn a terminal stands for the session it will have
    if (selection && !s.sessions.has(selection.id)) return s.terminals.get(selection.id)
    if (!session) return undefined
    // The terminal knows its session first, the session its terminal only with the end of its first turn.
    if (session.terminalId === null) return [...s.terminals.values()].find((t) => t.sessionId === session.id)
    return s.terminals.get(session.terminalId)
  })
  return { terminal, session }
}

/**
 * A terminal, and around it the facts about it: until its agent's first turn those of the terminal itself, then of the
 * session. The screen stays the same one, so that no typed letter is lost.
 */
export function TerminalPane({ terminal, session }: { terminal: TerminalView; session: SessionView | undefined }) {
  const { machine, here } = useApp()
  const isFleet = useStore(here.engine, (s) => s.machines.some(({ name, fleet }) => name === machine && fleet))
  return (
    <>
      {session ? <SessionHead session={session} /> : <TerminalHead terminal={terminal} />}
      <div
        id="panel-terminal"
        {...(session ? { role: 'tabpanel', 'aria-labelledby': 'tab-terminal' } : {})}
        style={{ display: 'contents' }}
      >
        {isFleet ? <NoScreen /> : <TerminalBody key={terminal.id} terminal={terminal} />}
        {session ? (
          <>
            <HeldBar session={session} terminal={terminal} />
            <LeftGoalBar session={session} />
          </>
        ) : (
          terminal.fresh && (
            <>
              <HeldBar session={terminal.fresh} terminal={terminal} />
              {terminal.fresh.say.code === 'needs-you' ? (
                <aside className="first asks">
                  <AsksCard session={terminal.fresh} say={terminal.fresh.say} inTerminal />
                </aside>
              ) : (
                <FirstMessage session={terminal.fresh} />
              )}
            </>
          )
        )}
      </div>
    </>
  )
}

function SessionHead({ session }: { session: SessionView }) {
  return (
    <>
      <Header session={session} />
      <HeldMarkersLine session={session} />
      <LimitLine session={session} />
      <OutageLine session={session} />
      <Tabs session={session} tab="terminal" />
    </>
  )
}

function TerminalHead({ terminal }: { terminal: TerminalView }) {
  const { machine } = useApp()
  const { w, s, f } = useWords()
  const shape = terminal.alive ? (terminal.fresh?.shape ?? 'idle') : 'gone'
  return (
    <header className="d-head" style={{ borderBottom: 0 }}>
      <div className="hstack">
        <BackButton />
        <h1 className="cut" title={terminal.name}>
          {terminal.name}
        </h1>
        <span className="t3">{w.agents[terminal.client]}</span>
        {machine !== null && <MachineMark machine={machine} />}
        <span className={`chip is-${shape}`}>
          <Shape shape={shape} />
          {s.shape(shape)}
        </span>
      </div>
      <p className="meta cut">
        <span>{homeShort(terminal.cwd)}</span>
        {terminal.cwd && <span className="dot" />}
        <span>{w.terminal.firstTurn}</span>
        <span className="dot" title={f.instant(terminal.openedAt)}>
          {w.session.started(f.minute(terminal.openedAt))}
        </span>
      </p>
    </header>
  )
}

/** Before the first turn: a message to begin with, and a goal to keep going by. `session` has the terminal's id. */
function FirstMessage({ session }: { session: SessionView }) {
  const { ui } = useApp()
  const { w } = useWords()
  const open = useUi((s) => s.editingGoal === session.id)
  return (
    <aside className="first" aria-label={w.terminal.firstMessage}>
      {(open || session.stopMessage !== null) && <GoalCard session={session} />}
      <div className="first-line">
        <Offered to="say">
          <SayForm session={session} placeholder={w.terminal.firstMessage} />
        </Offered>
        {!open && session.stopMessage === null && (
          <Button does="setStopMessage" icon="goal" onClick={() => ui.setState({ editingGoal: session.id })}>
            {w.goal.title}
          </Button>
        )}
      </div>
    </aside>
  )
}

/** Below the terminal in which a person began anew: whether the goal of the conversation before goes on. */
function LeftGoalBar({ session }: { session: SessionView }) {
  const { w } = useWords()
  const goal = session.leftGoal
  if (!goal || session.say.code !== 'left-goal') return null
  return (
    <aside className="held" aria-label={w.card.leftTitle}>
      <Icon name="goal" />
      <div className="grow">
        <p className="cut">
          <b>{w.card.leftTitle}</b>
        </p>
        <p className="meta cut" title={goal.text}>
          “{excerpt(goal.text, 240)}”
        </p>
      </div>
      <LeftGoalActions session={session} small />
    </aside>
  )
}

/** Why nothing is typed right now, the condition for it, and the text that comes then. */
function HeldBar({ session, terminal }: { session: SessionView; terminal: TerminalView }) {
  const { actions, navigation, ui } = useApp()
  const { w, s } = useWords()
  const live = useLive()
  const first = waiting(session.queue)[0]
  const reason = first?.hold ?? (first ? terminal.hold : null)
  if (!first || !reason) return null
  const stop = /\p{Script=Han}/u.test(s.hold(reason)) ? '。' : '. '
  const edit = () => {
    navigation.go({ view: 'sessions', selection: { kind: 'session', id: session.id, tab: 'queue' } })
    ui.setState({ editingEntry: first.id })
  }
  return (
    <aside className="held" aria-label={s.shape('held')}>
      <Icon name="lock" />
      <div className="grow">
        <p className="cut" title={s.hold(reason)}>
          <b>
            {s.hold(reason)}
            {stop}
          </b>
          <span className="t2">{s.holdNext(reason)}</span>
        </p>
        <p className="meta cut" title={first.text}>
          {w.terminal.next(excerpt(first.text, 240))}
        </p>
      </div>
      {reason.code === 'screen-unknown' && (
        <Button
          does="reportScreen"
          small
          icon="copy"
          title={w.terminal.copyReportHint}
          disabled={!live}
          onClick={() => void actions.copyReport(terminal.id)}
        >
          {w.terminal.copyReport}
        </Button>
      )}
      {stands(first) ? (
        <StandingActions entry={first} small />
      ) : (
        <>
          {terminal.sessionId !== null && (
            <Button does="editEntry" small disabled={!live} onClick={edit}>
              {w.terminal.edit}
            </Button>
          )}
          <Button
            does="cancelEntry"
            small
            tone="quiet"
            disabled={!live}
            onClick={() => void actions.cancelEntry(first)}
          >
            {w.terminal.drop}
          </Button>
        </>
      )}
    </aside>
  )
}

/** In the place of the screen of a terminal whose engine is asked over the hub of a fleet. */
function NoScreen() {
  const { machine, here } = useApp()
  const { w } = useWords()
  if (machine === null) return null
  return (
    <Empty icon="term" title={w.machines.noScreen} text={w.machines.noScreenText(machine)}>
      {/* to be typed here */}
      <AppContext value={here}>
        <CommandLine text={`onward remote add ${machine}`} />
      </AppContext>
    </Empty>
  )
}
