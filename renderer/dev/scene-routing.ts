/** Providers, routes and a day of figures as the mocks show them, told relative to `now`. For development and tests only. */
import type { ProviderView, RoutingView } from '../../shared/routing.ts'
import type { ActivityBucket, ActivityView } from '../../shared/state.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export function sceneProviders(now: number): readonly ProviderView[] {
  const calls = (bad: readonly number[], count = 24) => Array.from({ length: count }, (_, i) => !bad.includes(i))
  const key = (alias: string): ProviderView['keys'][number] => ({ alias, from: 'env', state: { kind: 'ready' } })
  const provider = (id: string, over: Partial<ProviderView>): ProviderView => ({
    id, type: 'openai-chat', baseUrl: `https://api.${id}.example/v1`, auth: 'key', models: [{ id: 'glm-5', contextWindow: 200_000, vision: false, thinking: true, priced: true }], keys: [key('main')], health: { kind: 'healthy' }, quotas: [], calls: calls([]), ttfbMs: 800, sessions: 0, routes: ['default'], local: false, ...over,
  })
  return [
    provider('zai', { baseUrl: 'https://api.z.ai/api/paas/v4', keys: [key('main'), key('spare')], sessions: 5 }),
    provider('anthropic', {
      type: 'anthropic', baseUrl: 'https://api.anthropic.com', auth: 'client', keys: [], ttfbMs: 1400, calls: calls([21, 22], 23), routes: ['default', 'thinking', 'vision', 'review'],
      health: { kind: 'resting', models: [], rest: { why: 'limit', window: '5h', since: now - 2 * MINUTE, lifts: now + 108 * MINUTE, until: now + 108 * MINUTE } },
      quotas: [{ window: '5h', usedPercent: 100, resetsAt: now + 108 * MINUTE }, { window: '7d', usedPercent: 61, resetsAt: now + 5 * 24 * HOUR }],
    }),
    provider('openai', { type: 'openai-responses', baseUrl: 'https://api.openai.com/v1', ttfbMs: 1100, quotas: [{ window: 'tokens', usedPercent: 16, resetsAt: now + 40 * MINUTE }], routes: ['thinking'] }),
    provider('qwen', { baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1', ttfbMs: 2400, calls: calls([21, 22, 23]), routes: ['longContext'], health: { kind: 'resting', models: [], rest: { why: 'failures', count: 3, until: now + 42_000 } } }),
    provider('openrouter', { baseUrl: 'https://openrouter.ai/api/v1', ttfbMs: 1700, calls: calls([9, 17, 21]), keys: [{ alias: 'main', from: 'env', state: { kind: 'resting', rest: { why: 'refused', status: 401, until: now + 4 * MINUTE } } }, key('spare')], routes: ['vision'], health: { kind: 'some-keys', keys: ['main'] } }),
    provider('ollama', { baseUrl: 'http://127.0.0.1:11434/v1', auth: 'none', keys: [], ttfbMs: 200, calls: calls([], 15), routes: ['background'], local: true }),
    provider('simulator', { type: 'simulator', baseUrl: null, auth: 'none', keys: [], ttfbMs: null, calls: [], routes: [], health: { kind: 'unused' }, local: true }),
  ]
}

export function sceneRouting(now: number): RoutingView {
  const one = (target: string) => ({ target, weight: null })
  return {
    routes: {
      default: [{ target: 'zai.glm-5', weight: 3 }, { target: 'anthropic.claude-sonnet', weight: 1 }], background: [one('ollama.qwen3:8b'), one('zai.glm-5-air')], thinking: [one('anthropic.claude-sonnet'), one('openai.gpt-5-codex')],
      longContext: [one('qwen.qwen3-coder'), one('zai.glm-5')], vision: [one('anthropic.claude-sonnet'), one('openrouter.glm-5v')], review: [one('anthropic.claude-sonnet'), one('zai.glm-5')],
    },
    aliases: { sonnet: 'zai.glm-5' }, longContextThreshold: 60_000, savedAt: now - 91 * MINUTE, canUndo: true,
  }
}

export function sceneActivity(now: number, hours: ActivityView['hours']): ActivityView {
  const ms = hours === 24 ? HOUR : hours === 168 ? 6 * HOUR : 24 * HOUR
  const end = Math.ceil(now / ms) * ms
  const count = Math.round((hours * HOUR) / ms)
  const buckets = Array.from({ length: count }, (_, i): ActivityBucket => {
    const wave = 1 + Math.sin(i / 3)
    const [continued, byPerson] = [Math.round(9 * wave), Math.round(5 * wave) + (i % 3)]
    return { at: end - (count - i) * ms, ms, continued, byPerson, failed: i % 6 === 2 ? 1 : 0, input: Math.round(480_000 * wave), cachedInput: Math.round(440_000 * wave), output: Math.round(60_000 * wave), costUsd: 0.38 * wave, ttfb: { median: 800 + 90 * (i % 4), p95: 1900 + 310 * (i % 5) } }
  })
  const sum = (pick: (bucket: ActivityBucket) => number) => buckets.reduce((total, bucket) => total + pick(bucket), 0)
  const total: ActivityBucket = { at: end - hours * HOUR, ms: hours * HOUR, continued: sum((b) => b.continued), byPerson: sum((b) => b.byPerson), failed: sum((b) => b.failed), input: sum((b) => b.input), cachedInput: sum((b) => b.cachedInput), output: sum((b) => b.output), costUsd: sum((b) => b.costUsd ?? 0), ttfb: { median: 900, p95: 2400 } }
  return { hours, buckets, total }
}
