import { describe, expect, it } from 'vitest'
import { codecOf } from '../index.ts'
import { needsOf } from './needs-of.ts'

const named = (body: unknown, entry: 'chat' | 'messages' = 'chat') =>
  needsOf(codecOf(entry).read(Buffer.from(JSON.stringify(body)), '/v1/x')).otherModels?.()

describe('the models that a request names beside its own', () => {
  it('are those to fall back on, in any vendor’s form, and those of a vendor’s tools', () => {
    const messages = [{ role: 'user', content: 'the "models": ["not-me"] of a text' }]
    expect(named({ model: 'a', messages })).toEqual([])
    expect(named({ model: 'a', messages, models: ['b', 'c'] })).toEqual(['b', 'c'])
    expect(named({ model: 'a', messages, fallbacks: ['b', { model: 'c', x: 'y' }, { a: ['d'] }] })).toEqual([
      'b',
      'c',
      'd',
    ])
    const tools = [
      { type: 'advisor_20260301', name: 'advisor', model: 'b' },
      { name: 'own', input_schema: { type: 'object', properties: { model: { type: 'string' } } } },
    ]
    expect(named({ model: 'a', max_tokens: 1, messages, tools }, 'messages')).toEqual(['b'])
  })
})
