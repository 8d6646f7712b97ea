import { describe, expect, it } from 'vitest'
import type { LimitSubject } from '../../../../shared/routing.ts'
import type { ResponseHeaders } from '../types.ts'
import { readLimit } from './read-limit.ts'

const now = Date.UTC(2026, 10, 22, 5, 0, 0)
const unified = (claim: string, general: 'allowed' | 'rejected'): ResponseHeaders => ({
  'anthropic-ratelimit-unified-status': 'rejected',
  'anthropic-ratelimit-unified-representative-claim': claim,
  'anthropic-ratelimit-unified-reset': String((now + 86_400_000) / 1000),
  'anthropic-ratelimit-unified-5h-status': 'allowed',
  'anthropic-ratelimit-unified-7d-status': general,
})
const openai = (model: string) => ({
  error: {
    message: `Rate limit reached for ${model} in organization org-1 on tokens per min (TPM): Limit 30000. Wait 8s.`,
    code: 'rate_limit_exceeded',
  },
})
const google = (...quotaIds: string[]) => ({
  error: {
    code: 429,
    message: 'You exceeded your current quota.',
    details: [{ violations: quotaIds.map((quotaId) => ({ quotaId })) }],
  },
})
const codex = (active: string): ResponseHeaders => ({
  'x-codex-active-limit': active,
  'x-codex-primary-used-percent': '100',
  'x-codex-bengalfox-primary-used-percent': '100',
  'x-codex-bengalfox-limit-name': 'gpt-5.3-codex-spark',
})
const model = (name: string): LimitSubject => ({ kind: 'model', name })
const said = (message: string, more: object = {}) => ({ error: { message, ...more } })

