/**
 * Records for Activity: the rows of the mocks, and as many before them as are asked for. For development and tests
 * only.
 */
import type { RouteCategory } from '../../../shared/config/schema.ts'
import type { FinishKind } from '../../../shared/events.ts'
import type { RouteAttempt } from '../../../shared/routing.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import type { ClientKind, EntryProtocol } from '../../../shared/words.ts'
import { sceneToolRuns } from './scene-servertools.ts'
import { sceneRoute } from './scene-timeline.ts'

const clients: Record<string, { client: ClientKind; entry: EntryProtocol }> = {
  'billing-service': { client: 'claude', entry: 'messages' },
  'mobile-app': { client: 'opencode', entry: 'chat' },
  'docs-site': { client: 'claude', entry: 'messages' },
  'api-gateway': { client: 'codex', entry: 'responses' },
  'pricing-scraper': { client: 'qwen', entry: 'chat' },
  'infra-terraform': { client: 'claude', entry: 'messages' },
  'auth-rework': { client: 'claude', entry: 'messages' },
  'search-indexer': { client: 'opencode', entry: 'chat' },
}
type Row = [
  secondsAgo: number,
  session: string,
  category: RouteCategory,
  target: string,
  input: number,
  cached: number,
  output: number,
  cost: number | null,
  firstByte: number,
  took: number,
  finish: FinishKind,
  over?: Partial<TurnRecord>,
]

const attempt = (over: Partial<RouteAttempt> & { at: number }): RouteAttempt => ({
  provider: 'qwen',
  model: 'qwen3-coder',
  keyAlias: null,
  status: 429,
  code: 'rate-limited',
  durationMs: 400,
  ...over,
})

const rows = (now: number): readonly Row[] => [
  [
    86,
    'billing-service',
    'default',
    'zai/glm-5',
    48_214,
    44_902,
    3_096,
    0.031,
    900,
    8_200,
    'stop',
    { turn: 41, by: 'onward', dropped: ['cache_control', 'context_management'], captured: false },
  ],
  [90, 'mobile-app', 'default', 'zai/glm-5', 22_800, 21_000, 600, 0.01, 700, 2_900, 'stop'],
  [112, 'docs-site', 'review', 'anthropic/claude-sonnet', 9_400, 0, 800, 0.04, 1_400, 6_100, 'tool-calls'],
  [
    140,
    'docs-site',
    'thinking',
    'anthropic/claude-sonnet',
    61_000,
    58_800,
    2_200,
    0.07,
    1_900,
    21_400,
    'stop',
    { captured: true, servertools: sceneToolRuns },
  ],
  [157, 'api-gateway', 'default', 'openai/gpt-5-codex', 33_100, 31_700, 1_400, 0.02, 1_100, 7_700, 'tool-calls'],
  [
    181,
    'pricing-scraper',
    'default',
    'zai/glm-5',
    18_500,
    0,
    900,
    0.01,
    2_400,
    9_000,
    'stop',
    { tried: [attempt({ at: now - 210_000 })] },
  ],
  [
    225,
    'mobile-app',
    'background',
    'ollama/qwen3:8b',
    2_100,
    0,
    24,
    null,
    200,
    500,
    'stop',
    { kind: 'title', turn: null },
  ],
  [252, 'mobile-app', 'default', 'zai/glm-5', 22_100, 20_400, 1_800, 0.02, 800, 5_600, 'tool-calls'],
  [274, 'infra-terraform', 'thinking', 'anthropic/claude-sonnet', 72_400, 70_100, 1_100, 0.05, 2_000, 14_800, 'stop'],
  [322, 'billing-service', 'longContext', 'zai/glm-5', 88_300, 81_000, 2_700, 0.06, 1_600, 18_000, 'tool-calls'],
  [348, 'billing-service', 'vision', 'anthropic/claude-sonnet', 3_200, 0, 400, 0.02, 1_200, 3_800, 'stop'],
  [391, 'docs-site', 'default', 'zai/glm-5', 40_600, 39_900, 700, 0.02, 900, 4_000, 'tool-calls'],
  [419, 'auth-rework', 'review', 'anthropic/claude-sonnet', 11_800, 0, 600, 0.05, 1_500, 7_200, 'stop'],
  [450, 'auth-rework', 'default', 'openai/gpt-5-codex', 52_000, 50_200, 1_000, 0.03, 1_000, 6_400, 'stop'],
  [
    491,
    'search-indexer',
    'default',
    'openrouter/glm-5',
    29_400,
    27_300,
    1_900,
    0.02,
    800,
    6_900,
    'stop',
    {
      tried: [
        attempt({
          at: now - 491_200,
          provider: 'openrouter',
          model: 'glm-5',
          keyAlias: 'main',
          status: 401,
          code: 'refused',
          durationMs: 200,
        }),
      ],
    },
  ],
  [522, 'mobile-app', 'default', 'zai/glm-5', 21_400, 19_800, 500, 0.01, 800, 2_200, 'tool-calls'],
]

