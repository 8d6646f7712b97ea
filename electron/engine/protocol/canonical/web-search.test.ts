import { describe, expect, it } from 'vitest'
import { conversionOf } from '../conversions.ts'
import { asObject, parseObject, type JsonObject } from '../values.ts'
import { goldens } from '../testing/golden/load.ts'
import { readCanonical, writeCanonical } from './index.ts'
import { wireProtocols, type WireProtocol } from './request.ts'
import { converted as converting } from './testing/converted.ts'
import { withoutForeignSeals } from './thinking/foreign-seals.ts'

const models: Record<WireProtocol, string> = {
  chat: 'gpt-4o-search-preview',
  responses: 'gpt-5.6',
  messages: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
}
const place = { city: 'Rome', region: 'Lazio', country: 'IT', timezone: 'Europe/Rome' }
const location = { type: 'approximate', ...place }
/** All that each protocol can ask of a search. */
const asked: Record<WireProtocol, JsonObject> = {
  chat: {
    messages: [{ role: 'user', content: 'hi' }],
    web_search_options: { search_context_size: 'low', user_location: { type: 'approximate', approximate: place } },
  },
  responses: {
    input: 'hi',
    tools: [
      {
        type: 'web_search',
        filters: { allowed_domains: ['a.test'] },
        user_location: location,
        search_context_size: 'low',
      },
    ],
    tool_choice: { type: 'web_search' },
    max_tool_calls: 3,
  },
  messages: {
    max_tokens: 100,
    messages: [{ role: 'user', content: 'hi' }],
    tools: [
      {
        type: 'web_search_20260209',
        name: 'web_search',
        max_uses: 3,
        blocked_domains: ['b.test/blog'],
        user_location: location,
      },
    ],
    tool_choice: { type: 'tool', name: 'web_search' },
  },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], tools: [{ googleSearch: {} }] },
}

function converted(from: WireProtocol, to: WireProtocol, { more = {}, model = models[to] }: Asked = {}) {
  const path = from === 'gemini' ? '/v1beta/models/m:generateContent' : '/'
  const request = readCanonical(conversionOf[from], { model: 'm', ...asked[from], ...more }, path)
  const { body, dropped } = writeCanonical(request, conversionOf[to], { model, maxOutput: null })
  return { body: parseObject(body) ?? {}, dropped }
}
interface Asked {
  more?: JsonObject
  model?: string
}

describe('a search that the vendor runs', () => {
  it('is asked of another vendor with what both know', () => {
    expect(converted('messages', 'responses')).toMatchObject({
      body: {
        tools: [{ type: 'web_search', filters: { blocked_domains: ['b.test'] }, user_location: location }],
        tool_choice: { type: 'web_search' },
        max_tool_calls: 3,
        include: ['reasoning.encrypted_content', 'web_search_call.action.sources'],
      },
      dropped: [],
    })
    expect(converted('messages', 'chat')).toMatchObject({
      body: { web_search_options: { user_location: { type: 'approximate', approximate: place } } },
      dropped: ['web_search.blocked_domains', 'web_search.max_uses'],
    })
    expect(converted('messages', 'gemini')).toMatchObject({
      body: { tools: [{ googleSearch: {} }] },
      dropped: ['web_search.blocked_domains', 'web_search.max_uses', 'web_search.user_location', 'toolChoice'],
    })
    expect(converted('responses', 'messages')).toMatchObject({
      body: {
        tools: [
          {
            type: 'web_search_20250305',
            name: 'web_search',
            max_uses: 3,
            allowed_domains: ['a.test'],
            user_location: location,
          },
        ],
        tool_choice: { type: 'tool', name: 'web_search' },
      },
      dropped: ['web_search.search_context_size'],
    })
    expect(converted('chat', 'responses')).toMatchObject({
      body: { tools: [{ type: 'web_search', user_location: location, search_context_size: 'low' }] },
      dropped: [],
    })
    const excluded = { tools: [{ google_search: { exclude_domains: ['b.test'] } }] }
    expect(converted('gemini', 'messages', { more: excluded }).body).toMatchObject({
      tools: [{ type: 'web_search_20250305', blocked_domains: ['b.test'] }],
    })
  })

  it('goes to vendors of other models with what is known of them', () => {
    expect(converted('messages', 'responses', { model: 'grok-4' })).toMatchObject({
      body: { tools: [{ type: 'web_search', user_location: location }] },
      dropped: ['web_search.blocked_domains', 'web_search.max_uses'],
    })
    const minimal = { output_config: { effort: 'low' }, thinking: { type: 'adaptive' } }
    expect(converted('messages', 'responses', { more: minimal, model: 'gpt-5' }).body).toMatchObject({
      reasoning: { effort: 'low' },
    })
    const least = { reasoning_effort: 'minimal' }
    expect(converted('chat', 'responses', { more: least, model: 'gpt-5' }).body).toMatchObject({
      reasoning: { effort: 'low' },
    })
  })

  it.each<[WireProtocol, string]>([
    ['chat', 'glm-5'],
    ['responses', 'gpt-oss-120b'],
    ['responses', 'gpt-4.1-nano'],
    ['messages', 'kimi-k2'],
    ['messages', 'us.anthropic.claude-sonnet-4-5-v1:0'],
    ['gemini', 'gemma-4'],
  ])('is left out where the model has none, by name, and the model is told: %s, %s', (to, model) => {
    for (const from of wireProtocols.filter((one) => one !== to)) {
      const { body, dropped } = converted(from, to, { model })
      expect(JSON.stringify(body)).not.toMatch(/web_search|googleSearch|tool_choice|max_tool_calls/)
      expect(JSON.stringify(body).match(/You can’t search the web/g)).toHaveLength(1)
      expect(dropped.some((name) => /^tools(?:\[\])?\.(?:web_search|googleSearch)/.test(name))).toBe(true)
    }
  })

  it('gives way to functions where both can’t be, unless it is what must be called', () => {
    const look = { name: 'look', input_schema: { type: 'object' } }
    const [search] = asked.messages['tools'] as JsonObject[]
    const both = { tools: [look, search], tool_choice: { type: 'auto' } }
    const { body, dropped } = converted('messages', 'gemini', { more: both })
    expect(body['tools']).toEqual([{ functionDeclarations: [expect.objectContaining({ name: 'look' })] }])
    expect(dropped).toContain('tools[].web_search_20260209')
    const forced = converted('messages', 'gemini', { more: { tools: [look, search] } })
    expect(forced.body['tools']).toEqual([{ googleSearch: {} }])
    expect(forced.dropped).toContain('tools')
    const mine = { tools: [{ type: 'web_search' }, { type: 'function', name: 'web_search', parameters: {} }] }
    const named = converted('responses', 'messages', { more: { ...mine, tool_choice: 'auto' } })
    expect(named.body['tools']).toEqual([expect.objectContaining({ name: 'web_search', input_schema: asAnything })])
    expect(named.dropped).toContain('tools.web_search')
  })

  it('is one, however often and by whatever name it is asked for', () => {
    const twice = { tools: [{ type: 'web_search_preview' }, { type: 'web_search' }] }
    expect(asObject(converted('responses', 'messages', { more: twice }).body)?.['tools']).toHaveLength(1)
  })
})

