/** Sources of an answer, from every protocol to every other one, as stream and as body. */
import { describe, expect, it } from 'vitest'
import { conversionOf } from '../conversions.ts'
import { asList, asObject, type JsonObject } from '../values.ts'
import { validateChatBody, validateChatStream } from '../testing/validate-chat.ts'
import { validateGeminiBody, validateGeminiStream } from '../testing/validate-gemini.ts'
import { validateMessagesBody, validateMessagesStream } from '../testing/validate-messages.ts'
import { validateResponsesBody, validateResponsesStream } from '../testing/validate-responses.ts'
import type { AnswerEvent, Citation } from './answer.ts'
import { convertToBody, convertToStream } from './testing/convert-bytes.ts'
import type { AnswerConversion } from './convert-answer.ts'
import { isOwnCitation } from './thinking/foreign-seals.ts'
import { wireProtocols, type CanonicalRequest, type WireProtocol } from './request.ts'

const valid: Record<WireProtocol, { stream(text: string): string[]; body(body: JsonObject): string[] }> = {
  chat: { stream: validateChatStream, body: validateChatBody },
  responses: { stream: validateResponsesStream, body: validateResponsesBody },
  messages: { stream: validateMessagesStream, body: validateMessagesBody },
  gemini: { stream: validateGeminiStream, body: validateGeminiBody },
}
const usage = { input: 5, cachedInput: 0, cacheWrite: 0, output: 3, reasoning: 0 }
const text = 'Größe 👋: 世界.'
const from = text.indexOf('世')
const cited: Citation = { url: 'https://a.example/1', title: 'A', quote: null, start: from, end: from + 2 }
const unplaced: Citation = { url: 'https://b.example/2', title: null, quote: null, start: null, end: null }
const answer = (late: boolean): AnswerEvent[] => {
  const citations = [cited, unplaced].map((citation): AnswerEvent => ({ type: 'citation', block: 0, citation }))
  const end: AnswerEvent = { type: 'end', block: 0 }
  return [
    { type: 'start', model: 'm-up', usage: null },
    { type: 'begin', block: 0, part: { kind: 'text' } },
    { type: 'delta', block: 0, text: text.slice(0, 7) },
    { type: 'delta', block: 0, text: text.slice(7) },
    ...(late ? [end, ...citations] : [...citations, end]),
    { type: 'finish', reason: 'stop', stopSequence: null, usage },
  ]
}

const asked = { model: 'm', stream: true, stream_options: { include_usage: true }, messages: [] }
const request: CanonicalRequest = conversionOf.chat.readRequest(asked, { path: '/v1/chat/completions' })

function context(dropped: string[]) {
  let ids = 0
  return {
    model: 'm',
    request,
    nowMs: 0,
    newId: (prefix: string) => `${prefix}${++ids}`,
    dropped: (name: string) => void dropped.push(name),
  }
}

/** The answer as a vendor of this protocol sends it. */
function sent(protocol: WireProtocol, events: readonly AnswerEvent[]) {
  const lost: string[] = []
  const stream = conversionOf[protocol].writeStream(context(lost))
  const streamed = events.map((event) => stream.write(event)).join('')
  const body = conversionOf[protocol].writeBody(context(lost))
  for (const event of events) body.add(event)
  return { stream: streamed, body: body.body(), lost }
}

function converted(from: WireProtocol, to: WireProtocol, given: { stream: string } | { body: JsonObject }) {
  const dropped: string[] = []
  const conversion: AnswerConversion = {
    from: conversionOf[from],
    to: conversionOf[to],
    restore: (emit) => emit,
    context: context(dropped),
  }
  const stream = convertToStream(conversion)
  const body = convertToBody(conversion)
  const whole = 'body' in given ? Buffer.from(JSON.stringify(given.body)) : null
  const streamed = whole
    ? stream.whole(whole).toString()
    : Buffer.concat([stream.push(Buffer.from('stream' in given ? given.stream : '')), stream.end()]).toString()
  if (!whole) body.push(Buffer.from('stream' in given ? given.stream : ''))
  const result = whole ? body.whole(whole) : body.end()
  const parsed = result.kind === 'body' ? (asObject(JSON.parse(result.body.toString())) ?? {}) : {}
  return { stream: streamed, body: parsed, dropped: [...new Set(dropped)] }
}

const chunksOf = (stream: string): JsonObject[] =>
  stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => asObject(JSON.parse(line.slice(6))) ?? {})

