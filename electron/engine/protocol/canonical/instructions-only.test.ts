import { describe, expect, it } from 'vitest'
import { asked } from '../testing/asked.ts'
import type { JsonObject } from '../values.ts'
import { wireProtocols, type WireProtocol } from './request.ts'

const words = 'Name a river.'
const asking: Record<WireProtocol, JsonObject> = {
  chat: { model: 'm', messages: [{ role: 'system', content: words }] },
  responses: { model: 'm', instructions: words, input: [] },
  messages: { model: 'm', max_tokens: 9, system: words, messages: [] },
  gemini: { systemInstruction: { parts: [{ text: words }] }, contents: [] },
}
const said: Record<WireProtocol, JsonObject> = {
  chat: { messages: [{ role: 'system', content: words }] },
  responses: { input: [{ role: 'user' }] },
  messages: { messages: [{ role: 'user', content: [{ type: 'text', text: words }] }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: words }] }] },
}

const pairs = wireProtocols.flatMap((from) => wireProtocols.flatMap((to) => (from === to ? [] : [{ from, to }])))

describe('a request of instructions only', () => {
  it.each(pairs)('of $from has what $to demands', ({ from, to }) => {
    const { body, dropped } = asked(from, to, asking[from])
    expect(body).toMatchObject(said[to])
    expect(JSON.stringify(body).split(words)).toHaveLength(2)
    expect(dropped.includes('messages[].role')).toBe(to !== 'chat')
  })

  it('is none where the user says anything', () => {
    const body = { model: 'm', messages: [...[asking.chat['messages']].flat(), { role: 'user', content: 'Now.' }] }
    expect(asked('chat', 'gemini', body).body).toMatchObject({
      systemInstruction: { parts: [{ text: words }] },
      contents: [{ role: 'user', parts: [{ text: 'Now.' }] }],
    })
  })
})
