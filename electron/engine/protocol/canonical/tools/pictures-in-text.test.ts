import { describe, expect, it } from 'vitest'
import { conversionOf } from '../../conversions.ts'
import { codecOf, splice } from '../../index.ts'
import { parseObject, type JsonObject } from '../../values.ts'
import { carriedTexts } from '../carried-texts.ts'
import { readCanonical, writeCanonical } from '../convert-request.ts'
import type { WireProtocol } from '../request.ts'

const data = 'iVBORw0KGgo'.repeat(60)
const image = { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: data }, detail: null }
const url = `data:image/png;base64,${data}`

/** A request in which a tool gave this text back. */
const bodies: Record<Exclude<WireProtocol, 'gemini'>, (output: string) => JsonObject> = {
  responses: (output) => ({
    model: 'm',
    input: [
      { type: 'custom_tool_call', call_id: 'c1', name: 'look', input: '' },
      { type: 'custom_tool_call_output', call_id: 'c1', output },
    ],
  }),
  chat: (content) => ({
    model: 'm',
    messages: [
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content },
    ],
  }),
  messages: (content) => ({
    model: 'm',
    max_tokens: 10,
    messages: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content }] },
    ],
  }),
}
const read = (from: keyof typeof bodies, output: string) =>
  readCanonical(conversionOf[from], bodies[from](output), '/v1')
const partsOf = (from: keyof typeof bodies, output: string): unknown =>
  read(from, output).messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? part.parts : [])),
  )

describe.each(['responses', 'chat', 'messages'] as const)('a result of a client of %s', (from) => {
  it.each([
    ['Responses', [{ type: 'input_image', image_url: url, detail: 'auto' }]],
    ['Chat', [{ type: 'image_url', image_url: { url } }]],
    ['Messages', [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }]],
    ['MCP', { type: 'image', data, mimeType: 'image/png' }],
  ])('that is a picture of %s as JSON is a picture', (_, said) => {
    expect(partsOf(from, JSON.stringify(said))).toEqual([image])
  })

  it('keeps the words beside it', () => {
    const said = [
      { type: 'text', text: 'Seen' },
      { type: 'input_image', image_url: url },
    ]
    expect(partsOf(from, JSON.stringify(said, null, 2))).toEqual([{ type: 'text', text: 'Seen' }, image])
  })

  it.each([
    ['an address', JSON.stringify([{ type: 'input_image', image_url: 'https://a.test/b.png' }])],
    ['a part nobody knows', JSON.stringify([{ type: 'image', data, mimeType: 'image/png' }, { type: 'other' }])],
    ['words alone', JSON.stringify([{ type: 'text', text: 'an image' }])],
    ['no whole JSON', JSON.stringify([{ type: 'input_image', image_url: url }]).slice(0, -1)],
    ['something else', JSON.stringify([{ type: 'image', data: { width: 3 } }])],
  ])('with %s stays the text that it is', (_, output) => {
    expect(partsOf(from, output)).toEqual([{ type: 'text', text: output }])
  })
})

it('is a picture also where long texts go around the parser', () => {
  const body = Buffer.from(
    JSON.stringify(bodies.messages(JSON.stringify([{ type: 'image', data, mimeType: 'image/png' }]))),
  )
  const carried = carriedTexts(codecOf('messages').read(body), { from: 'messages', to: 'chat' }, [], 'word-')
  const request = readCanonical(conversionOf.messages, parseObject(splice(body, carried?.edits ?? [])) ?? {}, '/v1')
  const written = writeCanonical(request, conversionOf.chat, { model: 'm', maxOutput: null })
  expect(parseObject(written.body)?.['messages']).toContainEqual({
    role: 'user',
    content: expect.arrayContaining([{ type: 'image_url', image_url: { url } }]) as unknown,
  })
})
