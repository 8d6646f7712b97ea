import { describe, expect, it } from 'vitest'
import { conversionOf } from '../conversions.ts'
import { codecOf } from '../index.ts'
import { splice, type Edit } from '../json-bytes/index.ts'
import { requestFeatures } from '../testing/survival/request-features.ts'
import { asList, asObject, parseObject, type JsonObject } from '../values.ts'
import { carriedTexts } from './carried-texts.ts'
import { readCanonical, writeCanonical } from './convert-request.ts'
import type { WireProtocol } from './request.ts'

const word = '0b5f3f4e-word'
const way = { from: 'messages', to: 'chat' } as const
const long = `${'all that a tool gave back, "quoted"\n\t\\ é 保存 😀 \u001b[0m'.repeat(12)}\ud83d`

/** The request as it goes to a provider of Chat, its long texts read and written like all else, or carried. */
function converted(body: Buffer, carries: boolean, changes: readonly Edit[] = []) {
  const carried = carries ? carriedTexts(codecOf('messages').read(body), way, changes, word) : null
  const read = parseObject(splice(body, [...changes, ...(carried?.edits ?? [])]))
  if (!read) return null
  const written = writeCanonical(readCanonical(conversionOf.messages, read, '/v1/messages'), conversionOf.chat, {
    model: 'glm-5',
    maxOutput: null,
  })
  const bytes = carried ? Buffer.concat(carried.putBack(written.body)) : written.body
  return { bytes, body: parseObject(bytes), dropped: written.dropped, count: carried?.edits.length ?? 0 }
}

const bytesOf = (body: unknown): Buffer => Buffer.from(JSON.stringify(body))
const asked = (...messages: unknown[]) => ({ model: 'm', max_tokens: 64, messages })

/** Every text of a body longer than is worth carrying. */
function stretched(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'string' ? one : stretched(one)))
  const object = asObject(value)
  if (!object) return value
  const entries = Object.entries(object).map(([name, inner]) => [
    name,
    typeof inner === 'string' && ['text', 'content', 'system', 'thinking', 'data', 'title'].includes(name)
      ? inner + long
      : stretched(inner),
  ])
  return Object.fromEntries(entries)
}

const bodies = requestFeatures.flatMap(({ name, said }): [string, JsonObject][] =>
  said.messages ? [[name, { ...asked({ role: 'user', content: 'hi' }), ...said.messages }]] : [],
)

describe('a request whose long texts are carried', () => {
  it.each(bodies)('says the same: %s', (_, body) => {
    const bytes = bytesOf({
      ...body,
      messages: stretched(body['messages']),
      system: stretched([{ type: 'text', text: 's' }]),
    })
    const carried = converted(bytes, true)
    expect(carried?.count).toBeGreaterThan(0)
    const plain = converted(bytes, false)
    expect(carried?.body).toEqual(plain?.body)
    expect(carried?.dropped).toEqual(plain?.dropped)
    expect(carried?.bytes.includes(word)).toBe(false)
  })

  it('has the very bytes that the client wrote', () => {
    const text = `${'x'.repeat(300)}\\/\\u00e9\\u4fdd é`
    const message = `{"content":[{"text" :\n "${text}", "type":"text"}], "role" : "user"}`
    const body = Buffer.from(`{"model":"m", "system" : "${text}", "messages":[ ${message}]}`)
    const carried = converted(body, true)
    expect(carried?.count).toBe(2)
    expect(carried?.bytes.toString().split(text).length).toBe(3)
    expect(carried?.body).toEqual(converted(body, false)?.body)
  })

  it('joins them with others as reading them would', () => {
    const source = {
      type: 'content',
      content: [
        { type: 'text', text: `${long}` },
        { type: 'text', text: `\ude00${long}` },
      ],
    }
    const body = bytesOf(asked({ role: 'user', content: [{ type: 'document', source, title: 'both' }] }))
    const carried = converted(body, true)
    expect(carried?.count).toBe(2)
    expect(carried?.body).toEqual(converted(body, false)?.body)
  })
})

describe('what is read all the same', () => {
  const count = (body: unknown, changes?: readonly Edit[]) => converted(bytesOf(body), true, changes)?.count

  it('is a short text', () => expect(count(asked({ role: 'user', content: 'short' }))).toBe(0))

  it('is what the model said', () => {
    const content = [
      { type: 'text', text: long },
      { type: 'tool_use', id: 't', name: 'write', input: { content: long, text: long } },
    ]
    expect(count(asked({ role: 'assistant', content }, { content, role: 'assistant' }))).toBe(0)
  })

  it('is a description of a tool, and any other member', () => {
    const tools = [{ name: 't', description: long, input_schema: { type: 'object', text: long } }]
    expect(count({ ...asked({ role: 'user', content: 'hi', 'my "text': long }), tools, text: long })).toBe(0)
  })

  it('is a text that changes', () => {
    const body = bytesOf(
      asked({
        role: 'user',
        content: [
          { type: 'text', text: `<*>${long}` },
          { type: 'text', text: long },
        ],
      }),
    )
    const at = body.indexOf('<*>')
    const changes = [{ start: at, end: at + 3, replacement: '' }]
    const carried = converted(body, true, changes)
    expect(carried?.count).toBe(1)
    expect(carried?.body).toEqual(converted(body, false, changes)?.body)
    expect(asList(carried?.body?.['messages'])).toMatchObject([{ content: [{ text: long }, { text: long }] }])
  })

  it('is a text that is no JSON: the request is refused', () => {
    const good = bytesOf(asked({ role: 'user', content: `${'x'.repeat(300)}#${'x'.repeat(300)}` })).toString()
    for (const bad of ['\n', '\\x', '\\u12']) expect(converted(Buffer.from(good.replace('#', bad)), true)).toBeNull()
  })

  it('is a request of another protocol', () => {
    const body = bytesOf({ model: 'm', messages: [{ role: 'user', content: long }] })
    expect(carriedTexts(codecOf('chat').read(body), { from: 'chat', to: 'messages' }, [], word)).toBeNull()
    expect(carriedTexts(codecOf('messages').read(body), { from: 'messages', to: 'gemini' }, [], word)).toBeNull()
  })
})

describe('pictures in text', () => {
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
})
