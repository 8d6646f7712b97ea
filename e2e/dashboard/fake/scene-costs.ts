/** The costs of the scene's sessions. For development and tests only. */
import { addCost, noCost, type CostCell, type CostSums, type CostView } from '../../../shared/cost/cost.ts'

const HOUR = 3_600_000

/** session, name, provider, model, a day's input in k, its share from cache, output in k, dollars of the day */
const spent: readonly (readonly [string, string, string, string, number, number, number, number | null])[] = [
  ['infra-01', 'infra-terraform', 'anthropic', 'claude-sonnet', 1340, 0.81, 57, 2.31],
  ['docs-site-01jd', 'docs-site', 'anthropic', 'claude-sonnet', 960, 0.81, 41, 1.84],
  ['auth-01', 'auth-rework', 'zai', 'glm-5', 864, 0.81, 37, 1.46],
  ['billing-01', 'billing-service', 'zai', 'glm-5', 1730, 0.81, 74, 1.32],
  ['gateway-01', 'api-gateway', 'openai', 'gpt-5-codex', 1060, 0.8, 45, 1.02],
  ['mobile-01', 'mobile-app', 'zai', 'glm-5-air', 864, 0.8, 37, 0.74],
  ['pricing-01', 'pricing-scraper', 'qwen', 'qwen3-coder', 576, 0, 25, 0.52],
  ['changelog-01', 'changelog', 'openai', 'gpt-5-codex', 384, 0.8, 16, 0.41],
  ['weekly-01', '周报整理', 'openrouter', 'glm-5v', 115, 0, 5, 0.08],
  ['notes-01', 'notes', 'ollama', 'qwen3:8b', 210, 0, 9, null],
  ['titles-01', 'titles', 'zai', 'glm-5-flash', 40, 0, 2, null],
  ['plan-01', 'on-a-plan', 'claude-login', 'claude-opus-5-5', 300, 0.9, 12, null],
]

function sumsOf([, , provider, , input, cached, output, cost]: (typeof spent)[number], share: number): CostSums {
  const tokens = (thousands: number): number => Math.round(thousands * 1000 * share)
  const sums = {
    requests: Math.max(1, Math.round(40 * share)),
    input: tokens(input),
    cachedInput: Math.round(tokens(input) * cached),
    output: tokens(output),
    costUsd: cost === null ? null : cost * share,
  }
  if (provider === 'anthropic')
    return {
      ...sums,
      from: 'list',
      cold: { requests: 1, tokens: tokens(60), why: { idle: 1 }, costUsd: 0.09 * share },
    }
  if (cost !== null) return { ...sums, from: provider === 'qwen' ? 'config' : 'list' }
  if (provider === 'ollama') return { ...sums, from: 'local' }
  if (provider === 'claude-login') return { ...sums, from: 'plan', worthUsd: 0.62 * share }
  return { ...sums, unpricedTokens: sums.input + sums.output }
}

export function sceneCosts(now: number, days: number): CostView {
  const date = new Date(now)
  const midnight = (back: number) => new Date(date.getFullYear(), date.getMonth(), date.getDate() - back).getTime()
  const begins =
    days === 1
      ? Array.from({ length: 24 }, (_, hour) => midnight(0) + hour * HOUR)
      : Array.from({ length: days }, (_, i) => midnight(days - 1 - i))
  const shares = begins.map((at, i) => {
    if (at > now) return 0
    return days === 1 ? (0.4 + ((i * 7) % 11) / 10) / 14 : 0.5 + ((i * 5) % 7) / 6
  })
  const cells = spent.map((one): CostCell => {
    const [session, , provider, model] = one
    const sums = shares.reduce((sum, share) => (share > 0 ? addCost(sum, sumsOf(one, share)) : sum), noCost)
    return { session, provider, model, ...sums }
  })
  return {
    days,
    buckets: begins.map((at, i) => ({
      at,
      ms: (begins[i + 1] ?? midnight(-1)) - at,
      parts:
        (shares[i] ?? 0) > 0
          ? spent.map((one) => ({ provider: one[2], model: one[3], ...sumsOf(one, shares[i] ?? 0) }))
          : [],
    })),
    cells,
    names: Object.fromEntries(spent.map(([session, name]) => [session, name])),
  }
}
