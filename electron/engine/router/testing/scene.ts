import { configSchema, type Config, type ConfigInput } from '../../../../shared/config/schema.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createRouter, type RouterDeps } from '../create-router.ts'
import type { HealthEvent } from '../health/health.ts'
import type { ReadLimit } from '../limits/types.ts'
import type { Bound, RequestNeeds } from '../../protocol/types.ts'
import type { RouteAsk, RouteChoice, RouteOutcome } from '../types.ts'

export type AskPatch = Partial<Omit<RouteAsk, 'needs' | 'overrides' | 'credential'>> & {
  needs?: { tokens?: number; image?: boolean; webSearch?: boolean; thinking?: boolean; bound?: Bound }
  overrides?: Partial<RouteAsk['overrides']>
  credential?: string | null
}

export function ask(patch: AskPatch = {}): RouteAsk {
  const { needs = {}, overrides = {}, credential = null, ...rest } = patch
  const asked: RequestNeeds = {
    tokens: () => needs.tokens ?? 1_000,
    image: () => needs.image ?? false,
    webSearch: () => needs.webSearch ?? false,
    thinking: () => needs.thinking ?? false,
    bound: () => needs.bound ?? null,
  }
  return {
    requestId: 'r1',
    entry: 'chat',
    endpoint: 'generate',
    kind: 'turn',
    model: 'gpt-x',
    sessionId: 's',
    ...rest,
    needs: asked,
    overrides: { allow: null, prefer: null, force: null, disabled: [], ...overrides },
    credential: () => credential,
  }
}

/**
 * Reads only the headers `x-limit` and `retry-after` (seconds) and `x-subject` (`family opus`), so that a test says
 * what it means.
 */
const readLimit: ReadLimit = ({ headers, now }) => {
  const [limit, after] = [headers['x-limit'], headers['retry-after']]
  const [kind, name = ''] = String(headers['x-subject'] ?? '').split(' ')
  const about = kind === 'model' || kind === 'family' || kind === 'tier' ? { subject: { kind, name } as const } : {}
  if (limit !== undefined)
    return { kind: 'limit', window: '5h', lifts: limit === 'unknown' ? null : now + Number(limit) * 1000, ...about }
  return after === undefined ? null : { kind: 'rate', until: now + Number(after) * 1000, ...about }
}

/** A real router on a clock that the test sets. */
export function routerScene(
  input: ConfigInput,
  env: Readonly<Record<string, string>> = {},
  outages: Pick<RouterDeps, 'onCall'> = {},
) {
  const clock = virtualClock()
  let config: Config = configSchema.parse(input)
  const news: HealthEvent[] = []
  const router = createRouter({
    config: () => config,
    clock,
    secretOf(providerId, alias) {
      const key = config.providers[providerId]?.keys.find((k) => k.alias === alias)
      if (key && 'value' in key) return { ok: true, value: key.value }
      const name = key && 'env' in key ? key.env : ''
      const value = env[name]
      return value === undefined
        ? { ok: false, why: `the environment variable ${name} is not set` }
        : { ok: true, value }
    },
    readLimit,
    readQuotas: () => [],
    onHealthEvent: (one) => news.push(one),
    ...outages,
  })
  const tell = (choice: RouteChoice, outcome: RouteOutcome, asked = ask()) => router.report(asked, choice, outcome)
  return {
    ...router,
    clock,
    news,
    edit(next: ConfigInput) {
      config = configSchema.parse(next)
    },
    /** one good turn */
    serve(patch: AskPatch = {}): RouteChoice {
      const asked = ask(patch)
      const choice = router.choose(asked)
      tell(choice, { kind: 'began' }, asked)
      tell(choice, { kind: 'answered', status: 200, headers: {}, body: null, ttfbMs: 10, brokenOff: false }, asked)
      return choice
    },
    refuse: (choice: RouteChoice, status: number, headers: Record<string, string> = {}) =>
      tell(choice, { kind: 'refused', status, headers, body: '' }),
    tell,
  }
}

export type RouterScene = ReturnType<typeof routerScene>
export const targetOf = ({ providerId, upstreamModel }: RouteChoice): string => `${providerId}.${upstreamModel}`
/** providers `a`, `b`, … with one model `m` each and a route in that order */
export const threeInOrder: ConfigInput = {
  providers: Object.fromEntries(
    ['a', 'b', 'c'].map((id) => [
      id,
      { type: 'openai-chat' as const, baseUrl: `http://127.0.0.1:1/${id}`, auth: 'none' as const, models: { m: {} } },
    ]),
  ),
  routes: { default: ['a.m', 'b.m', 'c.m'] },
}
