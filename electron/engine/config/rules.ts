/** Rules between settings, which a schema can't say. */
import { baseUrlOf } from '../../../shared/config/presets.ts'
import { faultOf, type ConfigFault } from '../../../shared/config/config-faults.ts'
import type { Config, ProviderConfig } from '../../../shared/config/schema.ts'
import { topicOf } from '../../../shared/notifications.ts'

export interface BrokenRule {
  path: readonly PropertyKey[]
  fault: ConfigFault
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
    return [{ path: ['server', 'keys', i, 'alias'], fault: faultOf('key-twice', { alias: key.alias }) }]
  })
  if (loopback(server.host) || server.keys.length > 0) return twice
  return [
    {
      path: ['server', 'host'],
      fault: faultOf('open-host', { host: server.host }),
    },
  ]
}

function providerRules({ providers }: Config): BrokenRule[] {
  return Object.entries(providers).flatMap(([id, provider]) => {
    const broken: BrokenRule[] = []
    for (const member of provider.via === undefined ? [] : ownMembers(provider)) {
      const { via: engine = '' } = provider
      broken.push({ path: ['providers', id, member], fault: faultOf('via-and-own', { provider: id, engine, member }) })
    }
    if (provider.via === undefined && provider.type !== 'simulator' && baseUrlOf(id, provider) === null) {
      broken.push({ path: ['providers', id], fault: faultOf('no-base-url', { provider: id }) })
    }
    const seen = new Set<string>()
    provider.keys.forEach((key, i) => {
      if (seen.has(key.alias))
        broken.push({
          path: ['providers', id, 'keys', i, 'alias'],
          fault: faultOf('provider-key-twice', { provider: id, alias: key.alias }),
        })
      seen.add(key.alias)
    })
    return broken
  })
}

/** What belongs to the engine that a provider is reached through. Nothing is passed on to a third. */
function ownMembers({ keys, baseUrl, headers, auth, scenario, lend }: ProviderConfig): string[] {
  return Object.entries({
    keys: keys.length > 0,
    baseUrl: baseUrl !== undefined,
    headers: Object.keys(headers).length > 0,
    auth: auth !== 'key',
    scenario: scenario !== undefined,
    lend: lend === true,
  }).flatMap(([member, isSet]) => (isSet ? [member] : []))
}

const families = {
  'openai-chat': 'OpenAI',
  'openai-responses': 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Google',
  simulator: null,
} as const

/**
 * A client sends one credential for its vendor: it may go to one origin only, never to the next provider of a route.
 */
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
        fault: faultOf('two-origins', {
          vendor: family,
          first: other.id,
          firstOrigin: other.origin,
          second: id,
          secondOrigin: origin,
        }),
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
      if (id === '' || model === '') return [{ path, fault: faultOf('no-target', { target }) }]
      if (!Object.hasOwn(providers, id))
        return [{ path, fault: faultOf('route-provider', { route: category, provider: id }) }]
      return []
    }),
  )
}

function outsideRules({ notifications }: Config): BrokenRule[] {
  const seen = new Set<string>()
  return notifications.outside.flatMap(({ name, kind, url, secretRef, token, tokenRef }, i): BrokenRule[] => {
    const broken: BrokenRule[] = []
    const path = ['notifications', 'outside', i]
    if (seen.has(name)) broken.push({ path: [...path, 'name'], fault: faultOf('outside-twice', { name }) })
    seen.add(name)
    if ((url === undefined) === (secretRef === undefined))
      broken.push({ path, fault: faultOf('outside-address', { name }) })
    if (token !== undefined && tokenRef !== undefined) broken.push({ path, fault: faultOf('outside-tokens', { name }) })
    if (kind === 'ntfy' && url !== undefined && topicOf(url) === null)
      broken.push({
        path: [...path, 'url'],
        fault: faultOf('outside-topic', { name }),
      })
    return broken
  })
}

function quietRules({ notifications: { quietHours } }: Config): BrokenRule[] {
  const { from, to } = quietHours
  return from.padStart(5, '0') === to.padStart(5, '0')
    ? [{ path: ['notifications', 'quietHours', 'to'], fault: faultOf('quiet-none', { from, to }) }]
    : []
}
