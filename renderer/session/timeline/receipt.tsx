import { useWords } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { Ticking } from '../../time/ticking.tsx'
import type { Followup } from './followup.ts'

/** How far a followup is: queued, typed, submitted, confirmed. */
export function Receipt({ followup }: { followup: Followup }) {
  const { w, s, f } = useWords()
  const { queuedAt, hold, heldSince, heldMs, typedAt, submittedAt, confirmed, end } = followup
  const steps: React.ReactNode[] = []
  if (queuedAt !== null) steps.push(<Step key="queued" name={w.round.queued} text={f.time(queuedAt)} />)
  if (hold && heldSince !== null)
    steps.push(
      <span key="hold">
        <Shape shape="held" />
        <b>{s.shape('held')}</b> <Ticking text={(now) => f.span(now - heldSince)} />
      </span>,
    )
  else if (heldMs >= 1000)
    steps.push(
      <span key="held">
        <Shape shape="held" />
        {w.timeline.heldFor(f.span(heldMs))}
      </span>,
    )
  if (typedAt !== null) steps.push(<Step key="typed" name={w.round.typed} />)
  if (submittedAt !== null) steps.push(<Step key="submitted" name={w.round.submitted} />)
  if (confirmed)
    steps.push(
      <Step
        key="confirmed"
        name={s.outbox('confirmed')}
        text={
          confirmed.late
            ? w.timeline.late(f.took(confirmed.afterMs))
            : w.timeline.byNextRequest(f.took(confirmed.afterMs))
        }
      />,
    )
  if (end?.kind === 'failed')
    steps.push(
      <span key="failed">
        <Shape shape="failed" />
        <b>{s.outbox('failed')}</b>
      </span>,
    )
  return (
    <p className="receipt">
      {steps.map((step, i) => (
        <span key={i}>
          {i > 0 && <i className="sep" />}
          {step}
        </span>
      ))}
    </p>
  )
}

const Step = ({ name, text }: { name: string; text?: string }) => (
  <span>
    <Shape shape="done" />
    <b>{name}</b>
    {text && ` ${text}`}
  </span>
)
