// What a turn's way costs the router: `choose`, and `report` at the answer's head and at its end, of sessions that
// stick.
import { load } from './parts.mjs'

const PROVIDERS = 20
const MODELS = 10
const SESSIONS = 10_000
const ROUNDS = 7
const DECISIONS = 2_000
const MUST_US = 50
const GOAL_US = 15

const models = Array.from({ length: MODELS }, (_, m) => `model-${m}`)
const ids = Array.from({ length: PROVIDERS }, (_, p) => `provider-${p}`)
const targets = ids.flatMap((id) => models.map((model) => `${id}.${model}`))
const providers = Object.fromEntries(
  ids.map((id, p) => [
    id,
    {
      type: p % 2 ? 'anthropic' : 'openai-chat',
      baseUrl: `http://127.0.0.1:9/${id}`,
      keys: [
        { alias: 'main', value: `sk-${id}` },
        { alias: 'spare', value: `sk-${id}-spare` },
      ],
      models: Object.fromEntries(models.map((model) => [model, { contextWindow: 200_000 }])),
    },
  ]),
)
/** Every route is there, so that every rule is looked at. */
const others = {
  background: targets.slice(0, 3),
  vision: targets.slice(3, 6),
  longContext: targets.slice(6, 9),
  webSearch: targets.slice(9, 12),
  thinking: targets.slice(12, 15),
}

const routes = [
  ['a route of 3 entries', { ...others, default: targets.slice(0, 3) }],
  [`a route of ${targets.length} entries`, { ...others, default: targets }],
  [
    `a weighted pool of ${targets.length} entries`,
    { ...others, default: targets.map((target, i) => ({ target, weight: 1 + (i % 5) })) },
  ],
]

const needs = { tokens: () => 4_000, image: () => false, webSearch: () => false, thinking: () => false }
const ask = (i) => ({
  requestId: `r-${i}`,
  entry: i % 2 ? 'messages' : 'chat',
  endpoint: 'generate',
  kind: 'turn',
  model: 'some-model',
  sessionId: `session-${i % SESSIONS}`,
  overrides: { allow: null, prefer: null, force: null, disabled: [] },
  needs,
  credential: () => null,
})
const answered = {
  kind: 'answered',
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: null,
  ttfbMs: 300,
  brokenOff: false,
}

/** CPU of `count` decisions, in microseconds each. */
function cost(router, count) {
  const asks = Array.from({ length: count }, (_, i) => ask((i * 7_919) % SESSIONS))
  const before = process.cpuUsage()
  for (const one of asks) {
    const choice = router.choose(one)
    router.report(one, choice, { kind: 'began' })
    router.report(one, choice, answered)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

export async function routerFigures() {
  const part = await load('e2e/bench/router-part.ts')
  const figures = []
  for (const [name, route] of routes) {
    const config = part.configSchema.parse({ providers, routes: route })
    const router = part.createRouter({
      config: () => config,
      clock: part.systemClock(),
      secretOf: (providerId, alias) => ({ ok: true, value: `${providerId} ${alias}` }),
      readLimit: part.readLimit,
      readQuotas: part.readQuotas,
    })
    for (let i = 0; i < SESSIONS; i++) {
      const one = ask(i)
      router.report(one, router.choose(one), { kind: 'began' })
    }
    cost(router, DECISIONS)
    const us = Array.from({ length: ROUNDS }, () => cost(router, DECISIONS)).sort((a, b) => a - b)
    figures.push({
      title: `router decision, ${PROVIDERS} providers, ${targets.length} models, ${SESSIONS} sessions: ${name}`,
      unit: 'µs of CPU',
      value: us[(ROUNDS - 1) / 2],
      range: us,
      limits: [MUST_US, GOAL_US],
    })
  }
  return figures
}
