/** References to a provider outside its own entry: routes, aliases, the reviewer, the web search. */
import type { Config } from '../../../../shared/config/schema.ts'
import type { ConfigEdit } from '../../config/types.ts'
import { splitTarget } from '../../router/prepared.ts'

interface Reference {
  path: ConfigEdit['path']
  target: string
}

/** The same places under another name; whatever separates provider and model stays. */
export function renamedTargets(id: string, name: string, config: Config): readonly ConfigEdit[] {
  return referencesTo(id, config).map(({ path, target }) => ({ path, value: `${name}${target.slice(id.length)}` }))
}

/** A route that names a missing provider makes the config invalid; an alias for one is useless. */
export function withoutTargets(id: string, config: Config): readonly ConfigEdit[] {
  const fromRoutes = pools(config).flatMap(([category, targets]): ConfigEdit[] => {
    const gone = targets.flatMap((target, i) => (names(id, target, config) ? [i] : []))
    if (gone.length === targets.length && gone.length > 0) return [{ path: ['routes', category], value: undefined }]
    // From the last on, so that the others keep their places until it is their turn.
    return gone.reverse().map((i) => ({ path: ['routes', category, i], value: undefined }))
  })
  return [...fromRoutes, ...besideRoutes(id, config).map(({ path }) => ({ path, value: undefined }))]
}

function referencesTo(id: string, config: Config): readonly Reference[] {
  const inRoutes = pools(config).flatMap(([category, targets]) =>
    targets.flatMap((target, i): Reference[] => {
      if (!names(id, target, config)) return []
      const weighted = typeof config.routes[category]?.[i] === 'object'
      return [{ path: ['routes', category, i, ...(weighted ? ['target'] : [])], target }]
    }),
  )
  return [...inRoutes, ...besideRoutes(id, config)]
}

function besideRoutes(id: string, config: Config): readonly Reference[] {
  const { aliases, stopMessage, servertools } = config
  const { engine } = servertools.webSearch
  const single: readonly [ConfigEdit['path'], string | null][] = [
    [['stopMessage', 'review', 'model'], stopMessage.review.model],
    [['servertools', 'webSearch', 'engine', 'target'], engine?.type === 'model' ? engine.target : null],
    ...Object.entries(aliases).map(([name, target]): [ConfigEdit['path'], string] => [['aliases', name], target]),
  ]
  return single.flatMap(([path, target]) => (target !== null && names(id, target, config) ? [{ path, target }] : []))
}

const names = (id: string, target: string, { providers }: Config): boolean =>
  splitTarget(target, providers)?.providerId === id

type Category = keyof Config['routes']
const pools = ({ routes }: Config): [Category, string[]][] =>
  Object.entries(routes).map(([category, pool]) => [
    category as Category,
    (pool ?? []).map((entry) => (typeof entry === 'string' ? entry : entry.target)),
  ])
