import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configSchema, type Config } from '../../../../shared/config/schema.ts'
import { provider as providerShape } from '../../../../shared/config/provider.ts'
import type { Usage } from '../../../../shared/cost/usage.ts'
import type { EventBody } from '../../../../shared/events.ts'
import type { TurnRecord } from '../../../../shared/state.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { codecOf } from '../../protocol/index.ts'
import { parseObject } from '../../protocol/values.ts'
import type { UpstreamHandler, UpstreamRequest } from '../../providers/types.ts'
import type { RouteChoice } from '../../router/types.ts'
import { draftOf, emptySummary, noOverrides, type Turn, type TurnEnd } from '../turn.ts'
import { createWarmCaches } from './keep-warm.ts'

const minute = 60_000
const tokens = 100_000
const price = { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 }

const choice = (more: { price?: object | null; baseUrl?: string; id?: string } = {}): RouteChoice => {
  const { id = 'anthropic', baseUrl } = more
  return {
    providerId: id,
    provider: providerShape.parse({
      type: 'anthropic',
      ...(baseUrl ? { baseUrl } : {}),
      keys: [{ alias: 'main', value: 'k' }],
      models: { m: more.price === null ? {} : { price: more.price ?? price } },
    }),
    type: 'anthropic',
    upstreamModel: 'm',
    key: { alias: 'main', value: 'k' },
    fact: { provider: id, model: 'm', keyAlias: 'main', category: 'default', why: [], skipped: [] },
    credential: null,
  }
}

const marked = { type: 'text', text: 'Go on.', cache_control: { type: 'ephemeral' } }
const prompt = { system: 'You are an agent.', messages: [{ role: 'user', content: [marked] }] }
const usualBody = { model: 'm', max_tokens: 32_000, stream: true, thinking: { type: 'adaptive' }, ...prompt }

/** A vendor's cache of five minutes, and a session that asks it. */
function world(settings: Partial<Config['keepWarm']> = {}, { refuses = false } = {}) {
  const clock = virtualClock(0)
  const pings: { at: number; body: object }[] = []
  const told: EventBody[] = []
  const records: TurnRecord[] = []
  const at = { wake: null as number | null, rests: true, holds: false }
  let usedAt = -Infinity
  let open: UpstreamHandler | null = null
  const read = (): Usage => {
    const warm = clock.now() - usedAt <= 5 * minute
    usedAt = clock.now()
    const counts = warm ? { cachedInput: tokens } : { cachedInput: 0, cacheWrite: tokens }
    return { input: tokens + 10, output: 0, reasoning: 0, ...counts }
  }
  const answer = (handler: UpstreamHandler) => {
    const { cachedInput, cacheWrite = 0 } = read()
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: cachedInput,
      cache_creation_input_tokens: cacheWrite,
      output_tokens: 0,
    }
    handler.onHead(refuses ? 400 : 200, { 'content-type': 'application/json' })
    const said = { id: 'msg', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: 'max_tokens' }
    handler.onData(Buffer.from(JSON.stringify(refuses ? { type: 'error' } : { ...said, usage })))
    handler.onEnd()
  }
  const warm = createWarmCaches({
    clock,
    random: { uuid: () => String(pings.length) },
    transport: {
      send(request, handler) {
        const body = request.body
        pings.push({ at: clock.now(), body: (Buffer.isBuffer(body) ? parseObject(body) : null) ?? {} })
        if (at.holds) open = handler
        else queueMicrotask(() => answer(handler))
        return {
          abort: () => {
            open = null
            handler.onError({ code: 'upstream-aborted' } as Parameters<UpstreamHandler['onError']>[0])
          },
          dump: () => undefined,
          resume: () => undefined,
        }
      },
    },
    settings: () => ({ ...configSchema.parse({}).keepWarm, providers: ['anthropic'], ...settings }),
    wakeOf: () => (at.wake !== null && at.wake > clock.now() ? at.wake : null),
    rests: () => at.rests,
    spentBefore: async () => ({ pings: 0, usd: 0 }),
    record: (_about, body) => void told.push(body),
    addRecord: (record) => void records.push(record),
    lasts: () => undefined,
  })
  return {
    clock,
    pings,
    told,
    records,
    at,
    warm,
    isOpen: () => open !== null,
    /** @returns what the turn's own request found */
    async turn({ took = 0, body = usualBody as object, by = choice(), more = {} as Partial<TurnEnd> } = {}) {
      const bytes = Buffer.from(JSON.stringify(body))
      const turn = turnOf(bytes)
      warm.began('s')
      const usage = read()
      const request: UpstreamRequest = {
        url: 'https://api.anthropic.com/v1/messages',
        method: 'POST',
        headers: { 'x-api-key': 'k' },
        body: bytes,
        timeouts: { connectMs: 1, firstByteMs: 1, idleMs: 1 },
      }
      warm.sent(turn, by, request)
      await clock.advance(took)
      warm.ended(turn, endOf(usage, by, more))
      return usage
    },
  }
}

