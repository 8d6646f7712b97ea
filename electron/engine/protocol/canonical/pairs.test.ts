import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversionOf } from '../conversions.ts'
import type { JsonObject } from '../values.ts'
import { validateChatBody, validateChatStream } from '../testing/validate-chat.ts'
import { validateGeminiBody, validateGeminiStream } from '../testing/validate-gemini.ts'
import { validateMessagesBody, validateMessagesStream } from '../testing/validate-messages.ts'
import { validateResponsesBody, validateResponsesStream } from '../testing/validate-responses.ts'
import type { AnswerEvent, BlockKind } from './answer.ts'
import type { WriteContext } from './codec.ts'
import { convertToBody, convertToStream } from './testing/convert-bytes.ts'
import type { AnswerConversion } from './convert-answer.ts'
import { wireProtocols, type CanonicalRequest, type WireProtocol } from './request.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { plainRequest } from '../testing/plain-request.ts'

const streamProblems: Record<WireProtocol, (text: string) => string[]> = {
  chat: validateChatStream,
  responses: validateResponsesStream,
  messages: validateMessagesStream,
  gemini: validateGeminiStream,
}
const bodyProblems: Record<WireProtocol, (body: JsonObject) => string[]> = {
  chat: validateChatBody,
  responses: validateResponsesBody,
  messages: validateMessagesBody,
  gemini: validateGeminiBody,
}

const request: CanonicalRequest = {
  ...plainRequest,
  tools: [
    {
      type: 'function',
      name: 'look',
      description: 'Looks',
      parameters: { type: 'object', properties: {} },
      strict: null,
    },
  ],
}
const usage = { input: 100, cachedInput: 40, cacheWrite: 0, output: 30, reasoning: 10 }

/** Answers as providers give them, which each pair of protocols has to bring across. */
const answers: Record<string, AnswerEvent[]> = {
  'a text': [
    { type: 'start', model: 'm-up', usage: null },
    { type: 'begin', block: 0, part: { kind: 'text' } },
    { type: 'delta', block: 0, text: 'Hello, ' },
    { type: 'delta', block: 0, text: '世界 👋 "quoted"\n' },
    { type: 'end', block: 0 },
    { type: 'finish', reason: 'stop', stopSequence: null, usage },
  ],
  'thinking, a text and two calls': [
    { type: 'start', model: 'm-up', usage: null },
    { type: 'begin', block: 0, part: { kind: 'thinking' } },
    { type: 'delta', block: 0, text: 'Let me ' },
    { type: 'delta', block: 0, text: 'see.' },
    { type: 'end', block: 0 },
    { type: 'begin', block: 1, part: { kind: 'text' } },
    { type: 'delta', block: 1, text: 'I look.' },
    { type: 'end', block: 1 },
    { type: 'begin', block: 2, part: { kind: 'tool-call', id: 'call_a', name: 'look', custom: false } },
    { type: 'delta', block: 2, text: '{"at":' },
    { type: 'delta', block: 2, text: '"a\\"b"}' },
    { type: 'end', block: 2 },
    { type: 'begin', block: 3, part: { kind: 'tool-call', id: 'call_b', name: 'look', custom: false } },
    { type: 'delta', block: 3, text: '{}' },
    { type: 'end', block: 3 },
    { type: 'finish', reason: 'tool-calls', stopSequence: null, usage },
  ],
  'one cut off by its limit': [
    { type: 'start', model: 'm-up', usage: null },
    { type: 'begin', block: 0, part: { kind: 'text' } },
    { type: 'delta', block: 0, text: 'Half' },
    { type: 'end', block: 0 },
    { type: 'finish', reason: 'length', stopSequence: null, usage },
  ],
  'nothing at all': [
    { type: 'start', model: 'm-up', usage: null },
    { type: 'finish', reason: 'stop', stopSequence: null, usage },
  ],
}

let ids = 0
const context = (): WriteContext => ({
  model: 'm',
  request,
  nowMs: 1_750_000_000_000,
  newId: (prefix) => `${prefix}${++ids}`,
  dropped: () => undefined,
})

/** Returns what a provider of this protocol would send. */
function sent(protocol: WireProtocol, events: readonly AnswerEvent[]): Buffer {
  ids = 0
  const writer = conversionOf[protocol].writeStream(context())
  return Buffer.from(events.map((event) => writer.write(event)).join(''))
}
const conversion = (from: WireProtocol, to: WireProtocol): AnswerConversion => ({
  from: conversionOf[from],
  to: conversionOf[to],
  restore: (emit) => emit,
  context: context(),
})

