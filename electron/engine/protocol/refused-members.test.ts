import { describe, expect, it } from 'vitest'
import { conversionOf } from './conversions.ts'
import { plainRequest } from './testing/plain-request.ts'
import type { CanonicalRequest, WireProtocol } from './canonical/request.ts'

const write = (to: WireProtocol, request: Partial<CanonicalRequest>, model: string) =>
  conversionOf[to].writeRequest({ ...plainRequest, ...request, model }, { model, maxOutput: 1_000 })

describe('what a vendor refuses is left out and named', () => {
  const sampling: Partial<CanonicalRequest> = {
    temperature: 0,
    topP: 0.9,
    frequencyPenalty: 0.1,
    presencePenalty: 0.1,
    logprobs: 2,
    stop: ['END'],
  }
  const members = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'logprobs', 'top_logprobs', 'stop']

  it.each(['o4-mini', 'openai/gpt-5-mini', 'gpt-5.1'])('sampling, by %s, over Chat and Responses', (model) => {
    for (const to of ['chat', 'responses'] as const) {
      const { body, dropped } = write(to, sampling, model)
      for (const name of members) expect(body).not.toHaveProperty(name)
      expect(dropped.length).toBeGreaterThanOrEqual(6)
    }
  })

  it.each(['gpt-4.1', 'gpt-5-chat-latest', 'qwen3-coder', 'grok-4-fast-non-reasoning', 'grok-3', 'kimi-k2'])(
    'but not by %s',
    (model) => {
      expect(Object.keys(write('chat', sampling, model).body)).toEqual(expect.arrayContaining(members))
    },
  )

  it.each([
    ['grok-4-0709', ['frequency_penalty', 'presence_penalty', 'stop']],
    ['x-ai/grok-code-fast-1', ['frequency_penalty', 'presence_penalty', 'stop']],
    ['kimi-k2.5', ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'logprobs']],
    ['moonshotai/kimi-k3', ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'logprobs']],
    ['deepseek-reasoner', ['logprobs']],
  ])('a part of it, by %s', (model, refused) => {
    const { body, dropped } = write('chat', sampling, model)
    expect(dropped).toEqual(refused)
    for (const name of members)
      expect(name in body, name).toBe(!refused.includes(name === 'top_logprobs' ? 'logprobs' : name))
  })

  it.each(['grok-4', 'grok-4-fast-reasoning', 'x-ai/grok-4.20', 'grok-code-fast-1', 'grok-3', 'devstral-2512'])(
    'an effort, by %s, over Chat and Responses',
    (model) => {
      const reasoning = { effort: 'high', budget: null, summary: null } as const
      const chat = write('chat', { reasoning }, model)
      const responses = write('responses', { reasoning }, model)
      expect([chat.body['reasoning_effort'], responses.body['reasoning']]).toEqual([undefined, undefined])
      expect([chat.dropped, responses.dropped]).toEqual([['reasoning_effort'], ['reasoning']])
    },
  )

  it.each([
    ['o4-mini', 'max', 'high'],
    ['o4-mini', 'none', 'low'],
    ['gpt-5-mini', 'xhigh', 'high'],
    ['gpt-5-mini', 'none', 'minimal'],
    ['gpt-5.1', 'minimal', 'none'],
    ['gpt-5.1-codex-max', 'max', 'xhigh'],
    ['gpt-5.6', 'max', 'xhigh'],
    ['gpt-5.6', 'high', 'high'],
    ['gpt-5-pro', 'xhigh', 'high'],
    ['openai/gpt-oss-120b', 'max', 'high'],
    ['kimi-k2', 'max', 'high'],
    ['kimi-k2', 'xhigh', 'high'],
    ['deepseek-v4-pro', 'max', 'max'],
    ['glm-5.2', 'xhigh', 'xhigh'],
    ['grok-3-mini', 'medium', 'low'],
    ['grok-4.3', 'max', 'xhigh'],
    ['mistral-small-2603', 'medium', 'none'],
    ['mistral-medium-3.5', 'max', 'high'],
  ] as const)('an effort: %s takes %s as %s', (model, effort, taken) => {
    const reasoning = { effort, budget: null, summary: null }
    const chat = write('chat', { reasoning }, model)
    const responses = write('responses', { reasoning }, model)
    expect(chat.body['reasoning_effort']).toBe(taken)
    expect(responses.body['reasoning']).toEqual({ effort: taken })
    expect([chat.dropped, responses.dropped]).toEqual(
      effort === taken ? [[], []] : [['reasoning_effort'], ['reasoning.effort']],
    )
  })

  it.each([
    ['claude-opus-4-6', 'xhigh', 'high'],
    ['claude-sonnet-4-6', 'max', 'max'],
    ['claude-opus-4-7', 'xhigh', 'xhigh'],
    ['kimi-k2', 'max', 'high'],
    ['deepseek-v4-pro', 'max', 'max'],
  ] as const)('an effort over Messages: %s takes %s as %s', (model, effort, taken) => {
    const { body, dropped } = write('messages', { reasoning: { effort, budget: null, summary: null } }, model)
    expect(body['output_config']).toEqual({ effort: taken })
    expect(dropped.includes('effort')).toBe(effort !== taken)
  })

  it.each(['xhigh', 'max'] as const)('an effort over Gemini, whose levels end at high: %s', (effort) => {
    const { body, dropped } = write('gemini', { reasoning: { effort, budget: null, summary: null } }, 'gemini-3-flash')
    expect(body['generationConfig']).toMatchObject({ thinkingConfig: { thinkingLevel: 'HIGH' } })
    expect(dropped).toContain('reasoning.effort')
  })

  it('thinking of which the model decides how much, by Chat, which has no word for it', () => {
    const reasoning = { effort: null, budget: null, summary: null }
    expect(write('chat', { reasoning }, 'm').dropped).toEqual(['reasoning'])
  })

  it('an effort without thinking is none', () => {
    const reasoning = { effort: 'high', budget: 0, summary: null } as const
    expect(write('chat', { reasoning }, 'gpt-5.6').body['reasoning_effort']).toBe('none')
    const { body } = write('chat', { reasoning }, 'deepseek-v4-pro')
    expect([body['thinking'], body['reasoning_effort']]).toEqual([{ type: 'disabled' }, undefined])
  })

  it('an effort, by a chat model that does not reason', () => {
    const reasoning = { effort: 'high', budget: null, summary: null } as const
    expect(write('chat', { reasoning }, 'gpt-5-chat-latest').body).not.toHaveProperty('reasoning_effort')
  })

  it('the account in the user id of Claude Code, which is too long for OpenAI', () => {
    const user = `user_${'0'.repeat(64)}_account_${'1'.repeat(36)}_session_${'2'.repeat(36)}`
    for (const to of ['chat', 'responses'] as const) {
      const { body, dropped } = write(to, { user }, 'm')
      expect(JSON.stringify(body)).not.toContain('account_')
      expect(dropped).toContain('user')
      expect(write(to, { user: 'u-1' }, 'm').body['user']).toBe('u-1')
    }
  })
})

