import type { RoutingView } from '../../../../shared/routing.ts'
import type { ConfigHandle } from '../../config/types.ts'

/** The running config's routes as viewers see them. */
export function routingView(config: Pick<ConfigHandle, 'current' | 'savedAt' | 'canUndo'>): RoutingView {
  const { routes, aliases, longContextThreshold, limits } = config.current()
  return {
    routes: Object.fromEntries(
      Object.entries(routes).map(([category, pool]) => [
        category,
        pool.map((entry) => (typeof entry === 'string' ? { target: entry, weight: null } : entry)),
      ]),
    ),
    aliases,
    longContextThreshold,
    limits,
    savedAt: config.savedAt(),
    canUndo: config.canUndo(),
  }
}
