import { describe, expect, it } from 'vitest'
import { asked } from '../../testing/asked.ts'
import { asObject, type JsonObject, asList } from '../../values.ts'
import type { WireProtocol } from '../request.ts'

const text = { type: 'string' }
const object = (properties: JsonObject, more: JsonObject = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})
const hello = [{ role: 'user', content: 'go' }]

/** A client of each protocol that asks for an answer of this schema. */
const asking: Record<WireProtocol, (schema: JsonObject, strict?: boolean) => JsonObject> = {
  chat: (schema, strict) => ({
    model: 'm',
    messages: hello,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'a', schema, ...(strict === undefined ? {} : { strict }) },
    },
  }),
  responses: (schema, strict) => ({
    model: 'm',
    input: 'go',
    text: { format: { type: 'json_schema', name: 'a', schema, ...(strict === undefined ? {} : { strict }) } },
  }),
  messages: (schema) => ({
    model: 'm',
    max_tokens: 100,
    messages: hello,
    output_config: { format: { type: 'json_schema', schema } },
  }),
  gemini: (responseJsonSchema) => ({
    contents: [{ role: 'user', parts: [{ text: 'go' }] }],
    generationConfig: { responseMimeType: 'application/json', responseJsonSchema },
  }),
}

const formatOf = (body: JsonObject): JsonObject | null =>
  asObject(asObject(body['output_config'])?.['format']) ??
  asObject(asObject(body['response_format'])?.['json_schema']) ??
  asObject(asObject(body['text'])?.['format'])
const formatFor = (from: WireProtocol, to: WireProtocol, schema: JsonObject, strict?: boolean) => {
  const { body, dropped } = asked(from, to, asking[from](schema, strict))
  return { format: formatOf(body), dropped: dropped.filter((name) => name !== 'format.name') }
}

/** The schema that is asked for, the one Anthropic gets (null: no format at all), and the recorded losses. */
const fitted: [string, JsonObject, JsonObject | null, string[]][] = [
  ['what fits stays as it is', object({ a: text }), object({ a: text }), []],
  [
    'an open object is closed',
    { type: 'object', properties: { a: text, b: text }, required: ['a'] },
    { type: 'object', properties: { a: text, b: text }, required: ['a'], additionalProperties: false },
    [],
  ],
  [
    'one that says it is open is recorded',
    object({ a: text }, { additionalProperties: true }),
    object({ a: text }),
    ['format.schema.additionalProperties'],
  ],
  [
    'open objects inside are closed',
    object({ l: { type: 'array', items: { type: 'object', properties: { a: text } } } }),
    object({ l: { type: 'array', items: { type: 'object', properties: { a: text }, additionalProperties: false } } }),
    [],
  ],
  [
    'bounds become words of the description',
    object({ a: { type: 'string', minLength: 2, description: 'A name.' }, n: { type: 'integer', minimum: 1 } }),
    object({
      a: { type: 'string', description: 'A name.\n\n{minLength: 2}' },
      n: { type: 'integer', description: '{minimum: 1}' },
    }),
    ['format.schema.minLength', 'format.schema.minimum'],
  ],
  [
    'so do a format of its own and many items',
    object({ l: { type: 'array', items: { type: 'string', format: 'phone' }, minItems: 3 } }),
    object({
      l: { type: 'array', items: { type: 'string', description: '{format: "phone"}' }, description: '{minItems: 3}' },
    }),
    ['format.schema.format', 'format.schema.minItems'],
  ],
  [
    'oneOf becomes anyOf',
    object({ o: { oneOf: [text, { type: 'null' }] } }),
    object({ o: { anyOf: [text, { type: 'null' }] } }),
    ['format.schema.oneOf'],
  ],
  [
    'definitions are fitted where they stand',
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...object({ o: { $ref: '#/$defs/in' } }),
      $defs: { in: { type: 'object', properties: { a: text } } },
    },
    {
      ...object({ o: { $ref: '#/$defs/in' } }),
      $defs: { in: { type: 'object', properties: { a: text }, additionalProperties: false } },
    },
    [],
  ],
  ['a schema that calls itself has no place', object({ o: { anyOf: [{ $ref: '#' }, text] } }), null, ['format']],
  [
    'nor has one whose definitions do',
    { ...object({ o: { $ref: '#/$defs/in' } }), $defs: { in: object({ again: { $ref: '#/$defs/in' } }) } },
    null,
    ['format'],
  ],
  ['nor an object of any keys', object({ map: { type: 'object', additionalProperties: text } }), null, ['format']],
  ['nor anything at all', object({ any: {} }), null, ['format']],
  [
    'nor more optional properties than are taken',
    { type: 'object', properties: Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`p${i}`, text])) },
    null,
    ['format'],
  ],
]

