import type { ReactNode } from 'react'
import { useApp, useUi, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import { toggled } from '../../state/ui.ts'
import { targetText } from '../../../shared/target-text.ts'
import type { DecisionStep, RouteFact } from '../../../shared/events.ts'

/** “Why” beside every automatic act; opens in place. `data-why` is where the W key finds it. */
export function WhyLink({ id, about }: { id: string; about: string }) {
  const { ui } = useApp()
  const { w } = useWords()
  const open = useUi((s) => s.openWhys.has(id))
  const word = open ? w.timeline.hideWhy : w.timeline.why
  return (
    <button
      type="button"
      className="why"
      data-why={id}
      aria-expanded={open}
      aria-label={w.timeline.whyOf(word, about)}
      onClick={() => ui.setState((s) => ({ openWhys: toggled(s.openWhys, id), activeRow: id }))}
    >
      {word}
    </button>
  )
}

export function WhyBox({ id, children }: { id: string; children: ReactNode }) {
  const open = useUi((s) => s.openWhys.has(id))
  return open ? <div className="why-box">{children}</div> : null
}

/** The decision as it was taken, step by step. */
export function Steps({ steps }: { steps: readonly DecisionStep[] }) {
  const { s } = useWords()
  return (
    <ol>
      {steps.map((step) => (
        <li key={step.check}>
          <Icon name={step.ok ? 'check' : 'x'} off={!step.ok} />
          <span>{s.step(step)}</span>
        </li>
      ))}
    </ol>
  )
}

/** Which rules chose the provider, and what was passed over. */
export function RouteWhy({ route, at }: { route: RouteFact; at: number }) {
  const { w, s } = useWords()
  return (
    <ol className="one">
      {route.why.map((reason) => (
        <li key={s.routeReason(reason)}>
          <Icon name="check" />
          <span>{s.routeReason(reason)}</span>
        </li>
      ))}
      {route.skipped.map((skip) => (
        <li key={`${skip.candidate} ${skip.why.code}`}>
          <Shape shape="held" />
          <span>{w.timeline.passedOver(targetText(skip.candidate), s.passedOver(skip.why, at))}</span>
        </li>
      ))}
      {route.keyAlias && (
        <li>
          <Icon name="check" />
          <span>{w.timeline.key(route.keyAlias)}</span>
        </li>
      )}
    </ol>
  )
}
