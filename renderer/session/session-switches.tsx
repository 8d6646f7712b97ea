import type { ReactNode } from 'react'
import { useApp, useLive, useWords } from '../app-context.ts'
import { Offered } from '../parts/offered.tsx'
import { Switch } from '../parts/switch.tsx'
import type { OperationName } from '../../shared/operations/index.ts'
import type { SessionView } from '../../shared/state.ts'

/** A person's switches for one session. The engine sends the new state; until then the switch stays where it was. */
export function SessionSwitches({ session }: { session: SessionView }) {
  const { actions } = useApp()
  const { w } = useWords()
  const d = w.details
  return (
    <section className="d-switches" aria-label={d.switches}>
      <Line
        does="setResumeAtReset"
        text={d.resume}
        hint={d.resumeHint}
        checked={session.resumeAtReset === true}
        onChange={(on) => void actions.resumeAtReset([session.id], on)}
      />
      <Line
        does="setRecover"
        text={d.recover}
        hint={d.recoverHint}
        checked={session.recovers === true}
        onChange={(on) => void actions.setRecover(session.id, on)}
      />
      <Line
        does="setCapture"
        text={d.capture}
        hint={d.captureHint}
        checked={session.capture === true}
        onChange={(on) => void actions.keepBodies(session.id, on)}
      />
    </section>
  )
}

function Line({
  does,
  text,
  hint,
  checked,
  onChange,
}: {
  does: OperationName
  text: string
  hint: ReactNode
  checked: boolean
  onChange: (on: boolean) => void
}) {
  const live = useLive()
  return (
    <Offered to={does}>
      <div>
        <Switch checked={checked} disabled={!live} onChange={onChange}>
          <span>{text}</span>
        </Switch>
        <p className="meta">{hint}</p>
      </div>
    </Offered>
  )
}
