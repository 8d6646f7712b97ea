import type { TimelineEvent } from '../../../shared/events.ts'
import type { PassedOver, RouteFact, RouteReason } from '../../../shared/routing.ts'
import type { TurnRecord } from '../../../shared/state.ts'

/** A route as it stands on the disk: before 0.2 its reasons were sentences, and no category was kept. */
interface WrittenRoute {
  provider: string
  model: string
  keyAlias?: string | null
  category?: RouteFact['category']
  why?: readonly (string | RouteReason)[]
  skipped?: readonly { candidate: string; why: string | PassedOver }[]
}

/** The route of a record, whichever version wrote it. */
export function readRoute(written: WrittenRoute | null | undefined): RouteFact | null {
  if (!written) return null
  const { provider, model, keyAlias = null, category = null, why = [], skipped = [] } = written
  return {
    provider,
    model,
    keyAlias,
    category,
    why: why.map(reason),
    skipped: skipped.map((one) => ({ candidate: one.candidate, why: reason(one.why) })),
  }
}

const reason = <T>(why: string | T): T | { code: 'said'; text: string } =>
  typeof why === 'string' ? { code: 'said', text: why } : why

export const withRoute = (record: TurnRecord): TurnRecord => ({ ...record, route: readRoute(record.route) })

export function withRouteInEvent(event: TimelineEvent): TimelineEvent {
  const { body } = event
  return body.type === 'turn-ended' ? { ...event, body: { ...body, route: readRoute(body.route) } } : event
}
