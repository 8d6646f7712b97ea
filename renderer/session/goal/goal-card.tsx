import type { CSSProperties } from 'react'
import { useApp, useLive, useMay, useUi, useWords } from '../../app-context.ts'
import type { Words } from '../../i18n/index.ts'
import { Icon } from '../../icons/icon.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { failsNow } from '../../../shared/asks-for-person.ts'
import type { SessionView, StopMessageView } from '../../../shared/state.ts'
import { ChecksList } from '../checks/checks-list.tsx'
import { ArmForm, StartLine } from './arm-form.tsx'
import { Guards } from './guards.tsx'
import { ticksOf, withoutProgress, type Tick } from './ticks.ts'

/** Keep going: the goal, its rounds, checks and guards, or the form that sets one. */
export function GoalCard({ session }: { session: SessionView }) {
  const { w } = useWords()
  const editing = useUi((s) => s.editingGoal === session.id)
  const goal = session.stopMessage
  const mayArm = useMay('setStopMessage')
  if (!goal && !mayArm) return null
  return (
    <section className="card" aria-label={w.goal.title}>
      {goal && !editing ? (
        <Armed session={session} goal={goal} />
      ) : (
        <>
          <div className="card-head">
            <Icon name="goal" />
            <h2>{w.goal.title}</h2>
          </div>
          <ArmForm key={goal ? 'again' : 'new'} session={session} />
        </>
      )}
    </section>
  )
}

function Armed({ session, goal }: { session: SessionView; goal: StopMessageView }) {
  const { actions, ui } = useApp()
  const { w, s } = useWords()
  const live = useLive()
  const { max, review, status } = goal
  const facts = [review ? w.goal.reviewOn : '', max === null ? w.goal.unbounded : w.goal.untilRound(max)].filter(
    Boolean,
  )
  const waits = session.paused || status.kind === 'paused'
  return (
    <>
      <div className="card-head">
        <Icon name="goal" />
        <h2>{w.goal.title}</h2>
        <span className="meta cut">{s.figures.list(facts)}</span>
        <span className="grow" />
        {max !== null && (
          <Button
            does="addRounds"
            small
            title={w.goal.addTen}
            aria-label={`+10: ${w.goal.addTen}`}
            disabled={!live}
            onClick={() => void actions.addRounds(session.id, 10)}
          >
            +10
          </Button>
        )}
        <IconButton
          does={waits ? 'resume' : 'pause'}
          icon={waits ? 'play' : 'pause'}
          small
          name={waits ? w.goal.resume : w.goal.pause}
          disabled={!live}
          onClick={() => void (waits ? actions.resume(session.id) : actions.pause(session.id))}
        />
        <IconButton
          does="clearStopMessage"
          icon="x"
          small
          name={w.goal.clear}
          disabled={!live}
          onClick={() => void actions.clear(session.id)}
        />
      </div>
      <div className="goal">
        <p title={goal.text}>“{goal.text}”</p>
        <IconButton
          does="editStopMessage"
          icon="edit"
          small
          name={w.goal.edit}
          keys="G"
          disabled={!live}
          onClick={() => ui.setState({ editingGoal: session.id })}
        />
      </div>
      <Rounds goal={goal} quiet={waits || status.kind === 'done' || status.kind === 'failed' || failsNow(session)} />
      <StartLine session={session} used={goal.used} />
      <div className="divider" />
      {review && <ChecksList session={session} />}
      <Guards goal={goal} />
    </>
  )
}

/** Rounds are countable up to here; above that a plain bar (design README). */
const mostTicks = 40
const look: Record<Tick, string | undefined> = { progress: 'u', none: 'n', now: 'c', free: undefined }

function Rounds({ goal, quiet }: { goal: StopMessageView; quiet: boolean }) {
  const words = useWords()
  const { w, s } = words
  const { used, max, status } = goal
  const said =
    status.kind === 'paused'
      ? s.pause(status.reason)
      : status.kind === 'done'
        ? s.done(status.reason)
        : status.kind === 'failed'
          ? s.fail(status.reason)
          : stuckSaid(goal, words)
  return (
    <>
      <Gauge goal={goal} quiet={quiet} label={w.goal.used(used, max)} words={words} />
      <div className="hstack meta under-bar">
        <span className="num">
          <b>{w.goal.ofRounds(used, max)}</b> {w.goal.rounds}
        </span>
        {said && (
          <span className="grow cut num" style={{ textAlign: 'right' }} title={said}>
            {said}
          </span>
        )}
      </div>
    </>
  )
}

function stuckSaid({ goal }: StopMessageView, { w }: Words): string | null {
  const rounds = withoutProgress(goal?.rounds ?? [])
  const [first, second] = rounds
  if (first === undefined) return null
  if (second === undefined) return w.goal.noProgressOne(first)
  return rounds.length === 2 ? w.goal.noProgressTwo(first, second) : w.goal.noProgressMany(rounds.length)
}

function Gauge({
  goal,
  quiet,
  label,
  words: { w },
}: {
  goal: StopMessageView
  quiet: boolean
  label: string
  words: Words
}) {
  const { used, max } = goal
  const tone = quiet ? ' quiet' : ''
  // Unbounded has no end to be near to, so it has no value either.
  if (max === null) return <div className={`bar open${tone}`} role="img" aria-label={label} />
  const progress = {
    role: 'progressbar',
    'aria-valuemin': 0,
    'aria-valuemax': max,
    'aria-valuenow': used,
    'aria-label': label,
  } as const
  if (max > mostTicks) {
    const fill: CSSProperties & { '--p': number } = { '--p': Math.min(1, used / max) }
    return <div className={`bar${tone}`} style={fill} {...progress} />
  }
  return (
    <div className={`ticks${tone}`} {...progress}>
      {ticksOf(goal).map((tick, i) => (
        <i
          key={i}
          className={look[tick]}
          title={tick === 'none' ? w.goal.madeNoProgress(i + 1) : w.goal.round(i + 1)}
        />
      ))}
    </div>
  )
}
