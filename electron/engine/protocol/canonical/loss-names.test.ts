import { describe, expect, it } from 'vitest'
import { conversionOf } from '../conversions.ts'
import type { JsonObject } from '../values.ts'
import { writeCanonical, readCanonical } from './index.ts'
import { lossName } from './loss-names.ts'
import { wireProtocols, type WireProtocol } from './request.ts'

/** Members that other protocols can't say, or their models don't take. */
const asked: Record<WireProtocol, { path: string; body: JsonObject }> = {
  chat: {
    path: '/v1/chat/completions',
    body: {
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      temperature: 0.1,
      top_p: 0.2,
      frequency_penalty: 1,
      presence_penalty: 1,
      seed: 1,
      stop: ['a'],
      logprobs: true,
      verbosity: 'low',
      reasoning_effort: 'max',
      prompt_cache_key: 'k',
      service_tier: 'odd',
      user: 'u'.repeat(65),
      store: true,
    },
  },
  responses: {
    path: '/v1/responses',
    body: {
      model: 'm',
      input: 'hi',
      store: false,
      temperature: 0.1,
      top_p: 0.2,
      top_logprobs: 2,
      include: ['message.output_text.logprobs'],
      text: { verbosity: 'low' },
      reasoning: { effort: 'max', summary: 'detailed' },
      prompt_cache_key: 'k',
      service_tier: 'odd',
      tools: [{ type: 'web_search' }],
      tool_choice: { type: 'web_search' },
    },
  },
  messages: {
    path: '/v1/messages',
    body: {
      model: 'm',
      max_tokens: 5000,
      messages: [{ role: 'user', content: 'hi' }],
      temperature: 0.1,
      top_p: 0.2,
      top_k: 3,
      stop_sequences: ['a'],
      thinking: { type: 'enabled', budget_tokens: 2000 },
      output_config: { effort: 'max' },
      service_tier: 'odd',
      metadata: { user_id: 'u'.repeat(65) },
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
    },
  },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    body: {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      generationConfig: {
        temperature: 0.1,
        topP: 0.2,
        topK: 3,
        frequencyPenalty: 1,
        presencePenalty: 1,
        seed: 1,
        stopSequences: ['a'],
        responseLogprobs: true,
        thinkingConfig: { thinkingBudget: 2000, includeThoughts: true },
      },
      tools: [{ googleSearch: {} }],
    },
  },
}
const models: Record<WireProtocol, string> = {
  chat: 'gpt-5.1',
  responses: 'gpt-5.1',
  messages: 'claude-opus-4-6',
  gemini: 'gemini-3-flash',
}

/** True if the client's body holds a member of this path. */
const holds = (value: unknown, path: readonly string[]): boolean => {
  const [first, ...rest] = path
  if (first === undefined) return value !== undefined
  if (Array.isArray(value)) return value.some((one) => holds(one, path))
  return typeof value === 'object' && value !== null && holds(Reflect.get(value, first), rest)
}

describe.each(wireProtocols)('a client of %s', (from) => {
  it.each(wireProtocols.filter((to) => to !== from))('is told by its own names what %s can’t say', (to) => {
    const { body, path } = asked[from]
    const request = readCanonical(conversionOf[from], body, path)
    const { dropped } = writeCanonical(request, conversionOf[to], { model: models[to], maxOutput: 9000 }, from)
    // Kinds of tools are no members.
    const members = dropped.filter((name) => !/^(?:tools|web_search)/.test(name))
    expect(members.filter((name) => !holds(body, name.split('.')))).toEqual([])
    expect(members.length).toBeGreaterThan(0)
  })
})

it.each([
  ['toolChoice', 'tool_choice'],
  ['serviceTier', 'service_tier'],
  ['cacheKey', 'prompt_cache_key'],
  ['parallelTools', 'parallel_tool_calls'],
  ['reasoning.effort', 'reasoning_effort'],
  ['tools.web_search', 'tools[].web_search'],
])('%s and %s are one loss', (one, other) => {
  expect(lossName(one, 'chat')).toBe(other)
  expect(lossName(other, 'chat')).toBe(other)
})

it('what a client has no member for keeps its name, and a part of a list its place', () => {
  expect(lossName('messages[].role', 'chat')).toBe('messages[].role')
  expect(lossName('stop[4..]', 'messages')).toBe('stop_sequences[4..]')
})
