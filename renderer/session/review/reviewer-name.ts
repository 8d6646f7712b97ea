/** The reviewer's name: a route's model is known only once it was asked. Pure. */
import { routeCategories } from '../../../shared/config/names.ts'
import type { ReviewView } from '../../../shared/review.ts'
import type { EngineStatus } from '../../../shared/state.ts'
import type { Words } from '../../i18n/index.ts'

type Reviewer = EngineStatus['review']

/** The route that says which model reviews; null: the config names one, or a command. */
export const routeOf = (reviewer: Reviewer): string | null =>
  reviewer?.backend === 'model' ? (routeCategories.find((category) => category === reviewer.by) ?? null) : null

/** The name in a review that runs. */
export function currentReviewer(reviewer: Reviewer, { w }: Pick<Words, 'w'>): string {
  const route = routeOf(reviewer)
  if (!reviewer) return ''
  return route !== null
    ? w.review.route(route)
    : reviewer.backend === 'command'
      ? w.review.byCommand(reviewer.by)
      : reviewer.by
}

/** The name in a review that was done. */
export function reviewedBy(
  { by, backend }: Pick<ReviewView, 'by' | 'backend'>,
  reviewer: Reviewer,
  { w }: Pick<Words, 'w'>,
): string {
  const route = routeOf(reviewer)
  if (backend === 'command') return w.review.byCommand(by)
  return route === null ? by : w.review.byRoute(by, route)
}
