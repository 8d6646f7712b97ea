import { useApp, useLive, useMay, useUi, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { failsNow } from '../../../shared/asks-for-person.ts'
import type { SessionView, StopMessageView } from '../../../shared/state.ts'
import { ChecksList } from '../checks/checks-list.tsx'
import { ArmForm } from './arm-form.tsx'
import { Guards } from './guards.tsx'
import { Rounds } from './rounds.tsx'
import { StartLine } from './start-now.tsx'

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
