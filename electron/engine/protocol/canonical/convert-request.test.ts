import { describe, expect, it } from 'vitest'
import { conversionOf } from '../conversions.ts'
import { readCanonical, writeCanonical } from './convert-request.ts'

const definitions = { $defs: { place: { type: 'string', enum: ['Rome', 'Oslo'] } } }
const schema = {
  type: 'object',
  properties: {
    from: { $ref: '#/$defs/place', description: 'where it begins', default: { $ref: 'data', x: 1 } },
    to: { $ref: '#/$defs/place' },
    $ref: { type: 'string' },
    via: { type: 'array', items: { $ref: '#/$defs/place', anyOf: [{ minLength: 1 }] } },
  },
  required: ['from'],
  ...definitions,
}

describe('a reference in a tool’s schema', () => {
  it.each(['messages', 'chat', 'responses', 'gemini'] as const)('stands alone in %s', (protocol) => {
    const from = conversionOf[protocol === 'chat' ? 'messages' : 'chat']
    const tool = { name: 'travel', description: 'Travels' }
    const body = {
      model: 'm',
      max_tokens: 10,
      messages: [{ role: 'user', content: 'go' }],
      tools:
        protocol === 'chat'
          ? [{ ...tool, input_schema: schema }]
          : [{ type: 'function', function: { ...tool, parameters: schema } }],
    }
    const to = conversionOf[protocol]
    const sent = writeCanonical(readCanonical(from, body, '/'), to, { model: 'm', maxOutput: null }).body.toString()
    const told = (value: unknown) => JSON.stringify(value).slice(1, -1)
    expect(sent).toContain(
      told({
        from: {
          description: 'where it begins',
          default: { $ref: 'data', x: 1 },
          anyOf: [{ $ref: '#/$defs/place' }],
        },
        to: { $ref: '#/$defs/place' },
        $ref: { type: 'string' },
        via: { type: 'array', items: { anyOf: [{ minLength: 1 }], allOf: [{ $ref: '#/$defs/place' }] } },
      }),
    )
  })
})
