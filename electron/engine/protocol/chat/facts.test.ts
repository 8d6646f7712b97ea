import { describe, expect, it } from 'vitest'
import type { AnswerUsage } from '../canonical/answer.ts'
import { converted } from '../testing/converted.ts'
import { watch } from '../testing/summaries.ts'
import type { JsonObject } from '../values.ts'
import { chatCodec } from './codec.ts'
import { timedUsage, usageOfChat } from './facts.ts'

const usage = (counts: JsonObject): JsonObject => ({ choices: [], usage: counts })
const tokens = (
  input: number,
  output: number,
  { cachedInput = 0, cacheWrite = 0, reasoning = 0 }: Partial<AnswerUsage> = {},
): AnswerUsage => ({ input, cachedInput, cacheWrite, output, reasoning })
const reasoning = (reasoning_tokens: number) => ({ completion_tokens_details: { reasoning_tokens } })

const dialects: [string, JsonObject, AnswerUsage | null][] = [
  [
    'OpenAI: all within',
    usage({
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 60 },
      ...reasoning(30),
    }),
    tokens(100, 50, { cachedInput: 60, reasoning: 30 }),
  ],
  [
    'xAI: reasoning beside the completion',
    usage({ prompt_tokens: 12, completion_tokens: 2, total_tokens: 334, ...reasoning(320) }),
    tokens(12, 322, { reasoning: 320 }),
  ],
  [
    'xAI: less reasoning than words, beside all the same',
    usage({ prompt_tokens: 12, completion_tokens: 200, total_tokens: 262, ...reasoning(50) }),
    tokens(12, 250, { reasoning: 50 }),
  ],
  [
    'xAI with a cache as large as its reasoning',
    usage({
      prompt_tokens: 100,
      completion_tokens: 2,
      total_tokens: 142,
      prompt_tokens_details: { cached_tokens: 40 },
      ...reasoning(40),
    }),
    tokens(100, 42, { cachedInput: 40, reasoning: 40 }),
  ],
  [
    "Google's OpenAI endpoint: thoughts in the total alone",
    usage({ prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 }),
    tokens(20, 603, { reasoning: 405 }),
  ],
  [
    'a gateway before Gemini: nothing but thoughts',
    usage({ prompt_tokens: 21, completion_tokens: 0, total_tokens: 81, ...reasoning(60) }),
    tokens(21, 60, { reasoning: 60 }),
  ],
  [
    'Kimi: the cache at the top, in the last choice',
    { choices: [{ index: 0, delta: {}, usage: { prompt_tokens: 1336, completion_tokens: 31, cached_tokens: 1280 } }] },
    tokens(1336, 31, { cachedInput: 1280 }),
  ],
  [
    'DeepSeek',
    usage({ prompt_tokens: 90, completion_tokens: 5, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 26 }),
    tokens(90, 5, { cachedInput: 64 }),
  ],
  [
    'OpenRouter: written beside read',
    usage({
      prompt_tokens: 500,
      completion_tokens: 9,
      total_tokens: 509,
      cost: 0.01,
      prompt_tokens_details: { cached_tokens: 300, cache_write_tokens: 150 },
      ...reasoning(0),
    }),
    tokens(500, 9, { cachedInput: 300, cacheWrite: 150 }),
  ],
  [
    'OpenRouter: written beside the prompt that was read',
    usage({
      prompt_tokens: 500,
      completion_tokens: 9,
      total_tokens: 509,
      prompt_tokens_details: { cached_tokens: 450, cache_write_tokens: 150 },
    }),
    tokens(650, 9, { cachedInput: 450, cacheWrite: 150 }),
  ],
  [
    'Mistral: sound in the total alone',
    usage({ prompt_audio_seconds: 203, prompt_tokens: 4, completion_tokens: 635, total_tokens: 3264 }),
    tokens(2629, 635),
  ],
  [
    'Mistral: its cache',
    usage({ prompt_tokens: 90, completion_tokens: 5, total_tokens: 95, num_cached_tokens: 64 }),
    tokens(90, 5, { cachedInput: 64 }),
  ],
  [
    'Mistral: its cache under another name',
    usage({ prompt_tokens: 90, completion_tokens: 5, total_tokens: 95, prompt_token_details: { cached_tokens: 64 } }),
    tokens(90, 5, { cachedInput: 64 }),
  ],
  [
    'DashScope: its own names, the cache within',
    usage({ input_tokens: 90, output_tokens: 5, total_tokens: 95, prompt_tokens_details: { cached_tokens: 64 } }),
    tokens(90, 5, { cachedInput: 64 }),
  ],
  [
    'Qwen: an explicit cache',
    usage({
      prompt_tokens: 1605,
      completion_tokens: 187,
      total_tokens: 1792,
      prompt_tokens_details: {
        cached_tokens: 0,
        cache_type: 'ephemeral',
        cache_creation_input_tokens: 1580,
        cache_creation: { ephemeral_5m_input_tokens: 1580 },
      },
    }),
    tokens(1605, 187, { cacheWrite: 1580 }),
  ],
  [
    'LiteLLM before Anthropic: within the prompt',
    usage({
      prompt_tokens: 2006,
      completion_tokens: 300,
      total_tokens: 2306,
      cache_read_input_tokens: 1920,
      cache_creation_input_tokens: 40,
    }),
    tokens(2006, 300, { cachedInput: 1920, cacheWrite: 40 }),
  ],
  [
    "a gateway with Anthropic's own counts: beside the input",
    usage({
      input_tokens: 6,
      output_tokens: 20,
      total_tokens: 126,
      cache_read_input_tokens: 70,
      cache_creation_input_tokens: 30,
    }),
    tokens(106, 20, { cachedInput: 70, cacheWrite: 30 }),
  ],
  [
    'Bedrock behind a gateway',
    usage({ inputTokens: 6, outputTokens: 20, totalTokens: 126, cacheReadInputTokens: 70, cacheWriteInputTokens: 30 }),
    tokens(106, 20, { cachedInput: 70, cacheWrite: 30 }),
  ],
  [
    'Perplexity: pages it read, and reasoning of its own',
    usage({
      prompt_tokens: 33,
      completion_tokens: 7163,
      total_tokens: 7196,
      citation_tokens: 20_016,
      num_search_queries: 18,
      reasoning_tokens: 73_997,
    }),
    tokens(20_049, 81_160, { reasoning: 73_997 }),
  ],
  [
    'Groq: in a member of its own',
    { choices: [], x_groq: { id: 'req_1', usage: { prompt_tokens: 8, completion_tokens: 4, total_tokens: 12 } } },
    tokens(8, 4),
  ],
  [
    'a server that says -1 for what it does not know',
    usage({ prompt_tokens: 12, completion_tokens: 3, total_tokens: -1, prompt_tokens_details: { cached_tokens: -1 } }),
    tokens(12, 3),
  ],
  ['a usage of nothing but -1', usage({ prompt_tokens: -1, completion_tokens: -1, total_tokens: -1 }), null],
  ['a usage of nulls', usage({ prompt_tokens: null, completion_tokens: null }), null],
  ['no usage', { choices: [], usage: null }, null],
]

