import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ResponseHeaders } from '../types.ts'
import { readLimit } from './read-limit.ts'
import type { LimitReport } from './types.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const now = Date.UTC(2026, 10, 22, 5, 0, 0)
const S = 1000,
  M = 60 * S,
  H = 60 * M,
  DAY = 24 * H
const epoch = (ms: number) => String((now + ms) / 1000)
const rfc3339 = (ms: number) => new Date(now + ms).toISOString()
/** Only the times of a limit; its subject is in subject.test.ts. */
const timesOf = (report: LimitReport | null): LimitReport | null => {
  if (report === null) return null
  const { subject: _, ...times } = report
  return times
}
const read = (headers: ResponseHeaders, body: unknown = null, status = 429) =>
  timesOf(
    readLimit({
      status,
      model: 'm',
      headers,
      body: body === null || typeof body === 'string' ? body : JSON.stringify(body),
      now,
    }),
  )
const rate = (ms: number | null): LimitReport => ({ kind: 'rate', until: ms === null ? null : now + ms })
const limit = (window: string | null, ms: number | null): LimitReport => ({
  kind: 'limit',
  window,
  lifts: ms === null ? null : now + ms,
})

const rejected = (more: Record<string, string>) => ({ 'anthropic-ratelimit-unified-status': 'rejected', ...more })
const fiveHours = {
  'anthropic-ratelimit-unified-representative-claim': 'five_hour',
  'anthropic-ratelimit-unified-reset': epoch(2 * H),
  'anthropic-ratelimit-unified-5h-status': 'rejected',
  'anthropic-ratelimit-unified-5h-reset': epoch(2 * H),
  'anthropic-ratelimit-unified-5h-utilization': '1.0',
  'anthropic-ratelimit-unified-7d-status': 'allowed',
  'anthropic-ratelimit-unified-7d-reset': epoch(3 * DAY),
  'anthropic-ratelimit-unified-7d-utilization': '0.59',
  'retry-after': '7200',
}
const openai = (left: { requests?: string; tokens?: string }, reset: { requests?: string; tokens?: string }) => ({
  'x-ratelimit-limit-requests': '60',
  'x-ratelimit-limit-tokens': '150000',
  'x-ratelimit-remaining-requests': left.requests ?? '59',
  'x-ratelimit-remaining-tokens': left.tokens ?? '149984',
  'x-ratelimit-reset-requests': reset.requests ?? '1s',
  'x-ratelimit-reset-tokens': reset.tokens ?? '6m0s',
})
const codex = (primary: string, secondary: string) => ({
  'x-codex-primary-used-percent': primary,
  'x-codex-primary-window-minutes': '300',
  'x-codex-primary-reset-at': epoch(H),
  'x-codex-secondary-used-percent': secondary,
  'x-codex-secondary-window-minutes': '10080',
  'x-codex-secondary-reset-after-seconds': '180000',
})
const google = (quotaId: string, retryDelay?: string) => ({
  error: {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: 'You exceeded your current quota, please check your plan and billing details.',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
        violations: [{ quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests', quotaId }],
      },
      ...(retryDelay === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }]),
    ],
  },
})
const perDay = 'GenerateRequestsPerDayPerProjectPerModel-FreeTier'
const codeAssist = (reason: string, delay: string, at: string) => ({
  error: {
    code: 429,
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason,
        metadata: { quotaResetDelay: delay, quotaResetTimeStamp: at },
      },
    ],
  },
})
const openrouter = (message: string, reset: number) => ({
  error: {
    message,
    code: 429,
    metadata: {
      headers: { 'X-RateLimit-Limit': '50', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(now + reset) },
    },
  },
})

/** the percentage that is left, and when the window resets */
const copilot = (windows: Readonly<Record<string, readonly [number, number]>>): ResponseHeaders =>
  Object.fromEntries(
    Object.entries(windows).map(([name, [left, ms]]) => [
      name,
      `ent=300&ov=0.0&ovPerm=false&rem=${left}&rst=${encodeURIComponent(rfc3339(ms))}`,
    ]),
  )

