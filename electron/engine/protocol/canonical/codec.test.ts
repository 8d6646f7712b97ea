import { describe, expect, it } from 'vitest'
import { conversionOf } from '../conversions.ts'
import type { JsonObject } from '../values.ts'
import { readCanonical, writeCanonical } from './convert-request.ts'
import { wireProtocols, type WireProtocol } from './request.ts'

const text = (type: string, pieces: readonly string[]) => pieces.map((piece) => ({ type, text: piece }))
const pieces = ['I', ' look', ' around.']
const cited = { citations: [{ type: 'char_location', cited_text: 'a', document_index: 0 }] }

/** A history in which the client kept an answer as one part for each piece of its stream. */
const histories: Record<Exclude<WireProtocol, 'chat'>, { body: JsonObject; path: string }> = {
  gemini: {
    path: '/v1beta/models/m:generateContent',
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'go' }] },
        { role: 'model', parts: pieces.map((piece) => ({ text: piece })) },
        { role: 'user', parts: [{ text: 'on' }] },
      ],
    },
  },
  responses: {
    path: '/v1/responses',
    body: {
      model: 'm',
      input: [
        { role: 'user', content: 'go' },
        { type: 'message', role: 'assistant', content: text('output_text', pieces) },
        { role: 'user', content: 'on' },
      ],
    },
  },
  // Anthropic itself cuts a text around what is cited.
  messages: {
    path: '/v1/messages',
    body: {
      model: 'm',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: text('text', pieces).map((block, i) => (i === 1 ? { ...block, ...cited } : block)),
        },
        { role: 'user', content: 'on' },
      ],
    },
  },
}

describe.each(wireProtocols.filter((from) => from !== 'chat'))(
  'a streamed answer in pieces that a %s client hands back',
  (from) => {
    const { body, path } = histories[from]
    const request = readCanonical(conversionOf[from], body, path)

    it.each(wireProtocols.filter((to) => to !== from))('goes up to %s as one text', (to) => {
      const written = writeCanonical(request, conversionOf[to], { model: 'm', maxOutput: 99 })
      const words = written.body.toString().match(/"[^"]*(?:look|around)[^"]*"/g)
      expect(words).toEqual(['"I look around."'])
    })
  },
)

describe('pieces stay apart', () => {
  const textsOf = (from: WireProtocol, body: JsonObject, path: string) =>
    readCanonical(conversionOf[from], body, path).messages.flatMap(({ parts }) =>
      [...parts].flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    )
  const blocks = text('text', ['a', 'b'])

  it('at a cache mark', () => {
    const content = blocks.map((block) => ({ ...block, ...cited, cache_control: { type: 'ephemeral' } }))
    const body = { model: 'm', max_tokens: 1, messages: [{ role: 'assistant', content }] }
    expect(textsOf('messages', body, '/v1/messages')).toEqual(['a', 'b'])
  })

  it('where the model said two texts: blocks without sources, items', () => {
    const body = { model: 'm', max_tokens: 1, messages: [{ role: 'assistant', content: blocks }] }
    expect(textsOf('messages', body, '/v1/messages')).toEqual(['a', 'b'])
    const said = (words: string) => ({ type: 'message', role: 'assistant', content: text('output_text', [words]) })
    expect(textsOf('responses', { model: 'm', input: [said('a'), said('b')] }, '/v1/responses')).toEqual(['a', 'b'])
  })
})

it('thinking in pieces of a Chat content is one thinking', () => {
  const thought = (piece: string) => ({ type: 'thinking', thinking: [{ type: 'text', text: piece }] })
  const content = [thought('Hm'), thought('m.'), { type: 'text', text: 'Look.' }, thought('Well.')]
  const body = { model: 'm', messages: [{ role: 'assistant', content }] }
  const { messages } = readCanonical(conversionOf.chat, body, '/v1/chat/completions')
  expect(messages[0]?.parts.map((part) => 'text' in part && part.text)).toEqual(['Hmm.', 'Well.', 'Look.'])
})