describe('what a search found, for a client of another vendor', () => {
  const golden = goldens().find(({ name }) => name === 'responses/openai/web-search-sources-body')
  const bytes = golden?.bytes.toString() ?? ''
  const found = ['https://ferry.example/times', 'https://island.example/']

  it.each(['stream', 'body'] as const)('stands where its vendor would say it (%s)', (wants) => {
    const urls = (to: WireProtocol): string => converting('responses', to, bytes, { as: 'body', wants }).text
    for (const url of found) expect(urls('messages')).toContain(url)
    expect(urls('gemini')).toContain('"webSearchQueries":["ferry to the island","island ferry times"]')
    const uncited = bytes.replace(/"annotations": \[[^\]]*\]/, '"annotations": []')
    const shown = converting('responses', 'gemini', uncited, { as: 'body', wants }).text
    for (const url of found) expect(shown).toContain(url)
    expect(urls('messages')).toContain('"server_tool_use":{"web_search_requests":1')
    expect(urls('messages')).toMatch(/"type":"web_search_tool_result","tool_use_id":"srvtoolu_onward\w+"/)
    const { text, dropped } = converting('responses', 'chat', bytes, { as: 'body', wants })
    expect(text).toContain('"url_citation"')
    expect(dropped).toContain('web_search')
  })

  it('is taken out again where it comes back to Anthropic, which would look for what it sealed', () => {
    const { text } = converting('responses', 'messages', bytes, { as: 'body', wants: 'body' })
    const content = parseObject(Buffer.from(text))?.['content']
    const messages = [
      { role: 'user', content: 'When?' },
      { role: 'assistant', content },
      { role: 'user', content: 'Thanks.' },
    ]
    const sent = Buffer.from(JSON.stringify({ model: 'm', messages }))
    const cleaned = parseObject(withoutForeignSeals('messages', sent, 'claude-sonnet-4-5'))
    expect(cleaned?.['messages']).toMatchObject([
      {},
      { role: 'assistant', content: [{ type: 'text', text: 'The ferry leaves at nine.' }] },
      {},
    ])
    const others = readCanonical(conversionOf.messages, { model: 'm', max_tokens: 9, messages }, '/v1/messages')
    expect(others.messages[1]?.parts).toEqual([{ type: 'text', text: 'The ferry leaves at nine.' }])
    expect(others.unread).toEqual(
      expect.arrayContaining(
        ['server_tool_use', 'web_search_tool_result'].map((type) => `messages[].content[].${type}`),
      ),
    )
  })
})

const asAnything: unknown = expect.objectContaining({ type: 'object' })
