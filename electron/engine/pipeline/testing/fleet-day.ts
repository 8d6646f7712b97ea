import fc from 'fast-check'
import { configSchema, type ConfigInput } from '../../../../shared/config/schema.ts'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createRouter } from '../../router/create-router.ts'
import type { HealthEvent } from '../../router/health/health.ts'
import { readLimit } from '../../router/limits/read-limit.ts'
import { readQuotas } from '../../router/limits/read-quotas.ts'
import { DAY, faultPlan, MINUTE, type FaultPlan } from './fault-plan.ts'
import { fleet, type FleetCall, type FleetProvider } from './fleet.ts'
import { fleetClients, type FleetTurn } from './fleet-client.ts'

export interface FleetDay {
  providers: readonly FleetProvider[]
  turns: readonly FleetTurn[]
  calls: readonly FleetCall[]
  /** the provider that a session goes to when all is well */ homeOf(session: string): string
  timersLeft: number
  news: readonly FleetNews[]
}
export type FleetNews = HealthEvent & { at: number }

const BURST = 64
/** First no provider can be reached, and later all are at a limit. */
export const outage = { from: 13 * 60 * MINUTE, to: 13 * 60 * MINUTE + 20 * MINUTE }
export const allLimited = { from: 19 * 60 * MINUTE, to: 19 * 60 * MINUTE + 40 * MINUTE }

const kinds = [
  ['a', 'openai-chat', 3],
  ['b', 'anthropic', 2],
  ['c', 'openai-responses', 2],
  ['d', 'gemini', 1],
  ['e', 'openai-chat', 0],
] as const
const common = (keys: number): FaultPlan => [
  { fault: 'unreachable', ...outage, keys: null },
  { fault: 'limit', ...allLimited, keys: keys === 0 ? null : Array.from({ length: keys }, (_, i) => i) },
]

const config: ConfigInput = {
  providers: Object.fromEntries(
    kinds.map(([id, type, keys]) => [
      id,
      {
        type,
        baseUrl: `http://${id}.test${type.startsWith('openai') ? '/v1' : ''}`,
        auth: keys === 0 ? ('none' as const) : ('key' as const),
        models: { m: {} },
        keys: Array.from({ length: keys }, (_, i) => ({ alias: `k${i + 1}`, value: `sk-${id}-${i + 1}` })),
      },
    ]),
  ),
  routes: { default: [{ target: 'a.m', weight: 3 }, { target: 'b.m', weight: 1 }, 'c.m', 'd.m', 'e.m'] },
}

/** Several hundred sessions over a day, and bursts at the moments when something is tried again. */
export async function fleetDay(seed: number): Promise<FleetDay> {
  const clock = virtualClock()
  const providers = kinds.map(([id, type, keys], i): FleetProvider => ({
    id,
    type,
    keys,
    plan: faultPlan(seed * 100 + i, keys, common(keys)),
  }))
  const { transport, calls } = fleet(providers, clock)
  const parsed = configSchema.parse(config)
  const news: FleetNews[] = []
  const newRouter = () =>
    createRouter({
      onHealthEvent: (one) => news.push({ ...one, at: clock.monotonic() }),
      config: () => parsed,
      clock,
      readLimit,
      readQuotas,
      secretOf(providerId, alias) {
        const key = parsed.providers[providerId]?.keys.find((k) => k.alias === alias)
        return key && 'value' in key ? { ok: true, value: key.value } : { ok: false, why: 'it has none' }
      },
    })
  const [router, untouched] = [newRouter(), newRouter()]
  const clients = fleetClients(clock, router, transport)
  const turns: FleetTurn[] = []
  const running = new Set<Promise<void>>()
  let n = 0
  const ask = (session: string, entry: EntryProtocol, stream: boolean, patienceMs: number | null = null) => {
    const one = clients.ask({ id: `t${n++}`, session, entry, stream, patienceMs }).then((turn) => {
      turns.push(turn)
      running.delete(one)
    })
    running.add(one)
  }

  for (const next of schedule(seed)) {
    await clock.advance(Math.max(0, next.at - clock.monotonic()))
    if (next.kind === 'turn') {
      ask(next.session, next.entry, next.stream, next.patienceMs)
      continue
    }
    // All clients wait for the first thing that comes back, and ask in the same moment.
    const rests = router
      .views()
      .flatMap(({ health, keys }) => [
        ...(health.kind === 'resting' ? [health.rest.until] : []),
        ...keys.flatMap(({ state }) => (state.kind === 'resting' ? [state.rest.until] : [])),
      ])
    const until = Math.min(...rests.filter((at) => at < clock.now() + 2 * MINUTE), clock.now() + MINUTE)
    await clock.advance(until - clock.now() + 1)
    for (let i = 0; i < BURST; i++) ask(`burst-${n}`, entries[i % entries.length] ?? 'chat', i % 2 === 0)
  }
  await clock.advance(Math.max(0, DAY - clock.monotonic()) + 2 * 60 * MINUTE)
  if (running.size > 0) throw new Error(`${running.size} turns never ended`)
  const homes = new Map<string, string>()
  const homeOf = (session: string): string => {
    const known =
      homes.get(session) ??
      untouched.choose({
        requestId: 'r',
        entry: 'chat',
        endpoint: 'generate',
        kind: 'turn',
        model: 'any',
        sessionId: session,
        overrides: { allow: null, prefer: null, force: null, disabled: [] },
        needs: { tokens: () => 1, image: () => false, webSearch: () => false, thinking: () => false },
        credential: () => null,
      }).providerId
    homes.set(session, known)
    return known
  }
  return { providers, turns, calls, homeOf, timersLeft: clock.pending(), news }
}

const entries: readonly EntryProtocol[] = ['chat', 'messages', 'responses']
type Next =
  | { at: number; kind: 'turn'; session: string; entry: EntryProtocol; stream: boolean; patienceMs: number | null }
  | { at: number; kind: 'burst' }

function schedule(seed: number): Next[] {
  const session = fc.record({
    start: fc.integer({ min: 0, max: DAY / 1_000 - 3_600 }),
    entry: fc.constantFrom(...entries),
    gaps: fc.array(
      fc.oneof(
        fc.integer({ min: 5, max: 90 }),
        fc.integer({ min: 60, max: 500 }),
        fc.integer({ min: 300, max: 1_500 }),
      ),
      { minLength: 3, maxLength: 14, size: 'max' },
    ),
    stream: fc.boolean(),
    hasty: fc.integer({ min: 0, max: 20 }),
  })
  const [sessions = []] = fc.sample(fc.array(session, { minLength: 400, maxLength: 400, size: 'max' }), {
    seed,
    numRuns: 1,
  })
  const turns = sessions.flatMap(({ start, entry, gaps, stream, hasty }, i): Next[] => {
    let at = start * 1_000
    return gaps.map((gap, g) => {
      at += gap * 1_000
      return {
        at,
        kind: 'turn',
        session: `s${i}`,
        entry,
        stream,
        patienceMs: hasty === 0 && g % 3 === 0 ? 1_500 : null,
      }
    })
  })
  const bursts = Array.from({ length: 46 }, (_, i): Next => ({ at: (i + 1) * 31 * MINUTE, kind: 'burst' }))
  return [...turns, ...bursts].filter(({ at }) => at < DAY).toSorted((a, b) => a.at - b.at)
}
