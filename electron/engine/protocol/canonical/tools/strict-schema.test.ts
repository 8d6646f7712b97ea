import { describe, expect, it } from 'vitest'
import { asked } from '../../testing/asked.ts'
import { asList, asObject, type JsonObject } from '../../values.ts'
import type { WireProtocol } from '../request.ts'

const object = (properties: JsonObject, more: JsonObject = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})
const text = { type: 'string', description: 'A text' }
const inner = { type: 'object', properties: { a: text }, required: ['a'] }

const validated = (to: WireProtocol, ...schemas: JsonObject[]) =>
  asked('gemini', to, {
    contents: [{ role: 'user', parts: [{ text: 'go' }] }],
    tools: [
      { functionDeclarations: schemas.map((parametersJsonSchema, i) => ({ name: `f${i}`, parametersJsonSchema })) },
    ],
    toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } },
  })

const strictOf = (body: JsonObject): unknown[] =>
  asList(body['tools']).map((entry) => {
    const tool = asObject(asObject(entry)?.['function']) ?? asObject(entry)
    return tool?.['strict'] === true
  })

/** A schema, and whether OpenAI and Anthropic take it for a strict tool. */
const schemas: [string, JsonObject, { openai: boolean; anthropic: boolean }][] = [
  ['all required and closed', object({ q: text, n: { type: ['number', 'null'] } }), { openai: true, anthropic: true }],
  ['no properties', object({}), { openai: true, anthropic: true }],
  ['an open object', { type: 'object', properties: { q: text }, required: ['q'] }, { openai: false, anthropic: false }],
  ['a property left out', object({ q: text, n: text }, { required: ['q'] }), { openai: false, anthropic: true }],
  ['an open object inside', object({ o: inner }), { openai: false, anthropic: false }],
  ['an open object in a list', object({ l: { type: 'array', items: inner } }), { openai: false, anthropic: false }],
  ['an open object in anyOf', object({ o: { anyOf: [inner, { type: 'null' }] } }), { openai: false, anthropic: false }],
  [
    'closed ones in anyOf',
    object({ o: { anyOf: [object({ a: text }), { type: 'null' }] } }),
    { openai: true, anthropic: true },
  ],
  ['anyOf at the root', { anyOf: [object({ q: text })] }, { openai: false, anthropic: false }],
  ['allOf', object({ o: { allOf: [object({ a: text })] } }), { openai: false, anthropic: false }],
  [
    'a number with bounds',
    object({ n: { type: 'integer', minimum: 1, maximum: 9 } }),
    { openai: true, anthropic: false },
  ],
  ['a pattern', object({ s: { type: 'string', pattern: '^a' } }), { openai: true, anthropic: false }],
  ['a default', object({ s: { type: 'string', default: 'a' } }), { openai: false, anthropic: true }],
  ['a format of its own', object({ s: { type: 'string', format: 'phone' } }), { openai: false, anthropic: false }],
  ['a property of any kind', object({ any: {} }), { openai: false, anthropic: false }],
  [
    'keys of a pattern',
    object({ o: { type: 'object', patternProperties: { a: text } } }),
    { openai: false, anthropic: false },
  ],
  ['a reference', object({ o: { $ref: '#' } }), { openai: false, anthropic: false }],
]

describe("Gemini's VALIDATED", () => {
  describe.each([
    ['chat', 'openai'],
    ['responses', 'openai'],
    ['messages', 'anthropic'],
  ] as const)('for %s', (to, vendor) => {
    it.each(schemas)('is strict only if the schema may be: %s', (_, schema, strict) => {
      const { body, dropped } = validated(to, schema)
      expect(strictOf(body)).toEqual([strict[vendor]])
      expect(dropped.includes('tools[].strict')).toBe(!strict[vendor])
    })

    it('is judged tool by tool, and the schemas go as they are', () => {
      const schemas = [object({ q: text }), inner]
      const { body, dropped } = validated(to, ...schemas)
      expect(strictOf(body)).toEqual([true, false])
      expect(dropped).toEqual(['tools[].strict'])
      expect(JSON.stringify(body)).toContain(JSON.stringify(inner))
    })
  })

  it('is strict for none where Anthropic would refuse the number of tools', () => {
    const many = Array.from({ length: 21 }, () => object({ q: text }))
    expect(strictOf(validated('messages', ...many).body)).toEqual(many.map(() => false))
    expect(strictOf(validated('chat', ...many).body)).toEqual(many.map(() => true))
  })

  it('is strict for none where too many properties may be left out', () => {
    const loose = object(Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`p${i}`, text])), { required: [] })
    expect(strictOf(validated('messages', loose).body)).toEqual([false])
  })
})

describe('what a client itself called strict', () => {
  const open = (from: 'chat' | 'responses', parameters: JsonObject) =>
    from === 'chat'
      ? {
          model: 'm',
          messages: [{ role: 'user', content: 'go' }],
          tools: [{ type: 'function', function: { name: 'f', parameters, strict: true } }],
        }
      : { model: 'm', input: 'go', tools: [{ type: 'function', name: 'f', parameters, strict: true }] }
  const ofMessages = (input_schema: JsonObject) => ({
    model: 'm',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'go' }],
    tools: [{ name: 'f', input_schema, strict: true }],
  })

  it.each(schemas)('is judged by Anthropic’s rules on its way from OpenAI: %s', (_, schema, { anthropic }) => {
    for (const from of ['chat', 'responses'] as const) {
      const { body, dropped } = asked(from, 'messages', open(from, schema))
      expect(strictOf(body)).toEqual([anthropic])
      expect(dropped).toEqual(anthropic ? [] : ['tools[].strict'])
      expect(JSON.stringify(body)).toContain(JSON.stringify(schema).slice(1, -1))
    }
  })

  it.each(schemas)('is judged by OpenAI’s rules on its way from Anthropic: %s', (_, schema, { openai }) => {
    for (const to of ['chat', 'responses'] as const) {
      const { body, dropped } = asked('messages', to, ofMessages(schema))
      expect(strictOf(body)).toEqual([openai])
      expect(dropped).toEqual(openai ? [] : ['tools[].strict'])
    }
  })

  it('stays so between OpenAI’s own protocols', () => {
    const { body, dropped } = asked('chat', 'responses', open('chat', inner))
    expect(strictOf(body)).toEqual([true])
    expect(dropped).toEqual([])
  })

  it('counts with the schema of the answer', () => {
    const loose = (n: number) =>
      object(Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${i}`, text])), { required: [] })
    const { body, dropped } = asked('chat', 'messages', {
      ...open('chat', loose(13)),
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: loose(12) } },
    })
    expect(strictOf(body)).toEqual([false])
    expect(dropped).toContain('tools[].strict')
  })

  it('is strict for none where Anthropic would refuse the number of unions', () => {
    const many = object(
      Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`p${i}`, { type: ['string', 'null'] }])),
    )
    expect(strictOf(asked('chat', 'messages', open('chat', many)).body)).toEqual([false])
    expect(strictOf(asked('chat', 'responses', open('chat', many)).body)).toEqual([true])
  })
})