describe.each(['chat', 'responses', 'gemini'] as const)('a response schema of %s for Anthropic', (from) => {
  it.each(fitted)('%s', (_, schema, expected, names) => {
    const { format, dropped } = formatFor(from, 'messages', schema)
    expect(format?.['schema'] ?? null).toEqual(expected)
    expect(dropped).toEqual(names)
  })
})

it('strict or not, a schema for Anthropic is fitted', () => {
  for (const strict of [true, false, undefined])
    expect(
      formatFor('chat', 'messages', { type: 'object', properties: { a: text } }, strict).format?.['schema'],
    ).toEqual({ type: 'object', properties: { a: text }, additionalProperties: false })
})

it("Google's own way to say a schema is fitted too", () => {
  const { body } = asked('gemini', 'messages', {
    contents: [{ role: 'user', parts: [{ text: 'go' }] }],
    generationConfig: {
      responseMimeType: 'application/json',
      responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING' }, b: { type: 'STRING' } }, required: ['a'] },
    },
  })
  expect(formatOf(body)?.['schema']).toEqual({
    type: 'object',
    properties: { a: text, b: text },
    required: ['a'],
    additionalProperties: false,
  })
})

describe.each(['chat', 'responses'] as const)('a schema that the vendor always holds to, for %s', (to) => {
  const open = { type: 'object', properties: { a: text }, required: ['a'] }
  it.each(['messages', 'gemini'] as const)('is strict where OpenAI takes it so: from %s', (from) => {
    expect(formatFor(from, to, object({ a: text }))).toMatchObject({ format: { strict: true }, dropped: [] })
    const loose = formatFor(from, to, open)
    expect(loose.format).not.toHaveProperty('strict')
    expect(loose).toMatchObject({ format: { schema: open }, dropped: ['format.strict'] })
  })

  it('goes between OpenAI’s own protocols as it was said', () => {
    const from = to === 'chat' ? 'responses' : 'chat'
    expect(formatFor(from, to, open, true)).toMatchObject({ format: { strict: true, schema: open }, dropped: [] })
    expect(formatFor(from, to, open).format).not.toHaveProperty('strict')
  })
})

describe('strict schema', () => {
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
    [
      'all required and closed',
      object({ q: text, n: { type: ['number', 'null'] } }),
      { openai: true, anthropic: true },
    ],
    ['no properties', object({}), { openai: true, anthropic: true }],
    [
      'an open object',
      { type: 'object', properties: { q: text }, required: ['q'] },
      { openai: false, anthropic: false },
    ],
    ['a property left out', object({ q: text, n: text }, { required: ['q'] }), { openai: false, anthropic: true }],
    ['an open object inside', object({ o: inner }), { openai: false, anthropic: false }],
    ['an open object in a list', object({ l: { type: 'array', items: inner } }), { openai: false, anthropic: false }],
    [
      'an open object in anyOf',
      object({ o: { anyOf: [inner, { type: 'null' }] } }),
      { openai: false, anthropic: false },
    ],
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
})
