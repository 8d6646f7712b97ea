import { describe, expect, it } from 'vitest'
import { asked } from '../testing/asked.ts'
import { asList, asObject, type JsonObject } from '../values.ts'
import type { WireProtocol } from './request.ts'

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

it('what a client itself called strict stays strict', () => {
  const { body, dropped } = asked('chat', 'responses', {
    model: 'm',
    messages: [{ role: 'user', content: 'go' }],
    tools: [{ type: 'function', function: { name: 'f', parameters: inner, strict: true } }],
  })
  expect(strictOf(body)).toEqual([true])
  expect(dropped).toEqual([])
})