describe('usage of Chat', () => {
  it.each(dialects)('%s', (_, chunk, expected) => {
    expect(usageOfChat(chunk)).toEqual(expected)
  })

  it.each(dialects)('%s, as the observer records it', (_, chunk, expected) => {
    const { cacheWrite, ...counts } = expected ?? { cacheWrite: 0 }
    const recorded = cacheWrite > 0 ? { ...counts, cacheWrite } : counts
    const stream =
      'data: {"id":"a","choices":[{"index":0,' +
      '"delta":{"content":"hi"}}]}\n\ndata: ' +
      `${JSON.stringify(chunk)}\n\n`
    expect(watch(chatCodec, `${stream}data: [DONE]\n\n`).usage).toEqual(expected && recorded)
  })

  it('is what llama.cpp measured, where nothing else is said', () => {
    expect(timedUsage({ timings: { cache_n: 236, prompt_n: 1, predicted_n: 35 } })).toEqual(
      tokens(237, 35, { cachedInput: 236 }),
    )
  })
})

it.each([
  ['more', {}, { prompt_tokens_details: { cached_tokens: 900 } }],
  ['less', { prompt_tokens_details: { cached_tokens: 900 } }, {}],
])('counts that come again behind the finish and say %s make the fullest', (_, first, again) => {
  const counts = { prompt_tokens: 1000, completion_tokens: 50, total_tokens: 1050 }
  const chunks = [
    { id: 'a', choices: [{ index: 0, delta: { content: 'x' } }], usage: { prompt_tokens: 1000, completion_tokens: 0 } },
    { id: 'a', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { ...counts, ...first } },
    { id: 'a', choices: [], usage: { ...counts, ...again } },
  ]
  const stream = `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
  expect(watch(chatCodec, stream).usage).toMatchObject({ input: 1000, cachedInput: 900, output: 50 })
  const [start = '', end = ''] = converted('chat', 'messages', stream, 'stream').bytes.split('event: message_delta')
  expect(start).toContain('"usage":{"input_tokens":1000')
  expect(end).toContain('"input_tokens":100,"cache_creation_input_tokens":0,"cache_read_input_tokens":900')
})
