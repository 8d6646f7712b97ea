import { useApp, useEngine, useLive, useUi, useWords } from '../app-context.ts'
import { Countdown } from '../alarms/countdown-text.tsx'
import { Shape } from '../icons/shape.tsx'
import { Button } from '../parts/button.tsx'
import { home } from '../state/place.ts'
import { Step } from './step.tsx'
import type { AlarmsView } from '../../shared/alarms/alarms.ts'
import type { SessionView } from '../../shared/state.ts'
import { Problem } from '../parts/trouble.tsx'
import { useOrder } from '../parts/use-order.ts'

/** An agent that stops, and is kept going before a person's eyes. */
export function DemoStep() {
  const { navigation } = useApp()
  const { w } = useWords()
  const t = w.firstRun.demo
  const id = useUi((s) => s.firstRun.demo)
  const session = useEngine((s) =>
    // Sessions without a terminal are no demo that was not started.
    id === null ? null : ([...s.sessions.values()].find(({ terminalId }) => terminalId === id) ?? null),
  )
  const gone = useEngine((s) => id !== null && s.status !== null && !s.terminals.has(id))
  const alarms = useEngine((s) => s.alarms)
  const progress = demoProgress(session, alarms)
  const through = progress.rings === 'done'
  const start = useStart()
  return (
    <Step
      name="demo"
      n={3}
      title={t.name}
      hint={t.hint}
      done={progress.rounds >= DEMO_ROUNDS ? t.did : null}
      beside={
        id === null && (
          <Button busy={start.busy} disabled={!start.live} onClick={start.run}>
            {t.start}
          </Button>
        )
      }
    >
      {id === null ? (
        <div className="hstack">
          <Button tone="primary" busy={start.busy} disabled={!start.live} onClick={start.run}>
            {t.start}
          </Button>
          <span className="meta">{t.note}</span>
        </div>
      ) : (
        <>
          <ol className="demo" aria-label={t.name}>
            <Line stage={progress.stops} text={t.stops} />
            <Line stage={progress.types} text={t.types} />
            <Line stage={progress.more} text={t.more} beside={t.count(progress.rounds, DEMO_ROUNDS)} />
            <Line
              stage={progress.rings}
              text={t.rings}
              beside={progress.dueAt === null ? null : <Countdown dueAt={progress.dueAt} />}
            />
          </ol>
          <div
            className="ticks"
            role="progressbar"
            aria-label={t.rounds(progress.rounds, DEMO_ROUNDS)}
            aria-valuenow={progress.rounds}
            aria-valuemin={0}
            aria-valuemax={DEMO_ROUNDS}
          >
            {Array.from({ length: DEMO_ROUNDS }, (_, i) => (
              <i key={i} className={i < progress.rounds ? 'u' : i === progress.rounds ? 'c' : ''} />
            ))}
          </div>
          {gone && !through && <p className="meta failed">{t.ended}</p>}
          <div className="hstack step-act">
            <Button tone={through ? 'primary' : undefined} onClick={() => navigation.go(home)}>
              {t.finish}
            </Button>
            {session && (
              <Button
                onClick={() =>
                  navigation.go({
                    view: 'sessions',
                    selection: { kind: 'session', id: session.id, tab: 'terminal' },
                  })
                }
              >
                {t.watch}
              </Button>
            )}
            {(through || gone) && (
              <Button tone="quiet" busy={start.busy} disabled={!start.live} onClick={start.run}>
                {t.again}
              </Button>
            )}
          </div>
        </>
      )}
      <Problem text={start.refused} />
    </Step>
  )
}

const shapes = { waits: 'idle', runs: 'working', done: 'done' } as const

function Line({ stage, text, beside }: { stage: Stage; text: string; beside?: React.ReactNode }) {
  const { w } = useWords()
  return (
    <li className={stage === 'waits' ? 't3' : undefined}>
      <Shape shape={shapes[stage]} name={w.firstRun.demo[stage]} />
      <span>{text}</span>
      <span className="grow" />
      {beside !== null && beside !== undefined && <span className="meta num">{beside}</span>}
    </li>
  )
}

function useStart() {
  const { actions, ui } = useApp()
  const live = useLive()
  const { busy, refused, give } = useOrder()
  const run = async () => {
    ui.setState((s) => ({ firstRun: { ...s.firstRun, open: 'demo' } }))
    const outcome = await give(() => actions.ask((c) => c.startDemo.mutate()))
    if (outcome.ok) ui.setState((s) => ({ firstRun: { ...s.firstRun, demo: outcome.value.id } }))
  }
  return { busy, refused, live, run: () => void run() }
}

/** How far the demo has come, from what the dashboard knows of its session. Pure. */
const DEMO_ROUNDS = 3

type Stage = 'waits' | 'runs' | 'done'
interface DemoProgress {
  stops: Stage
  types: Stage
  more: Stage
  rings: Stage
  /** confirmed rounds */
  rounds: number
  /** when the alarm rings; null: it is not set, or rang */
  dueAt: number | null
}

function demoProgress(session: SessionView | null, alarms: AlarmsView | null): DemoProgress {
  // The first turn is the agent's own; every further one answers a followup.
  const rounds = Math.min(DEMO_ROUNDS, Math.max(0, (session?.turns ?? 0) - 1))
  const stopped = (session?.turns ?? 0) >= 1
  const set = alarms?.alarms.find(({ sessionId }) => sessionId === session?.id) ?? null
  const rang =
    set?.state.kind === 'delivered' ||
    (alarms?.history.some(({ sessionId, end }) => sessionId === session?.id && end.kind === 'delivered') ?? false)
  const after = (before: boolean, done: boolean): Stage => (done ? 'done' : before ? 'runs' : 'waits')
  return {
    stops: after(true, stopped),
    types: after(stopped, rounds >= 1),
    more: after(rounds >= 1, rounds >= DEMO_ROUNDS),
    rings: after(rounds >= DEMO_ROUNDS, rang),
    rounds,
    dueAt: set?.state.kind === 'waits' ? set.dueAt : null,
  }
}