const names = Object.keys(clients)

export function sceneTurns(now: number, count: number): TurnRecord[] {
  const recent = rows(now)
  const earlier = Array.from({ length: Math.max(0, count - recent.length) }, (_, i): Row => {
    const anthropic = i % 4 === 2
    const failed = i % 61 === 12
    return [
      560 + i * 27,
      names[i % names.length] ?? 'docs-site',
      'default',
      anthropic ? 'anthropic/claude-sonnet' : 'zai/glm-5',
      48_000 - (i % 100) * 311,
      44_000 - (i % 100) * 300,
      3_000 - (i % 30) * 90,
      0.03,
      900,
      8_200 - (i % 20) * 300,
      failed ? 'error' : i % 2 === 0 ? 'stop' : 'tool-calls',
      failed
        ? {
            status: 503,
            usage: null,
            costUsd: null,
            ttfbMs: null,
            durationMs: 700,
            error: {
              code: 'no-provider',
              message: 'Every provider of route default rests: zai for 42 s, anthropic until 16:00.',
            },
            route: null,
          }
        : i % 11 === 5
          ? { kind: 'compaction', turn: null }
          : {},
    ]
  })
  return [...recent, ...earlier]
    .slice(0, count)
    .map(
      (
        [secondsAgo, session, category, target, input, cachedInput, output, costUsd, ttfbMs, durationMs, finish, over],
        i,
      ): TurnRecord => {
        const [provider = '', model = ''] = target.split('/')
        return {
          requestId: `req_${String(count - i).padStart(6, '0')}`,
          at: now - secondsAgo * 1000,
          sessionId: `${session}-01jd`,
          scope: null,
          client: 'claude',
          entry: 'messages',
          ...clients[session],
          kind: 'turn',
          turn: Math.max(1, 41 - Math.floor(i / 5)),
          by: i % 3 === 2 ? 'person' : 'onward',
          model: 'claude-sonnet',
          route: {
            ...sceneRoute,
            provider,
            model,
            category,
            keyAlias: provider === 'zai' ? 'main' : null,
            why:
              provider === 'zai'
                ? sceneRoute.why
                : [
                    {
                      code: 'category',
                      category,
                      because:
                        category === 'thinking'
                          ? { code: 'thinking' }
                          : category === 'vision'
                            ? { code: 'image' }
                            : { code: 'otherwise' },
                    },
                  ],
            skipped: provider === 'zai' ? sceneRoute.skipped : [],
          },
          status: 200,
          finish,
          usage: { input, cachedInput, output, reasoning: Math.round(output * 0.13) },
          costUsd,
          ttfbMs,
          durationMs,
          bytesIn: 61_500,
          bytesOut: 18_200,
          error: null,
          captured: false,
          ...over,
        }
      },
    )
}