const endOf = (usage: Usage, by: RouteChoice, more: Partial<TurnEnd>): TurnEnd => ({
  summary: emptySummary('stop', null, usage),
  status: 200,
  route: by.fact,
  choice: by,
  ttfbMs: 1,
  durationMs: 1,
  bytesOut: 1,
  clientLeft: false,
  ...more,
})

function turnOf(body: Buffer): Turn {
  const codec = codecOf('messages')
  return {
    codec,
    draft: draftOf(codec, body, '/v1/messages'),
    bytesIn: body.length,
    ordinal: 1,
    receipt: { ours: [], proves: [] },
    overrides: noOverrides,
    ownAnswer: null,
    reentered: false,
    tried: [],
    dropped: [],
    identity: { sessionId: 's', scope: null, client: 'claude', kind: 'turn' } as Turn['identity'],
    call: { requestId: 'r', entry: 'messages', endpoint: 'generate' } as Turn['call'],
  }
}

describe('the cache of a session with an alarm', () => {
  it('is kept until then: the same prompt, without output, and what it cost and saves is told', async () => {
    const w = world()
    w.at.wake = 12 * minute
    await w.turn({ took: 30_000 })
    expect(w.warm.of('s')).toMatchObject({ kind: 'pings', at: 4.5 * minute, pings: 2 })
    await w.clock.advance(11 * minute)
    expect(w.pings.map(({ at }) => at)).toEqual([4.5 * minute, 9 * minute])
    expect(w.pings[0]?.body).toEqual({ ...usualBody, max_tokens: 0, stream: false })
    const saves = expect.closeTo(0.45, 9)
    const cost = expect.closeTo(0.05005, 9)
    expect(w.told).toMatchObject([
      { type: 'cache-kept', tokens, costUsd: cost, savesUsd: saves, until: 9.5 * minute },
      { type: 'cache-kept', until: 14 * minute },
    ])
    expect(w.records).toMatchObject([{ kind: 'warm', sessionId: 's', costUsd: cost, by: 'onward' }, { kind: 'warm' }])
    await w.clock.advance(30_000)
    expect((await w.turn()).cachedInput).toBe(tokens)
  })

  it.each<[string, (w: ReturnType<typeof world>) => unknown, string, Parameters<typeof world>[0]?]>([
    ['no alarm', (w) => w.turn(), 'no-time'],
    ['an alarm within its time', (w) => ((w.at.wake = 4 * minute), w.turn()), 'lasts'],
    ['an alarm so late that it would be dearer', (w) => ((w.at.wake = 60 * minute), w.turn()), 'not-cheaper'],
    ['a session that may not go on', (w) => ((w.at.rests = false), w.turn()), 'rests'],
    ['a budget of fewer pings', (w) => w.turn(), 'budget', { pingsPerDay: 1 }],
    ['a budget of less money', (w) => w.turn(), 'budget', { usdPerDay: 0.09 }],
    ['thinking with a budget', (w) => w.turn({ body: { ...usualBody, thinking: { type: 'enabled' } } }), 'form'],
    ['a forced tool', (w) => w.turn({ body: { ...usualBody, tool_choice: { type: 'any' } } }), 'form'],
    ['a set form', (w) => w.turn({ body: { ...usualBody, output_config: { format: {} } } }), 'form'],
    ['no marks', (w) => w.turn({ body: { ...usualBody, messages: [{ role: 'user', content: 'a' }] } }), 'not-known'],
    ['a gateway', (w) => w.turn({ by: choice({ baseUrl: 'https://gate.example' }) }), 'not-known'],
    ['no price', (w) => w.turn({ by: choice({ price: null }) }), 'no-price'],
    ['a login of the client’s', (w) => w.turn({ by: { ...choice(), key: null, credential: 'c' } }), 'no-price'],
    ['reads as dear as writes', (w) => w.turn({ by: choice({ price: { input: 5, output: 5 } }) }), 'not-cheaper'],
  ])('is not kept with %s', async (_, act, why, settings) => {
    const w = world(settings)
    w.at.wake = why === 'no-time' ? null : 12 * minute
    await act(w)
    await w.clock.advance(0)
    expect(w.warm.of('s')).toEqual({ kind: 'none', why })
    await w.clock.advance(70 * minute)
    expect(w.pings).toEqual([])
  })

  it('is known by the last of several requests of an answer', async () => {
    const w = world()
    w.at.wake = 8 * minute
    const last: Usage = { input: tokens, cachedInput: tokens, output: 1, reasoning: 0 }
    await w.turn({ more: { summed: true, lastUsage: last } })
    await w.clock.advance(8 * minute)
    expect(w.pings).toHaveLength(1)
  })

  it('is left alone by a provider that is not named', async () => {
    const w = world({ providers: [] })
    w.at.wake = 8 * minute
    await w.turn()
    expect(w.warm.of('s')).toBeNull()
    await w.clock.advance(8 * minute)
    expect(w.pings).toEqual([])
  })

  it('is not asked for again after a refusal, which is told', async () => {
    const w = world({}, { refuses: true })
    w.at.wake = 12 * minute
    await w.turn()
    await w.clock.advance(12 * minute)
    expect(w.pings).toHaveLength(1)
    expect(w.told).toEqual([{ type: 'cache-not-kept', why: 'refused', status: 400 }])
    expect(w.warm.of('s')).toEqual({ kind: 'none', why: 'failed' })
  })

  it('is not asked for where the machine slept past its end', async () => {
    const w = world()
    w.at.wake = 30 * minute
    await w.turn()
    w.clock.sleep(10 * minute)
    await w.clock.advance(30 * minute)
    expect(w.pings).toEqual([])
  })

  it('is not asked for beside a turn: a ping under way is given up, once, and counts as spent', async () => {
    const w = world({ pingsPerDay: 1 })
    w.at.wake = 8 * minute
    w.at.holds = true
    await w.turn()
    await w.clock.advance(5 * minute)
    expect(w.isOpen()).toBe(true)
    await w.turn()
    expect(w.isOpen()).toBe(false)
    expect(w.told).toEqual([])
    expect(w.records).toMatchObject([{ kind: 'warm', usage: null, finish: 'broken-off' }])
    w.at.wake = 15 * minute
    await w.clock.advance(9 * minute)
    expect(w.pings).toHaveLength(1)
  })
})