describe('what of a key a limit is about', () => {
  it.each<[string, string, ResponseHeaders, unknown, LimitSubject | undefined]>([
    ['OpenAI names the model', 'gpt-5.1', {}, openai('gpt-5.1'), model('gpt-5.1')],
    ['OpenAI, a short name', 'o3', {}, openai('o3'), model('o3')],
    ['snapshots share a limit', 'gpt-4o-2024-08-06', {}, openai('gpt-4o'), model('gpt-4o')],
    ['… also the other way round', 'gpt-4o', {}, openai('gpt-4o-2024-08-06'), model('gpt-4o')],
    ['a longer name is another model', 'gpt-4o', {}, openai('gpt-4o-mini'), undefined],
    ['a longer name with a point, too', 'gpt-5', {}, openai('gpt-5.1'), undefined],
    ['no name', 'gpt-4o', {}, said('Rate limit reached for requests'), undefined],
    ['money is gone for all models', 'gpt-4o', {}, said('gpt-4o: no quota', { code: 'insufficient_quota' }), undefined],
    [
      'Groq',
      'llama-3.3-70b',
      {},
      said('Rate limit reached for model `llama-3.3-70b` in organization `o` on tokens per day (TPD)'),
      model('llama-3.3-70b'),
    ],
    [
      'Anthropic’s API',
      'claude-sonnet-4-5-20250929',
      {},
      said('This request would exceed your organization’s rate limit (org: o, model: claude-sonnet-4-5-20250929).'),
      model('claude-sonnet-4-5'),
    ],
    ['a plan’s five hours', 'claude-opus-4-6', unified('five_hour', 'allowed'), null, undefined],
    ['a plan’s week', 'claude-opus-4-6', unified('seven_day', 'rejected'), null, undefined],
    [
      'a plan’s week of one family',
      'claude-opus-4-6',
      unified('seven_day_opus', 'allowed'),
      null,
      { kind: 'family', name: 'opus' },
    ],
    [
      '… under another name',
      'claude-fable-5',
      unified('seven_day_overage_included', 'allowed'),
      null,
      { kind: 'family', name: 'fable' },
    ],
    [
      'a claim nobody knows, all windows open',
      'claude-new-5',
      unified('seven_day_new', 'allowed'),
      null,
      model('claude-new-5'),
    ],
    [
      'a claim nobody knows, and the week is spent',
      'claude-new-5',
      unified('seven_day_new', 'rejected'),
      null,
      undefined,
    ],
    ['Gemini per model', 'gemini-2.5-pro', {}, google('PerDayPerProjectPerModel-FreeTier'), model('gemini-2.5-pro')],
    [
      'Gemini per project too',
      'gemini-2.5-pro',
      {},
      google('PerDayPerProjectPerModel', 'PerMinutePerProject'),
      undefined,
    ],
    [
      'Vertex AI',
      'gemini-2.5-pro',
      {},
      said('Quota exceeded for requests_per_minute_per_base_model with base model: gemini-2.5-pro. Ask for more.'),
      model('gemini-2.5-pro'),
    ],
    ['a ChatGPT plan', 'gpt-5.1-codex', codex('premium'), said('x', { type: 'usage_limit_reached' }), undefined],
    [
      'a ChatGPT plan’s own limit of a model',
      'gpt-5.3-codex-spark',
      codex('codex_bengalfox'),
      said('x', { type: 'usage_limit_reached' }),
      model('gpt-5.3-codex-spark'),
    ],
    ['Copilot: one model', 'gpt-5.1', {}, said('x', { code: 'user_model_rate_limited:pro' }), model('gpt-5.1')],
    [
      'Copilot in words',
      'gpt-5.1',
      {},
      said('Sorry, you have exhausted this model’s rate limit. Please switch to another model.'),
      model('gpt-5.1'),
    ],
    [
      'Azure: a deployment',
      'gpt-5-eu',
      {},
      said(
        'Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2024-10-21 have exceeded ' +
          'token rate limit of your current OpenAI S0 pricing tier. Please retry after 60 seconds.',
        { code: '429' },
      ),
      model('gpt-5-eu'),
    ],
    [
      'GitHub Models',
      'gpt-4o',
      {},
      said('Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 5631 seconds before retrying.'),
      model('gpt-4o'),
    ],
    [
      'GitHub Models: all of them',
      'gpt-4o',
      { 'x-ratelimit-type': 'UserConcurrentRequests' },
      said('Rate limit of 2 per 0s exceeded for UserConcurrentRequests. Please wait 0 seconds before retrying.'),
      undefined,
    ],
    [
      'GitHub Models, by its header',
      'gpt-4o',
      { 'x-ratelimit-type': 'UserByModelByMinute' },
      said('x'),
      model('gpt-4o'),
    ],
    [
      'Gemini Code Assist, in words',
      'gemini-3-pro',
      {},
      said('You have exhausted your capacity on this model. Your quota will reset after 5h12m3s.'),
      model('gemini-3-pro'),
    ],
    [
      'Gemini Code Assist, in its details',
      'gemini-3-pro',
      {},
      said('Too many requests.', { details: [{ reason: 'QUOTA_EXHAUSTED', metadata: { model: 'gemini-3-pro' } }] }),
      model('gemini-3-pro'),
    ],
    ['Volcengine Ark', 'doubao-1', {}, said('x', { code: 'ModelAccountTpmRateLimitExceeded' }), model('doubao-1')],
    ['Volcengine Ark: the account', 'doubao-1', {}, said('x', { code: 'AccountRateLimitExceeded' }), undefined],
    [
      'DashScope',
      'qwen-plus',
      {},
      said('Allocated quota exceeded, please increase your quota limit.', { code: 'insufficient_quota' }),
      model('qwen-plus'),
    ],
    [
      'a free day of one model',
      'glm-5.3-flash',
      {},
      said('Daily free limit reached on model z-ai/glm-5.3-flash. Try again in 2h 16m'),
      model('glm-5.3-flash'),
    ],
    ['Copilot: all of them', 'gpt-5.1', {}, said('x', { code: 'user_global_rate_limited:pro' }), undefined],
    [
      'Copilot: premium requests',
      'gpt-5.1',
      { 'x-quota-snapshot-premium_models': 'ent=300&ovPerm=false&rem=0' },
      said('x', { code: 'quota_exceeded' }),
      model('gpt-5.1'),
    ],
    [
      'OpenRouter: all free models',
      'deepseek/deepseek-r1:free',
      {},
      said('Rate limit exceeded: free-models-per-day.'),
      { kind: 'tier', name: 'free' },
    ],
    [
      'OpenRouter: the host of one model',
      'deepseek/deepseek-r1:free',
      {},
      said('Provider returned error', {
        metadata: { raw: 'deepseek/deepseek-r1:free is temporarily limited upstream.' },
      }),
      model('deepseek/deepseek-r1:free'),
    ],
  ])('%s', (_, asked, headers, body, subject) => {
    const report = readLimit({ status: 429, model: asked, headers, body: JSON.stringify(body), now })
    expect(report?.subject).toEqual(subject)
  })
})