describe('the id of a call', () => {
  const messages = (...ids: string[]): CanonicalRequest['messages'] =>
    ids.flatMap((id): CanonicalRequest['messages'] => [
      {
        role: 'assistant',
        parts: [
          { type: 'thinking', text: 'Hm.', seal: { of: 'chat', data: 'reasoning_content' } },
          { type: 'tool-call', id, name: 'look', arguments: '{}', custom: false, seal: null },
        ],
      },
      {
        role: 'user',
        parts: [{ type: 'tool-result', callId: id, name: null, parts: [], isError: false, custom: false }],
      },
    ])
  const ids = (given: string[], model: string) => {
    const body = write('chat', { messages: messages(...given) }, model).body as {
      messages: { tool_calls?: { id: string }[]; tool_call_id?: string }[]
    }
    const calls = body.messages.flatMap((one) => one.tool_calls?.map(({ id }) => id) ?? [])
    expect(body.messages.flatMap((one) => one.tool_call_id ?? [])).toEqual(calls)
    return calls
  }
  const long = `toolu_vrtx_${'0'.repeat(40)}`

  it.each(['mistral-medium-latest', 'mistralai/devstral-2512:free', 'codestral-latest'])(
    'is nine letters and digits for %s, the same one every time',
    (model) => {
      const given = ['Ab3dE9xYz', 'toolu_01A', 'call_1', long]
      const [own, ...others] = ids(given, model)
      expect(own).toBe('Ab3dE9xYz')
      for (const id of others) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
      expect(new Set(others).size).toBe(3)
      expect(ids(given, model)).toEqual([own, ...others])
    },
  )

  it('has forty characters at most for OpenAI, and is any for others', () => {
    expect(ids([long, 'call_1'], 'gpt-5.1')).toEqual([expect.stringMatching(/^call_\w{35}$/), 'call_1'])
    expect(ids([long], 'qwen3-coder')).toEqual([long])
  })

  it('has no thinking beside it for Mistral, which refuses the member', () => {
    const { body, dropped } = write('chat', { messages: messages('call_1') }, 'devstral-2512')
    expect(JSON.stringify(body)).not.toContain('reasoning_content')
    expect(dropped).toEqual(['thinking'])
    expect(JSON.stringify(write('chat', { messages: messages('call_1') }, 'qwen3').body)).toContain('reasoning_content')
  })
})

describe('a system text in the middle, over Chat', () => {
  const text = (words: string) => ({ type: 'text' as const, text: words })
  const messages: CanonicalRequest['messages'] = [
    { role: 'user', parts: [text('hi')] },
    { role: 'system', parts: [text('Agents: one')] },
    { role: 'user', parts: [text('go')] },
    { role: 'assistant', parts: [text('ok')] },
    { role: 'system', parts: [text('Late')] },
  ]

  it('is said by the user where templates refuse it', () => {
    const { body, dropped } = write('chat', { system: [text('Main')], messages }, 'qwen3-coder')
    expect(body['messages']).toEqual([
      { role: 'system', content: 'Main' },
      {
        role: 'user',
        content: [text('hi'), text('<system-reminder>\nAgents: one\n</system-reminder>'), text('go')],
      },
      { role: 'assistant', content: 'ok' },
      { role: 'user', content: '<system-reminder>\nLate\n</system-reminder>' },
    ])
    expect(dropped).toEqual(['messages[].role'])
  })

  it('stays one for models of OpenAI', () => {
    const { body, dropped } = write('chat', { messages }, 'gpt-5.1')
    const roles = (body['messages'] as { role: string }[]).map(({ role }) => role)
    expect(roles.join(' ')).toBe('user system user assistant system')
    expect(dropped).toEqual([])
  })
})
