import { useEngine, useLive, useWords } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { Switch } from '../../parts/switch.tsx'
import { routeOf } from '../review/reviewer-name.ts'

/** Review on or off, who does it, and why that may not work yet. */
export function ReviewSwitch({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
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