/** The sources that a client finds, read by hand; places as the text they name. */
const found: Record<WireProtocol, { stream(stream: string): unknown[]; body(body: JsonObject): unknown[] }> = {
  chat: {
    stream: (stream) =>
      chunksOf(stream)
        .flatMap((chunk) => asList(asObject(asObject(asList(chunk['choices'])[0])?.['delta'])?.['annotations']))
        .map(chatSource),
    body: (body) =>
      asList(asObject(asObject(asList(body['choices'])[0])?.['message'])?.['annotations']).map(chatSource),
  },
  responses: {
    stream: (stream) => {
      const events = chunksOf(stream)
      const added = events
        .filter(({ type }) => type === 'response.output_text.annotation.added')
        .map(({ annotation }) => annotation)
      const last = asObject(events.at(-1)?.['response']) ?? {}
      // said in the events, in the part, in the item and in the whole: each the same
      const again = ['response.content_part.done', 'response.output_item.done'].map(
        (type) => events.find((event) => event['type'] === type) ?? {},
      )
      expect(asObject(again[0]?.['part'])?.['annotations']).toEqual(added)
      expect(annotationsOf(again[1]?.['item'])).toEqual(added)
      expect(annotationsOf(asList(last['output'])[0])).toEqual(added)
      return added.map(flat)
    },
    body: (body) => annotationsOf(asList(body['output'])[0]).map(flat),
  },
  messages: {
    stream: (stream) =>
      chunksOf(stream)
        .map(({ delta }) => asObject(delta)?.['citation'])
        .filter((citation) => citation !== undefined)
        .map(webSource),
    body: (body) => asList(asObject(asList(body['content'])[0])?.['citations']).map(webSource),
  },
  gemini: {
    stream: (stream) => grounded(chunksOf(stream).at(-1) ?? {}),
    body: grounded,
  },
}

const annotationsOf = (item: unknown): readonly unknown[] =>
  asList(asObject(asList(asObject(item)?.['content'])[0])?.['annotations'])
const place = (start: unknown, end: unknown): string => text.slice(Number(start), Number(end))
function flat(value: unknown): unknown {
  const { url, start_index, end_index } = asObject(value) ?? {}
  return [url, place(start_index, end_index)]
}
const chatSource = (value: unknown): unknown => flat(asObject(value)?.['url_citation'])
function webSource(value: unknown): unknown {
  expect(isOwnCitation(value)).toBe(true)
  return [asObject(value)?.['url'], '']
}
function grounded(chunk: JsonObject): unknown[] {
  const metadata = asObject(asObject(asList(chunk['candidates'])[0])?.['groundingMetadata']) ?? {}
  const bytes = Buffer.from(text)
  return asList(metadata['groundingChunks']).map((source, i) => {
    const support = asList(metadata['groundingSupports']).find((entry) =>
      asList(asObject(entry)?.['groundingChunkIndices']).includes(i),
    )
    const { startIndex, endIndex } = asObject(asObject(support)?.['segment']) ?? {}
    return [
      asObject(asObject(source)?.['web'])?.['uri'],
      endIndex === undefined ? '' : bytes.subarray(Number(startIndex), Number(endIndex)).toString(),
    ]
  })
}

const protocols = wireProtocols.filter((protocol) => protocol !== 'messages')
const pairs = protocols.flatMap((from) => wireProtocols.filter((to) => to !== from).map((to) => [from, to] as const))

describe('citations', () => {
  it.each(pairs)('come from %s to %s, with their places', (from, to) => {
    const vendor = sent(from, answer(false))
    expect(vendor.lost).toEqual([])
    const places = to === 'messages' ? ['', ''] : ['世界', '']
    const expected = [
      ['https://a.example/1', places[0]],
      ['https://b.example/2', places[1]],
    ]
    for (const given of [{ stream: vendor.stream }, { body: vendor.body }]) {
      const out = converted(from, to, given)
      expect(found[to].stream(out.stream)).toEqual(expected)
      expect(found[to].body(out.body)).toEqual(expected)
      expect(valid[to].stream(out.stream)).toEqual([])
      expect(valid[to].body(out.body)).toEqual([])
      expect(out.dropped).toEqual(to === 'messages' ? ['citations.start'] : [])
    }
  })

  it.each(wireProtocols)('that come behind their text are said by %s, or recorded', (to) => {
    const { stream, body, lost } = sent(to, answer(true))
    const inStream = found[to].stream(stream)
    expect(found[to].body(body)).toHaveLength(2)
    expect(inStream.length === 2 || lost.includes(to === 'responses' ? 'annotations' : 'citations')).toBe(true)
    expect(valid[to].stream(stream)).toEqual([])
  })
})