describe('what pings cost', () => {
  const turns = fc.array(
    fc.record({
      gap: fc.integer({ min: 0, max: 90 }),
      took: fc.integer({ min: 0, max: 8 }),
      alarmIn: fc.option(fc.integer({ min: 1, max: 90 })),
      cancelled: fc.option(fc.integer({ min: 1, max: 60 })),
    }),
    { minLength: 1, maxLength: 12 },
  )
  const limits = fc.record({
    usdPerDay: fc.constantFrom(0.04, 0.2, 1, 100),
    pingsPerDay: fc.constantFrom(1, 4, 1000),
  })
  it('is within the budget, and less than a cold cache costs, whatever comes', async () => {
    let all = 0
    await fc.assert(
      fc.asyncProperty(turns, limits, async (plan, budget) => {
        const w = world(budget)
        let warm = false
        for (const { gap, took, alarmIn, cancelled } of plan) {
          const before = w.pings.length
          const found = await w.turn({ took: took * minute })
          if (warm) expect(found.cachedInput).toBe(tokens)
          expect(w.pings).toHaveLength(before)
          w.at.wake = alarmIn === null ? null : w.clock.now() + alarmIn * minute
          const planned = w.warm.of('s')
          const end = Math.min(gap, alarmIn ?? gap)
          const first = Math.min(end, cancelled ?? end)
          await w.clock.advance(first * minute)
          if (first < end) w.at.wake = null
          await w.clock.advance((end - first) * minute)
          const paid = w.records.slice(before).reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
          if (w.pings.length > before) expect(planned).toMatchObject({ kind: 'pings' })
          expect(paid).toBeLessThan(planned?.kind === 'pings' ? planned.savesUsd : 1e-9)
          // Each was in time: what it asked for was still there.
          expect(w.records.slice(before).every(({ usage }) => usage?.cachedInput === tokens)).toBe(true)
          // And where the session goes on at its alarm, its cache is warm.
          warm = planned?.kind === 'pings' && end === alarmIn && first === end
        }
        const day = 24 * 60 * minute
        for (const { at } of w.pings) {
          const within = w.records.filter((record) => record.at >= at && record.at < at + day)
          expect(within.length).toBeLessThanOrEqual(budget.pingsPerDay)
          expect(within.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)).toBeLessThanOrEqual(budget.usdPerDay)
        }
        all += w.pings.length
      }),
      runs(200),
    )
    expect(all).toBeGreaterThan(0)
  })
})