function through(from: WireProtocol, to: WireProtocol, chunks: readonly Buffer[]): string {
  ids = 0
  const converter = convertToStream(conversion(from, to))
  const out = chunks.map((chunk) => converter.push(chunk))
  return Buffer.concat([...out, converter.end()]).toString()
}

/** Reads an answer back with the protocol's own reader, so that its wording does not count. */
function said(
  protocol: WireProtocol,
  stream: Buffer,
): {
  text: string
  thinking: string
  calls: { id: string; name: string; args: string }[]
  end: AnswerEvent | undefined
} {
  const texts = { text: '', thinking: '' }
  const calls: { id: string; name: string; args: string; block: number }[] = []
  const kinds = new Map<number, BlockKind['kind']>()
  let end: AnswerEvent | undefined
  const reading = convertToStream({
    ...conversion(protocol, 'chat'),
    restore: () => (event) => {
      if (event.type === 'begin') {
        kinds.set(event.block, event.part.kind)
        if (event.part.kind === 'tool-call')
          calls.push({ id: event.part.id, name: event.part.name, args: '', block: event.block })
      } else if (event.type === 'delta') {
        const kind = kinds.get(event.block)
        if (kind === 'text' || kind === 'thinking') texts[kind] += event.text
        const call = calls.find((c) => c.block === event.block)
        if (call) call.args += event.text
      } else if (event.type === 'finish' || event.type === 'error') end ??= event
    },
  })
  reading.push(stream)
  reading.end()
  return { ...texts, calls: calls.map(({ id, name, args }) => ({ id, name, args })), end }
}

const parsed = (calls: readonly { name: string; args: string }[]) =>
  calls.map(({ name, args }) => ({ name, args: JSON.parse(args === '' ? '{}' : args) as unknown }))

const pairs = wireProtocols.flatMap((from) =>
  wireProtocols.filter((to) => to !== from).map((to) => [from, to] as const),
)

describe.each(pairs)('an answer of %s for a client of %s', (from, to) => {
  describe.each(Object.entries(answers))('%s', (_name, events) => {
    const stream = sent(from, events)

    it('arrives exact and complete, streaming and whole', () => {
      const out = through(from, to, [stream])
      expect(streamProblems[to](out)).toEqual([])
      const [before, after] = [said(from, stream), said(to, Buffer.from(out))]
      expect(after.text).toBe(before.text)
      expect(parsed(after.calls)).toEqual(parsed(before.calls))
      expect(after.end).toMatchObject({ type: 'finish', usage: { input: 100, output: 30 } })

      const converter = convertToBody(conversion(from, to))
      converter.push(stream)
      const whole = converter.end()
      if (whole.kind !== 'body') throw new Error(whole.message)
      expect(bodyProblems[to](JSON.parse(whole.body.toString()) as JsonObject)).toEqual([])
    })

    it('is the same under any cut', () => {
      const expected = through(from, to, [stream])
      fc.assert(
        fc.property(fc.array(fc.nat(stream.length), { maxLength: 12 }), (places) => {
          const at = [...new Set(places)].sort((a, b) => a - b)
          const chunks = [...at, stream.length].map((end, i) => stream.subarray(i === 0 ? 0 : at[i - 1], end))
          expect(through(from, to, chunks)).toBe(expected)
        }),
        runs(40),
      )
      expect(
        through(
          from,
          to,
          Array.from(stream, (byte) => Buffer.of(byte)),
        ),
      ).toBe(expected)
    })

    it('broken off anywhere is an error for the client, never a stop', () => {
      for (let cut = 0; cut < stream.length; cut += 37) {
        const piece = stream.subarray(0, cut)
        if (said(from, piece).end?.type === 'finish') continue
        const out = through(from, to, [piece])
        expect(said(to, Buffer.from(out)).end?.type, `cut at ${cut}: ${out.slice(-300)}`).toBe('error')
      }
    })
  })

  it('goes on as it comes: each piece of text is out before the next one is in', () => {
    const events = answers['a text'] ?? []
    const converter = convertToStream(conversion(from, to))
    const writer = conversionOf[from].writeStream(context())
    let out = ''
    let pieces = ''
    for (const event of events) {
      out += converter.push(Buffer.from(writer.write(event))).toString()
      if (event.type !== 'delta') continue
      pieces += event.text
      expect(said(to, Buffer.from(out)).text).toBe(pieces)
    }
  })
})