/** the case, the headers, the body, the report */
const refusals: [string, ResponseHeaders, unknown, LimitReport | null][] = [
  ['nothing said', {}, null, rate(null)],
  ['retry-after in seconds', { 'retry-after': '34' }, null, rate(34 * S)],
  ['retry-after as a list', { 'Retry-After': ['2', '3'] }, null, rate(2 * S)],
  ['retry-after as a date', { 'retry-after': 'Sun, 22 Nov 2026 05:01:00 GMT' }, null, rate(M)],
  ['retry-after-ms before retry-after', { 'retry-after-ms': '250', 'retry-after': '1' }, null, rate(250)],
  ['a retry-after of hours', { 'retry-after': '7200' }, null, limit(null, 2 * H)],
  ['a retry-after of five minutes', { 'retry-after': '300' }, null, limit(null, 5 * M)],
  ['a retry-after in the past', { 'retry-after': 'Sun, 22 Nov 2020 05:01:00 GMT' }, null, rate(null)],
  ['a retry-after of a year', { 'retry-after': '31536000' }, null, rate(null)],

  ['OpenAI: no tokens left', openai({ tokens: '0' }, { tokens: '4m30s' }), null, rate(4.5 * M)],
  [
    'OpenAI: no requests left for hours',
    openai({ requests: '0' }, { requests: '1h2m3.5s' }),
    null,
    limit('requests', H + 2 * M + 3.5 * S),
  ],
  [
    'OpenAI: both are spent',
    openai({ requests: '0', tokens: '0' }, { requests: '20ms', tokens: '59s' }),
    null,
    rate(59 * S),
  ],
  ['OpenAI: neither is spent', openai({}, {}), null, rate(null)],
  [
    'OpenAI: retry-after before what it takes to be whole again',
    { ...openai({ requests: '0' }, { requests: '2h' }), 'retry-after': '3' },
    null,
    rate(3 * S),
  ],
  [
    'OpenAI: only a sentence',
    {},
    {
      error: {
        message:
          'Rate limit reached for gpt-5 in organization org-1 on tokens per min (TPM): Limit ' +
          '10, Used 10. Please try again in 7m12s. Visit https://platform.openai.com',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
    limit(null, 7 * M + 12 * S),
  ],
  [
    'Groq: a sentence with a moment',
    {},
    {
      error: {
        message: 'Rate limit reached on tokens per minute (TPM). Please try again in 5.289s. Visit x',
        code: 'rate_limit_exceeded',
      },
    },
    rate(5289),
  ],
  [
    'OpenAI: a day’s requests for hours',
    {},
    { error: { message: 'Rate limit reached on requests per day (RPD): Limit 200. Please try again in 3h7m12s.' } },
    limit('1d', 3 * H + 7 * M + 12 * S),
  ],
  [
    'OpenAI: a day’s requests roll on',
    {},
    { error: { message: 'Rate limit reached on requests per day (RPD): Limit 10000. Please try again in 8.64s.' } },
    rate(8640),
  ],
  [
    'OpenAI: no money',
    {},
    {
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        param: null,
        code: 'insufficient_quota',
      },
    },
    limit(null, null),
  ],
  [
    'OpenAI: no money, and a gateway’s wait',
    { 'retry-after': '1' },
    { error: { type: 'insufficient_quota', code: 'credit_balance_exhausted' } },
    limit(null, null),
  ],
  [
    'Azure: figures that make no sense',
    { 'x-ratelimit-limit-tokens': '-1', 'x-ratelimit-remaining-tokens': '-1', 'x-ratelimit-reset-tokens': '0' },
    null,
    rate(null),
  ],
  [
    'Azure: plain seconds',
    { 'x-ratelimit-limit-tokens': '100', 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '30' },
    null,
    rate(30 * S),
  ],
  [
    'Cerebras: a day’s requests',
    {
      'x-ratelimit-limit-requests-day': '14400',
      'x-ratelimit-remaining-requests-day': '0',
      'x-ratelimit-reset-requests-day': '33011.38',
    },
    null,
    limit('requests-day', 33011380),
  ],
  [
    'OpenRouter: epoch milliseconds',
    { 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now + 40 * S) },
    null,
    rate(40 * S),
  ],
  [
    'a vendor of epoch seconds',
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': epoch(40 * S) },
    null,
    rate(40 * S),
  ],
  [
    'OpenRouter: free models of a day, told in the body',
    {},
    openrouter(
      'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day',
      19 * H,
    ),
    limit('1d', 19 * H),
  ],
  [
    'OpenRouter: free models of a minute',
    {},
    openrouter('Rate limit exceeded: free-models-per-min.', 12 * S),
    rate(12 * S),
  ],

  [
    'Anthropic: a bucket of the API',
    {
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': rfc3339(20 * S),
    },
    null,
    rate(20 * S),
  ],
  [
    'Anthropic: the later of two',
    {
      'anthropic-ratelimit-input-tokens-limit': '9',
      'anthropic-ratelimit-input-tokens-remaining': '0',
      'anthropic-ratelimit-input-tokens-reset': rfc3339(20 * S),
      'anthropic-ratelimit-tokens-remaining': '0',
      'anthropic-ratelimit-tokens-reset': rfc3339(50 * S),
    },
    null,
    rate(50 * S),
  ],
  [
    'Anthropic: five hours of a subscription',
    rejected(fiveHours),
    {
      type: 'error',
      error: { type: 'rate_limit_error', message: 'This request would exceed your account’s rate limit.' },
    },
    limit('5h', 2 * H),
  ],
  [
    'Anthropic: nearly over',
    rejected({ ...fiveHours, 'anthropic-ratelimit-unified-reset': epoch(40 * S) }),
    null,
    limit('5h', 40 * S),
  ],
  [
    'Anthropic: seven days',
    rejected({
      'anthropic-ratelimit-unified-representative-claim': 'seven_day',
      'anthropic-ratelimit-unified-reset': epoch(3 * DAY),
    }),
    null,
    limit('7d', 3 * DAY),
  ],
  [
    'Anthropic: seven days of one model',
    rejected({
      'anthropic-ratelimit-unified-representative-claim': 'seven_day_opus',
      'anthropic-ratelimit-unified-reset': epoch(DAY),
    }),
    null,
    limit('7d_opus', DAY),
  ],
  [
    'Anthropic: a window that only its own headers tell of',
    rejected({
      'anthropic-ratelimit-unified-representative-claim': 'seven_day_overage_included',
      'anthropic-ratelimit-unified-7d-status': 'allowed',
      'anthropic-ratelimit-unified-7d_oi-status': 'rejected',
      'anthropic-ratelimit-unified-overage-status': 'rejected',
      'retry-after': '121180',
    }),
    null,
    limit('7d_oi', 121180 * S),
  ],
  [
    'Anthropic: no status for the whole',
    { 'anthropic-ratelimit-unified-5h-status': 'rejected', 'anthropic-ratelimit-unified-5h-reset': epoch(H) },
    null,
    limit('5h', H),
  ],
  [
    'Anthropic: asked too fast with a subscription',
    { ...fiveHours, 'anthropic-ratelimit-unified-status': 'allowed_warning', 'retry-after': '12' },
    null,
    rate(12 * S),
  ],
  [
    'Claude: a sentence with an instant',
    {},
    { type: 'error', error: { type: 'rate_limit_error', message: `Claude AI usage limit reached|${epoch(3 * H)}` } },
    limit(null, 3 * H),
  ],

  [
    'ChatGPT: an instant',
    codex('100', '40'),
    {
      error: {
        type: 'usage_limit_reached',
        message: 'The usage limit has been reached',
        plan_type: 'plus',
        resets_at: Number(epoch(90 * M)),
      },
    },
    limit('5h', 90 * M),
  ],
  [
    'ChatGPT: seconds',
    {},
    { error: { type: 'usage_limit_reached', plan_type: 'pro', resets_in_seconds: 3600 } },
    limit(null, H),
  ],
  ['ChatGPT: only its headers', codex('100', '40'), 'rate limited', limit('5h', H)],
  [
    'ChatGPT: both windows are spent',
    codex('100', '100'),
    { error: { type: 'usage_limit_reached' } },
    limit('7d', 50 * H),
  ],
  [
    'ChatGPT: asked too fast',
    { ...codex('20', '40'), 'retry-after': '5' },
    { error: { type: 'rate_limit_exceeded' } },
    rate(5 * S),
  ],
  [
    'ChatGPT: under response, as a stream ends',
    {},
    { response: { error: { type: 'usage_limit_reached', resets_in_seconds: 600 } } },
    limit(null, 10 * M),
  ],
  ['ChatGPT: a plan without it', {}, { error: { type: 'usage_not_included' } }, limit(null, null)],

  ['Gemini: a minute’s quota', {}, google('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '34s'), rate(34 * S)],
  [
    'Gemini: a delay with a fraction, in a list',
    {},
    [google('GenerateContentInputTokensPerModelPerMinute', '34.07441s')],
    rate(34075),
  ],
  ['Gemini: a day’s quota and a delay of seconds', {}, google(perDay, '34s'), limit('1d', 3 * H)],
  ['Gemini: a day’s quota, no delay', {}, google(perDay), limit('1d', 3 * H)],
  ['Gemini: a day’s quota and a long delay', {}, google(perDay, '3600s'), limit('1d', H)],
  ['Gemini: Code Assist’s quota', {}, codeAssist('QUOTA_EXHAUSTED', '4h30m', rfc3339(4.5 * H)), limit(null, 4.5 * H)],
  ['Gemini: Code Assist, too fast', {}, codeAssist('RATE_LIMIT_EXCEEDED', '479.417207ms', 'soon'), rate(480)],

  [
    'Z.ai: five hours, Beijing time',
    {},
    {
      error: { code: '1308', message: 'Usage limit reached for 5 hour. Your limit will reset at 2026-11-22 18:00:00' },
    },
    limit('5h', 5 * H),
  ],
  [
    'Z.ai: five hours, in Chinese',
    {},
    { error: { code: '1308', message: '已达到 5 小时的使用上限。您的限额将在 2026-11-22 14:30:00 重置。' } },
    limit('5h', 1.5 * H),
  ],
  [
    'Z.ai: the week',
    {},
    { error: { code: 1310, message: 'Weekly/Monthly Limit Exhausted. Your limit will reset at 2026-11-25 13:00:00' } },
    limit(null, 3 * DAY),
  ],
  [
    'Z.ai: too many at once',
    {},
    { error: { code: '1302', message: 'High concurrency usage of this API' } },
    rate(null),
  ],
  [
    'DashScope: a minute’s tokens, under the name of spent money',
    {},
    { error: { code: 'insufficient_quota', message: 'Allocated quota exceeded, please increase your quota limit.' } },
    rate(null),
  ],
  [
    'DashScope: the free quota',
    {},
    { error: { code: 'insufficient_quota', message: 'Free allocated quota exceeded.' } },
    limit(null, null),
  ],
  [
    'GitHub Models: a day',
    {},
    { error: { message: 'Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 5631 seconds.' } },
    limit('1d', 5631 * S),
  ],
  [
    'Azure: seconds in words',
    {},
    { error: { code: '429', message: 'Requests have exceeded call rate limit. Please retry after 26 seconds.' } },
    rate(26 * S),
  ],
  [
    'Mistral: by size',
    { 'ratelimitbysize-limit': '500000', 'ratelimitbysize-remaining': '0', 'ratelimitbysize-reset': '28' },
    null,
    rate(28 * S),
  ],
  [
    'the names of the IETF’s older draft',
    { 'ratelimit-limit': '10', 'ratelimit-remaining': '0', 'ratelimit-reset': '50' },
    null,
    rate(50 * S),
  ],
  ['Z.ai: no balance', {}, { error: { code: '1113', message: 'Insufficient balance' } }, limit(null, null)],
  [
    'MiniMax: an instant with its zone',
    {},
    {
      type: 'error',
      error: {
        type: 'rate_limit_error',
        message:
          'usage limit exceeded, 5-hour usage limit reached for Token ' +
          'Plan Starter (0/0 used), resets at 2026-11-22T07:00:00Z (2056)',
      },
    },
    limit('5h', 2 * H),
  ],
  [
    'Ollama: no time',
    {},
    { error: 'you (someone) have reached your session usage limit, please wait or upgrade to continue' },
    limit(null, null),
  ],
  [
    'Moonshot: too fast',
    {},
    {
      error: {
        type: 'rate_limit_reached_error',
        message: 'Your account request reached organization max RPM: 3, please try again after 1 seconds',
      },
    },
    rate(S),
  ],
  [
    'Moonshot: no balance',
    {},
    { error: { type: 'exceeded_current_quota_error', message: 'Your account is suspended' } },
    limit(null, null),
  ],
  [
    'Copilot: the week',
    copilot({ 'x-usage-ratelimit-weekly': [0.4, 3 * DAY] }),
    { error: { message: "Sorry, you've exceeded your weekly rate limit.", code: 'user_weekly_rate_limited:pro' } },
    limit('7d', 3 * DAY),
  ],
  [
    'Copilot: a session of hours',
    copilot({ 'x-usage-ratelimit-session': [0, 2 * H], 'x-usage-ratelimit-weekly': [30, 3 * DAY] }),
    { error: { code: 'rate_limited' } },
    limit('5h', 2 * H),
  ],
  [
    'Copilot: too fast, while a month’s quota is gone',
    { ...copilot({ 'x-quota-snapshot-premium_models': [0, 9 * DAY] }), 'retry-after': '12' },
    { error: { code: 'user_global_rate_limited:pro_plus' } },
    rate(12 * S),
  ],
  ['a page', {}, '<html>429 Too Many Requests</html>', rate(null)],
  ['a body cut off', {}, '{"error":{"message":"Weekly limit hit', limit('7d', null)],
]

/** the status, the headers, the body, the report */
const statuses: [number, ResponseHeaders, unknown, LimitReport | null][] = [
  [
    402,
    {},
    { error: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' } },
    limit(null, null),
  ],
  [402, {}, { error: { code: 402, message: 'This request requires more credits' } }, limit(null, null)],
  [
    402,
    copilot({ 'x-quota-snapshot-premium_models': [0, 9 * DAY], 'x-usage-ratelimit-session': [60, H] }),
    { error: { code: 'quota_exceeded', message: 'You have exceeded your premium request allowance.' } },
    limit('premium_models', 9 * DAY),
  ],
  [402, { 'retry-after': '3' }, { error: { message: 'in flight' } }, rate(3 * S)],
  [403, {}, { error: { message: 'Forbidden' } }, null],
  [403, { 'retry-after': '3' }, null, null],
  [403, {}, { error: { type: 'usage_limit_reached', resets_in_seconds: 900 } }, limit(null, 15 * M)],
  [200, codex('100', '100'), null, null],
  [400, {}, { error: { message: 'daily limit' } }, null],
  [503, { 'retry-after': '60' }, null, null],
  [529, {}, { error: { type: 'overloaded_error' } }, null],
]

describe('a time of day in words', () => {
  // now: 5:00 UTC on Sunday 22 November 2026
  it.each<[string, LimitReport]>([
    ["You've hit your limit · resets 8pm (Asia/Tokyo)", limit(null, 6 * H)],
    ["You've hit your session limit · resets 8:30pm (Asia/Tokyo)", limit(null, 6.5 * H)],
    ['Weekly limit reached · resets 10am (Asia/Seoul) · /upgrade to Max', limit('7d', 20 * H)],
    ['Weekly limit reached · resets Nov 28, 3pm (Europe/Berlin)', limit('7d', 6 * DAY + 9 * H)],
    ['Weekly limit reached · resets Nov 28 at 3:05pm (Europe/Berlin)', limit('7d', 6 * DAY + 9 * H + 5 * M)],
    ['Claude usage limit reached. Your limit will reset at 1pm (Etc/GMT+5).', limit(null, 13 * H)],
    ['You’ve hit your limit · resets 12am (UTC)', limit(null, 19 * H)],
    ['You’ve hit your limit · resets 12pm (UTC)', limit(null, 7 * H)],
    ['You’ve hit your limit · resets 6:02am (Europe/Berlin)', limit(null, 2 * M)],
    ['Your quota will reset after 5h12m3s.', limit(null, 5 * H + 12 * M + 3 * S)],
    ['Usage limit reached, resets in 2 hours 5 minutes', limit(null, 2 * H + 5 * M)],
    // the place is missing, or there is no such place, hour or day
    ['You’ve hit your limit · resets 8pm', limit(null, null)],
    ['You’ve hit your limit · resets 8pm (Nowhere/Town)', limit(null, null)],
    ['You’ve hit your limit · resets 13pm (UTC)', limit(null, null)],
    ['You’ve hit your limit · resets Feb 3, 8pm (UTC)', limit(null, null)],
  ])('%s', (message, report) => {
    expect(read({}, { error: { type: 'rate_limit_error', message } })).toEqual(report)
  })

  it('over the turn of the year', () => {
    const at = Date.UTC(2026, 11, 31, 22)
    const body = JSON.stringify({ error: { message: 'Weekly limit reached · resets Jan 2, 1am (UTC)' } })
    expect(readLimit({ status: 429, model: 'm', headers: {}, body, now: at })).toMatchObject({
      lifts: Date.UTC(2027, 0, 2, 1),
    })
  })
})

describe('what a refusal tells of a limit', () => {
  it.each(refusals)('429, %s', (_, headers, body, expected) => expect(read(headers, body)).toEqual(expected))
  it.each(statuses)('%i with %j and %j', (status, headers, body, expected) =>
    expect(read(headers, body, status)).toEqual(expected),
  )

  it.each([
    ['winter', Date.UTC(2026, 0, 15, 20), Date.UTC(2026, 0, 16, 8)],
    ['summer', Date.UTC(2026, 6, 15, 20), Date.UTC(2026, 6, 16, 7)],
    ['right after midnight', Date.UTC(2026, 6, 15, 7, 0, 1), Date.UTC(2026, 6, 16, 7)],
    ['the day that is an hour shorter', Date.UTC(2026, 2, 8, 9), Date.UTC(2026, 2, 9, 7)],
    ['the day that is an hour longer', Date.UTC(2026, 10, 1, 8), Date.UTC(2026, 10, 2, 8)],
    ['the evening before the clocks change', Date.UTC(2026, 10, 2, 7, 30), Date.UTC(2026, 10, 2, 8)],
  ])('a day’s quota of Gemini in %s', (_, at, midnight) => {
    const body = JSON.stringify(google(perDay))
    expect(timesOf(readLimit({ status: 429, model: 'm', headers: {}, body, now: at }))).toEqual({
      kind: 'limit',
      window: '1d',
      lifts: midnight,
    })
  })

  const names = [
    'retry-after',
    'retry-after-ms',
    'x-ratelimit-limit-requests',
    'x-ratelimit-remaining-requests',
    'x-ratelimit-reset-requests',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'anthropic-ratelimit-tokens-remaining',
    'anthropic-ratelimit-tokens-reset',
    'anthropic-ratelimit-unified-status',
    'anthropic-ratelimit-unified-reset',
    'anthropic-ratelimit-unified-5h-status',
    'anthropic-ratelimit-unified-5h-reset',
    'anthropic-ratelimit-unified-representative-claim',
    'x-codex-primary-used-percent',
    'x-codex-primary-window-minutes',
    'x-codex-primary-reset-at',
    'x-codex-secondary-reset-after-seconds',
    'x-codex-secondary-used-percent',
    'x-quota-snapshot-premium_models',
    'x-usage-ratelimit-session',
  ]
  const odd = fc.oneof(
    fc.string(),
    fc.double().map(String),
    fc.integer().map(String),
    fc.constantFrom(
      '0',
      '100',
      '-1',
      'NaN',
      'Infinity',
      '1e400',
      '0x10',
      'rejected',
      'rem=0&rst=9999-12-31T23:59:59Z',
      'five_hour',
      '6m0s',
      '9'.repeat(30),
      's',
      '.',
      '1970-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
      '2026-13-40T99:99:99Z',
    ),
  )
  const headers = fc.dictionary(fc.constantFrom(...names), fc.oneof(odd, fc.array(odd, { maxLength: 2 })), {
    maxKeys: 8,
  })
  const message = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'usage limit reached|9999999999',
      'usage limit reached|0000000000',
      'will reset at 2026-99-99 99:99:99',
      'resets 8pm (Asia/Tokyo)',
      'resets 99:99pm (Asia/Tokyo)',
      'resets Feb 31, 3pm (Europe/Berlin)',
      'resets 0am (Nowhere/Town)',
      'resets at 2020-01-01T00:00:00Z',
      'try again in 999999d',
      'try again in 1.1.1s',
      'per day',
      'daily limit',
    ),
  )
  const member = fc.oneof(fc.jsonValue({ maxDepth: 2 }), message)
  const body = fc.oneof(
    fc.string(),
    fc
      .record({
        error: fc.oneof(
          member,
          fc.record(
            {
              code: member,
              type: fc.oneof(member, fc.constant('usage_limit_reached')),
              message,
              details: fc.oneof(
                member,
                fc.array(
                  fc.record(
                    {
                      retryDelay: member,
                      violations: fc.oneof(member, fc.constant([{ quotaId: perDay }])),
                      metadata: member,
                    },
                    { requiredKeys: [] },
                  ),
                ),
              ),
              resets_at: member,
              resets_in_seconds: fc.oneof(member, fc.double()),
              metadata: member,
            },
            { requiredKeys: [] },
          ),
        ),
      })
      .map((value) => JSON.stringify(value)),
  )

  it('is never a time that makes no sense, whatever is sent', () => {
    fc.assert(
      fc.property(fc.constantFrom(402, 403, 429), headers, fc.option(body), (status, sent, text) => {
        const news = readLimit({ model: 'm', status, headers: sent, body: text, now })
        const told = news?.kind === 'limit' ? news.lifts : (news?.until ?? null)
        if (status !== 403) expect(news).not.toBeNull()
        if (told === null) return
        expect(Number.isInteger(told)).toBe(true)
        expect(told).toBeGreaterThan(now)
        expect(told).toBeLessThanOrEqual(now + 31 * DAY)
        if (news?.kind === 'rate') expect(told - now).toBeLessThan(5 * M)
      }),
      runs(2000),
    )
  })
})
