/** Providers, routes and a day of figures as the mocks show them, relative to `now`. For development and tests only. */
import type { ProviderView, RoutingView } from '../../../shared/routing.ts'
import type { ActivityBucket, ActivityView, SessionView } from '../../../shared/state.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export function sceneProviders(now: number): readonly ProviderView[] {
  const calls = (bad: readonly number[], count = 24) => Array.from({ length: count }, (_, i) => !bad.includes(i))
  const key = (alias: string): ProviderView['keys'][number] => ({ alias, from: 'env', state: { kind: 'ready' } })
  const provider = (id: string, over: Partial<ProviderView>): ProviderView => ({
    id,
    type: 'openai-chat',
    baseUrl: `https://api.${id}.example/v1`,
    auth: 'key',
    models: [{ id: 'glm-5', contextWindow: 200_000, vision: false, thinking: true, priced: true }],
    keys: [key('main')],
    health: { kind: 'healthy' },
    quotas: [],
    calls: calls([]),
    ttfbMs: 800,
    sessions: 0,
    routes: ['default'],
    local: false,
    ...over,
  })
  const model = (id: string, contextWindow: number, vision = false): ProviderView['models'][number] => ({
    id,
    contextWindow,
    vision,
    thinking: true,
    priced: true,
  })
  return [
    provider('zai', {
      baseUrl: 'https://api.z.ai/api/paas/v4',
      keys: [key('main'), key('spare')],
      models: [model('glm-5', 200_000), model('glm-5-air', 128_000)],
      sessions: 5,
      routes: ['default', 'background', 'longContext', 'review'],
    }),
    provider('anthropic', {
      type: 'anthropic',
      baseUrl: 'https://api.anthropic.com',
      auth: 'client',
      keys: [],
      models: [model('claude-sonnet', 200_000, true), model('claude-opus', 200_000, true)],
      ttfbMs: 1400,
      calls: calls([21, 22], 23),
      routes: ['default', 'thinking', 'vision', 'review'],
      health: {
        kind: 'resting',
        models: [],
        rest: {
          why: 'limit',
          window: '5h',
          since: now - 2 * MINUTE,
          lifts: now + 108 * MINUTE,
          until: now + 108 * MINUTE,
        },
      },
      quotas: [
        { window: '5h', usedPercent: 100, resetsAt: now + 108 * MINUTE },
        { window: '7d', usedPercent: 61, resetsAt: now + 5 * 24 * HOUR },
      ],
    }),
    provider('openai', {
      type: 'openai-responses',
      baseUrl: 'https://api.openai.com/v1',
      models: [model('gpt-5-codex', 272_000, true)],
      ttfbMs: 1100,
      quotas: [{ window: 'tokens', usedPercent: 16, resetsAt: now + 40 * MINUTE }],
      routes: ['thinking'],
    }),
    provider('qwen', {
      baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
      models: [model('qwen3-coder', 256_000)],
      ttfbMs: 2400,
      calls: calls([21, 22, 23]),
      routes: ['longContext'],
      health: { kind: 'resting', models: [], rest: { why: 'failures', count: 3, until: now + 42_000 } },
    }),
    provider('openrouter', {
      baseUrl: 'https://openrouter.ai/api/v1',
      models: [model('glm-5v', 64_000, true)],
      ttfbMs: 1700,
      calls: calls([9, 17, 21]),
      keys: [
        {
          alias: 'main',
          from: 'env',
          state: { kind: 'resting', rest: { why: 'refused', status: 401, until: now + 4 * MINUTE } },
        },
        key('spare'),
      ],
      routes: ['vision'],
      health: { kind: 'some-keys', keys: ['main'] },
    }),
    provider('ollama', {
      baseUrl: 'http://127.0.0.1:11434/v1',
      auth: 'none',
      keys: [],
      models: [model('qwen3:8b', 32_000)],
      ttfbMs: 200,
      calls: calls([], 15),
      routes: ['background'],
      local: true,
    }),
    provider('simulator', {
      type: 'simulator',
      baseUrl: null,
      auth: 'none',
      keys: [],
      models: [model('scripted', 200_000)],
      ttfbMs: null,
      calls: [],
      routes: [],
      health: { kind: 'unused' },
      local: true,
    }),
  ]
}

