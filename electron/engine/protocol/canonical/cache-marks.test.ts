import { describe, expect, it } from 'vitest'
import { conversionOf } from '../conversions.ts'
import type { JsonObject } from '../values.ts'
import { readCanonical, writeCanonical } from './convert-request.ts'

const written = (body: JsonObject, from: 'chat' | 'messages', to: 'messages' | 'chat') =>
  JSON.parse(writeCanonical(readCanonical(conversionOf[from], body, '/'), conversionOf[to], { model: 'claude-x', maxOutput: null }).body.toString()) as JsonObject
const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object', properties: {} } } })
const mark = { type: 'ephemeral' }

describe('prompt caching for clients that can’t ask for it', () => {
  it('marks the ends of tools, system texts and conversation for Anthropic', () => {
    const body = written({ model: 'm', tools: [tool('a'), tool('b')], messages: [{ role: 'system', content: 'S' }, { role: 'user', content: 'one' }, { role: 'assistant', content: 'two' }, { role: 'user', content: 'three' }] }, 'chat', 'messages')
    expect(body['tools']).toMatchObject([{ name: 'a' }, { name: 'b', cache_control: mark }])
    expect(body['system']).toMatchObject([{ text: 'S', cache_control: mark }])
    expect(body['messages']).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user', content: [{ type: 'text', text: 'three', cache_control: mark }] }])
    expect(JSON.stringify(body).split('cache_control').length - 1).toBe(3)
  })

  it('tells nobody else, and leaves a client’s own marks', () => {
    expect(JSON.stringify(written({ model: 'm', messages: [{ role: 'user', content: 'one' }] }, 'chat', 'chat'))).not.toContain('cache')
    const own = { model: 'm', max_tokens: 9, system: [{ type: 'text', text: 'S', cache_control: mark }], messages: [{ role: 'user', content: 'one' }] }
    expect(JSON.stringify(written(own, 'messages', 'messages')).split('cache_control').length - 1).toBe(1)
  })
})
