import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { Switch } from '../../parts/switch.tsx'
import type { SessionView } from '../../../shared/state.ts'

/** Nothing runs whose end the first round could follow. */
export const isIdle = ({ scope, say }: SessionView): boolean =>
  scope !== null && (say.code === 'idle' || say.code === 'armed' || say.code === 'done' || say.code === 'turn-failed')

/** Chooses whether the first round waits for the end of a turn. */
export function StartSwitch({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
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
