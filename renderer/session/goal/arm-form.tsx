import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useApp, useEngine, useLive, useUi, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { AreaField, TextField } from '../../parts/field.tsx'
import { canReArm } from '../../commands.ts'
import type { SessionView } from '../../../shared/state.ts'
import { draftOf, orderOf, roundsShown, runs } from './goal-form.ts'
import { Shape } from '../../icons/shape.tsx'
import { Switch } from '../../parts/switch.tsx'
import { routeOf } from '../review/reviewer-name.ts'
import { Problem } from '../../parts/trouble.tsx'
import { useOrder } from '../../parts/use-order.ts'

/** Sets a goal, or changes the one that runs. The last one that was cleared comes back with one click. */
export function ArmForm({ session }: { session: SessionView }) {
  const { actions, ui } = useApp()
  const { w } = useWords()
  const live = useLive()
  const goal = session.stopMessage
  const again = useUi((s) => s.editingGoal === session.id)
  const [draft, setDraft] = useState(() => draftOf(goal))
  const { busy, refused, refuse, give } = useOrder()
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (again) area.current?.focus()
  }, [again])
  const close = () => ui.setState({ editingGoal: null })
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    const order = orderOf(session.id, goal, draft)
    if (order.kind === 'bad-rounds') return refuse(w.goal.badRounds)
    if (order.kind === 'nothing') return close()
    const outcome = await give<unknown>(() =>
      order.kind === 'edit' ? actions.editGoal(order.input) : actions.arm(order.input),
    )
    if (outcome.ok) close()
  }
  const last = session.lastStopMessage
  return (
    <form
      className="arm"
      onSubmit={(e) => void submit(e)}
      onKeyDown={(e) => {
        if (e.key === 'Escape' && again) {
          e.stopPropagation()
          close()
        }
      }}
    >
      {!goal && (
        <p className="t2" style={{ marginTop: 8 }}>
          {w.goal.intro}
        </p>
      )}
      <div className="arm-line" style={goal ? { marginTop: 8 } : undefined}>
        <AreaField
          ref={area}
          boxClass="grow"
          label={w.goal.text}
          hideLabel
          placeholder={w.goal.placeholder}
          value={draft.text}
          maxLength={65_536}
          disabled={!live}
          onChange={(e) => setDraft({ ...draft, text: e.currentTarget.value })}
          onKeyDown={(e) => {
            if (e.key === 'Enter' && !e.shiftKey && !e.nativeEvent.isComposing) {
              e.preventDefault()
              void submit()
            }
          }}
        />
        <TextField
          boxClass="num arm-rounds"
          label={w.goal.roundsField}
          hideLabel
          title={w.goal.roundsHint}
          before={<span className="meta">{w.goal.roundsField}</span>}
          inputMode="numeric"
          placeholder="∞"
          value={roundsShown(draft)}
          disabled={!live}
          aria-invalid={refused === w.goal.badRounds || undefined}
          onChange={(e) => setDraft({ ...draft, rounds: e.currentTarget.value })}
        />
        <Button type="submit" tone="primary" busy={busy} disabled={!live}>
          {runs(goal) ? w.goal.save : goal ? w.goal.armAgain : w.goal.arm}
        </Button>
        {again && (
          <Button tone="quiet" onClick={close}>
            {w.goal.cancel}
          </Button>
        )}
      </div>
      <Problem text={refused} />
      <ReviewSwitch on={draft.review} onChange={(review) => setDraft({ ...draft, review })} />
      {!runs(goal) && isIdle(session) && <StartSwitch on={draft.now} onChange={(now) => setDraft({ ...draft, now })} />}
      {goal ? (
        <p className="meta">{runs(goal) ? w.goal.keepsRounds(goal.used) : w.goal.again}</p>
      ) : (
        <>
          <p className="meta cut">
            {w.goal.orInAgent} <code>{w.goal.marker}</code>
          </p>
          {last && canReArm(session) && (
            <p className="meta hstack">
              <span className="cut" title={last.text}>
                {w.goal.last(last.text, last.used, last.max)}
              </span>
              <span className="grow" />
              <Button does="rearmStopMessage" small disabled={!live} onClick={() => void actions.reArm(session.id)}>
                {w.goal.reArm}
              </Button>
            </p>
          )}
          {session.scope === null && <p className="meta">{w.goal.noTerminal}</p>}
        </>
      )}
    </form>
  )
}

/** Review on or off, who does it, and why that may not work yet. */
function ReviewSwitch({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const { w } = useWords()
  const live = useLive()
  const reviewer = useEngine((s) => s.status?.review)
  const route = routeOf(reviewer)
  const who =
    route !== null
      ? w.goal.reviewerOfRoute(route)
      : reviewer && reviewer.by !== ''
        ? w.goal.reviewer(reviewer.by)
        : w.goal.reviewerUnknown
  const says = on ? who : w.goal.withoutReview
  return (
    <div className="arm-review">
      <Switch checked={on} disabled={!live} onChange={onChange}>
        <span>{w.goal.review}</span>
      </Switch>
      <p className="meta">{says}</p>
      {on && reviewer?.problem && (
        <p className="tool-note">
          <Shape shape="needs" />
          <span>{reviewer.problem}</span>
        </p>
      )}
    </div>
  )
}

/** Nothing runs whose end the first round could follow. */
const isIdle = ({ scope, say }: SessionView): boolean =>
  scope !== null && (say.code === 'idle' || say.code === 'armed' || say.code === 'done' || say.code === 'turn-failed')

/** Chooses whether the first round waits for the end of a turn. */
function StartSwitch({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const { w } = useWords()
  const live = useLive()
  return (
    <div className="arm-review">
      <Switch checked={on} disabled={!live} onChange={onChange}>
        <span>{w.goal.startNow}</span>
      </Switch>
      <p className="meta">{on ? w.goal.startsNow : w.goal.startsLater}</p>
    </div>
  )
}

/**
 * Armed, and the agent is idle or has work in the background: says what the goal waits for, and offers to start now.
 */
export function StartLine({ session, used }: { session: SessionView; used: number }) {
  const { actions } = useApp()
  const { w, s } = useWords()
  const live = useLive()
  const waits = session.say.code === 'background-work'
  if (session.say.code !== 'armed' && !waits) return null
  const start = () => (waits ? actions.resume(session.id) : actions.startGoal(session.id))
  return (
    <div className="hstack meta start-line">
      <span className={waits ? 'grow' : 'grow cut'} title={s.say(session.say, 0)}>
        {s.say(session.say, 0)}
      </span>
      <Button does="startStopMessage" small disabled={!live} onClick={() => void start()}>
        {waits ? w.goal.goOnNow : used === 0 ? w.goal.startNow : w.session.continue}
      </Button>
    </div>
  )
}
