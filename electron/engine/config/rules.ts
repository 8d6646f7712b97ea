/** Rules between settings, which a schema can't say. */
import { baseUrlOf } from '../../../shared/config/presets.ts'
import type { Config } from '../../../shared/config/schema.ts'
import { topicOf } from '../../../shared/notifications.ts'

export interface BrokenRule {
  path: readonly PropertyKey[]
  message: string
}

export function brokenRules(config: Config): BrokenRule[] {
  return [
    ...serverRules(config),
    ...providerRules(config),
    ...clientRules(config),
    ...routeRules(config),
    ...outsideRules(config),
    ...quietRules(config),
  ]
}

const loopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)

function serverRules({ server }: Config): BrokenRule[] {
  const seen = new Set<string>()
  const twice = server.keys.flatMap((key, i): BrokenRule[] => {
    if (typeof key === 'string' || !seen.has(key.alias)) {
      if (typeof key !== 'string') seen.add(key.alias)
      return []
    }
    return [{ path: ['server', 'keys', i, 'alias'], message: `Two keys are called “${key.alias}”.` }]
  })
  if (loopback(server.host) || server.keys.length > 0) return twice
  return [
    {
      path: ['server', 'host'],
      message: `Listening on ${server.host} lets other machines in: set server.keys, or use 127.0.0.1.`,
    },
  ]
}

function providerRules({ providers }: Config): BrokenRule[] {
  return Object.entries(providers).flatMap(([id, provider]) => {
    const broken: BrokenRule[] = []
    if (provider.type !== 'simulator' && baseUrlOf(id, provider) === null) {
      broken.push({ path: ['providers', id], message: `The provider ${id} needs a baseUrl.` })
    }
    const seen = new Set<string>()
    provider.keys.forEach((key, i) => {
      if (seen.has(key.alias))
        broken.push({
          path: ['providers', id, 'keys', i, 'alias'],
          message: `Two keys of ${id} are called “${key.alias}”.`,
        })
      seen.add(key.alias)
    })
    return broken
  })
}

const families = {
  'openai-chat': 'OpenAI',
  'openai-responses': 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Google',
  simulator: null,
} as const

/** A client sends one credential for its vendor: it may go to one origin only, never to whoever is next in a route. */
function clientRules({ providers }: Config): BrokenRule[] {
  const first = new Map<string, { id: string; origin: string }>()
  return Object.entries(providers).flatMap(([id, provider]): BrokenRule[] => {
    const family = families[provider.type]
    const address = baseUrlOf(id, provider)
    if (provider.auth !== 'client' || family === null || address === null || !URL.canParse(address)) return []
    const { origin } = new URL(address)
    const other = first.get(family)
    if (!other) first.set(family, { id, origin })
    if (!other || other.origin === origin) return []
    return [
      {
        path: ['providers', id, 'auth'],
        message: `${other.id} (${other.origin}) and ${id} (${origin}) both take the client’s own ${family} credential. It goes to one address only: give one of them a key of its own.`,
      },
    ]
  })
}

function routeRules({ routes, providers }: Config): BrokenRule[] {
  return Object.entries(routes).flatMap(([category, pool]) =>
    (pool ?? []).flatMap((entry, i): BrokenRule[] => {
      const target = typeof entry === 'string' ? entry : entry.target
      const [, id = '', model = ''] = /^([^./,]*)[./,](.*)$/s.exec(target) ?? []
      const path = ['routes', category, i]
      if (id === '' || model === '')
        return [{ path, message: `“${target}” is not a route target. Write provider.model, e.g. glm.glm-5.` }]
      if (!Object.hasOwn(providers, id))
        return [{ path, message: `The route ${category} names the provider “${id}”, which is not configured.` }]
      return []
    }),
  )
}

function outsideRules({ notifications }: Config): BrokenRule[] {
  const seen = new Set<string>()
  return notifications.outside.flatMap(({ name, kind, url, secretRef, token, tokenRef }, i): BrokenRule[] => {
    const broken: BrokenRule[] = []
    const path = ['notifications', 'outside', i]
    if (seen.has(name)) broken.push({ path: [...path, 'name'], message: `Two places are called “${name}”.` })
    seen.add(name)
    if ((url === undefined) === (secretRef === undefined))
      broken.push({ path, message: `“${name}” needs an address: either url, or secretRef with a stored one.` })
    if (token !== undefined && tokenRef !== undefined)
      broken.push({ path, message: `“${name}” has two tokens: keep either token or tokenRef.` })
    if (kind === 'ntfy' && url !== undefined && topicOf(url) === null)
      broken.push({
        path: [...path, 'url'],
        message: `“${name}” names no topic: write it behind the server’s address.`,
      })
    return broken
  })
}

function quietRules({ notifications: { quietHours } }: Config): BrokenRule[] {
  const { from, to } = quietHours
  return from.padStart(5, '0') === to.padStart(5, '0')
    ? [{ path: ['notifications', 'quietHours', 'to'], message: `Quiet hours from ${from} to ${to} are none.` }]
    : []
}
