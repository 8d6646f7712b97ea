import { describe, expect, it } from 'vitest'
import { asked } from '../../testing/asked.ts'
import { asObject, type JsonObject } from '../../values.ts'
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
