/** The models that may take a session's turns while another fails. Pure. */
import type { ProviderView, RoutingView } from '../../../shared/routing.ts'
import { providerOfTarget } from '../../../shared/outage.ts'
import type { SessionView } from '../../../shared/state.ts'

const most = 8

export interface StandInFacts {
  providers: readonly ProviderView[]
  routing: Pick<RoutingView, 'routes'> | null
  /** what its markers allow counts here, too */
  session: Pick<SessionView, 'routing'>
  /** `provider.model` */
  failed: readonly string[]
}

/**
 * `provider.model`, the best first: the same model elsewhere, then those a route names, then the others. Left out are
 * models that fail, rest as a whole, take a client's own login or are simulators.
 */
export function standIns({ providers, routing, session, failed }: StandInFacts): readonly string[] {
  const failing = new Set(failed.map(providerOfTarget))
  const models = new Set(failed.map((target) => target.slice(providerOfTarget(target).length + 1)))
  const { allow = null, disabled = [] } = session.routing ?? {}
  const routed = Object.values(routing?.routes ?? {}).flatMap((pool) => pool.map(({ target }) => dotted(target)))
  const able = providers.filter(
    (provider) =>
      canServe(provider) &&
      !failing.has(provider.id) &&
      !disabled.includes(provider.id) &&
      (allow === null || allow.includes(provider.id)),
  )
  const rank = (target: string, model: string): number => {
    if (models.has(model)) return -1
    const at = routed.indexOf(target)
    return at === -1 ? routed.length : at
  }
  const all = able.flatMap(({ id, health, models: listed }) => {
    const resting = health.kind === 'resting' ? health.models : []
    const named = routed
      .filter((target) => providerOfTarget(target) === id)
      .map((target) => target.slice(id.length + 1))
    return [...new Set([...listed.map((model) => model.id), ...named])]
      .filter((model) => !resting.includes(model) && !disabled.includes(`${id}.${model}`))
      .map((model) => ({ target: `${id}.${model}`, rank: rank(`${id}.${model}`, model) }))
  })
  return all
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ target }) => target)
}

/** Routes may be written `provider/model` or `provider,model` as well. */
const dotted = (target: string): string => target.replace(/[./,]/, '.')

function canServe({ type, auth, health }: ProviderView): boolean {
  if (type === 'simulator' || auth === 'client') return false
  switch (health.kind) {
    case 'unused':
    case 'healthy':
    case 'answers-again':
    case 'some-keys':
      return true
    case 'resting':
      return health.models.length > 0
    case 'failing':
    case 'on-trial':
    case 'no-key':
    case 'forbidden':
      return false
  }
}