export function sceneRouting(now: number): RoutingView {
  const one = (target: string) => ({ target, weight: null })
  return {
    routes: {
      default: [
        { target: 'zai.glm-5', weight: 3 },
        { target: 'anthropic.claude-sonnet', weight: 1 },
      ],
      background: [one('ollama.qwen3:8b'), one('zai.glm-5-air')],
      thinking: [one('anthropic.claude-sonnet'), one('openai.gpt-5-codex')],
      longContext: [one('qwen.qwen3-coder'), one('zai.glm-5')],
      vision: [one('anthropic.claude-sonnet'), one('openrouter.glm-5v')],
      review: [one('anthropic.claude-sonnet'), one('zai.glm-5')],
    },
    aliases: { sonnet: 'zai.glm-5' },
    longContextThreshold: 60_000,
    limits: { pauseAt: 0, order: ['key', 'provider', 'wait'] },
    savedAt: now - 91 * MINUTE,
    canUndo: true,
  }
}

/** The day of the mocks, oldest hour first. */
const day = {
  continued: [4, 5, 8, 8, 9, 13, 17, 21, 24, 22, 25, 22, 21, 19, 17, 13, 9, 3, 8, 11, 4, 11, 16, 8],
  byPerson: [4, 6, 7, 5, 5, 8, 9, 7, 4, 2, 6, 8, 8, 7, 7, 6, 5, 2, 9, 12, 4, 10, 13, 7],
  failed: [0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 4, 0, 0, 0],
  inputK: [
    150, 406, 358, 303, 394, 573, 621, 797, 773, 598, 840, 865, 875, 566, 559, 559, 412, 111, 527, 637, 244, 717, 601,
    414,
  ],
  outputK: [20, 47, 41, 33, 52, 77, 57, 72, 99, 53, 64, 75, 84, 49, 76, 59, 49, 14, 36, 54, 26, 73, 58, 32],
  median: [
    1150, 730, 880, 870, 1030, 1160, 960, 780, 900, 840, 880, 910, 860, 970, 1010, 820, 1150, 930, 1130, 1020, 1020,
    960, 950, 1040,
  ],
  p95: [
    3110, 1750, 2370, 1850, 2500, 2480, 2090, 1840, 2500, 2480, 1710, 2540, 1640, 2180, 1980, 1550, 3170, 1910, 2730,
    2990, 4930, 2380, 1870, 2890,
  ],
}

/** A longer range repeats that day, bigger and smaller; begins are those of the person's own days. */
export function sceneActivity(now: number, hours: ActivityView['hours']): ActivityView {
  const per = hours === 24 ? 1 : hours === 168 ? 6 : 24
  const ms = per * HOUR
  const end = Math.ceil(now / HOUR) * HOUR
  const count = hours / per
  const buckets = Array.from({ length: count }, (_, i): ActivityBucket => {
    const at = end - (count - i) * ms
    const value = (numbers: readonly number[]) =>
      Math.round((numbers[i % 24] ?? 0) * per * (hours === 24 ? 1 : 0.6 + (i % 5) / 10))
    const input = value(day.inputK) * 1000
    return {
      at,
      ms,
      continued: value(day.continued),
      byPerson: value(day.byPerson),
      failed: value(day.failed),
      input,
      cachedInput: Math.round(input * 0.92),
      output: value(day.outputK) * 1000,
      costUsd: (input * 1.43) / 1e6,
      ttfb: { median: day.median[i % 24] ?? 0, p95: day.p95[i % 24] ?? 0 },
    }
  })
  const sum = (pick: (bucket: ActivityBucket) => number) => buckets.reduce((total, bucket) => total + pick(bucket), 0)
  const total: ActivityBucket = {
    at: end - hours * HOUR,
    ms: hours * HOUR,
    continued: sum((b) => b.continued),
    byPerson: sum((b) => b.byPerson),
    failed: sum((b) => b.failed),
    input: sum((b) => b.input),
    cachedInput: sum((b) => b.cachedInput),
    output: sum((b) => b.output),
    costUsd: sum((b) => b.costUsd ?? 0),
    ttfb: { median: 900, p95: 2400 },
  }
  return { hours, buckets, total }
}

/**
 * A session of anthropic that stands at the limit the provider is at; not part of the scene, to be put where it is
 * wanted.
 */
export const atLimit = (
  now: number,
  resume: boolean,
): Pick<SessionView, 'limit' | 'resumeAtReset' | 'say' | 'shape'> => {
  const [since, lifts] = [now - 2 * MINUTE, now + 108 * MINUTE]
  const resumeAt = resume ? lifts + 5000 : null
  return {
    shape: 'idle',
    limit: { provider: 'anthropic', since, lifts, resume, resumeAt },
    resumeAtReset: resume,
    say: { code: 'limited', provider: 'anthropic', since, lifts, resumeAt },
  }
}
