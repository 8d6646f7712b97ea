import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from '../../canonical/answer.ts'
import type { CanonicalRequest, Message, Seal } from '../../canonical/request.ts'
import { validateGeminiBody, validateGeminiRequest, validateGeminiStream } from '../../testing/validate-gemini.ts'
import { geminiConversion } from './index.ts'
import { noSignature } from '../../canonical/thinking/phases.ts'
import { fold, readSse, readWhole, request, writeSse, writeWhole } from './testing/answers.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

const text = fc.string({ minLength: 1, unit: 'binary' })
const object = fc.dictionary(
  fc.string().filter((name) => name !== '__proto__'),
  fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
)
const base64 = fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString('base64'))
const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,9}$/)
const seal: fc.Arbitrary<Seal> = fc.oneof(
  base64.map((data): Seal => ({ of: 'gemini', data })),
  base64.map((data): Seal => ({ of: 'messages', data })),
)

/** One tool round: the model's text and calls, and all results. */
const round = fc.record({
  say: fc.option(text, { nil: null }),
  think: fc.option(fc.tuple(text, fc.option(seal, { nil: null })), { nil: null }),
  calls: fc.array(fc.tuple(name, object, text, fc.boolean()), { minLength: 1, maxLength: 3 }),
})
const conversation = fc.tuple(text, fc.array(round, { maxLength: 3 }), text).map(([first, rounds, last]): Message[] => [
  { role: 'user', parts: [{ type: 'text', text: first }] },
  ...rounds.flatMap(({ say, think, calls }, i): Message[] => [
    {
      role: 'assistant',
      parts: [
        ...(think ? [{ type: 'thinking', text: think[0], seal: think[1] } as const] : []),
        ...(say === null ? [] : [{ type: 'text', text: say } as const]),
        ...calls.map(
          ([called, args], n) =>
            ({
              type: 'tool-call',
              id: `c${i}_${n}`,
              name: called,
              arguments: JSON.stringify(args),
              custom: false,
              seal: null,
            }) as const,
        ),
      ],
    },
    {
      role: 'user',
      parts: calls.map(([called, , result, isError], n) => ({
        type: 'tool-result',
        callId: `c${i}_${n}`,
        name: called,
        parts: [{ type: 'text', text: result }],
        isError,
        custom: false,
      })),
    },
  ]),
  { role: 'assistant', parts: [{ type: 'text', text: 'done' }] },
  { role: 'user', parts: [{ type: 'text', text: last }] },
])
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const requests: fc.Arbitrary<CanonicalRequest> = fc
  .record({
    messages: conversation,
    stream: fc.boolean(),
    maxTokens: some(fc.nat()),
    temperature: some(fc.double({ noNaN: true, noDefaultInfinity: true })),
    topK: some(fc.nat()),
    seed: some(fc.integer()),
    logprobs: some(fc.nat(20)),
    stop: fc.array(text, { maxLength: 5 }),
    system: fc.array(
      text.map((value) => ({ type: 'text', text: value }) as const),
      { maxLength: 2 },
    ),
    tools: fc.uniqueArray(name, { maxLength: 3 }).map((names) =>
      names.map(
        (called) =>
          ({
            type: 'function',
            name: called,
            description: null,
            parameters: { type: 'object' },
            strict: null,
          }) as const,
      ),
    ),
    format: some(
      fc.constantFrom(
        { type: 'json' } as const,
        {
          type: 'schema',
          name: null,
          description: null,
          schema: { type: 'object' },
          strict: null,
          strictIfPossible: true,
        } as const,
      ),
    ),
  })
  .map((part) => ({ ...request, ...part }))

/** A call without a signature is sent with Google's own value for none. */
const isPlaceholder = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'data' in value && value.data === noSignature

describe('any request', () => {
  it('is written as a valid one, and says the same when it is read again', () => {
    fc.assert(
      fc.property(requests, fc.constantFrom('gemini-3-pro', 'gemini-2.5-flash'), (asked, model) => {
        const { body, path } = geminiConversion.writeRequest(asked, { model, maxOutput: null })
        expect(validateGeminiRequest(body)).toEqual([])
        const read = geminiConversion.readRequest(JSON.parse(JSON.stringify(body)), { path })
        const messages = asked.messages.map((message) =>
          message.role === 'assistant'
            ? {
                ...message,
                parts: message.parts.map((part) =>
                  part.type === 'thinking' && part.seal?.of === 'messages' ? { ...part, seal: null } : part,
                ),
              }
            : message,
        )
        // -0 is 0 in JSON
        const signed = JSON.stringify(read, (_, value: unknown) => (isPlaceholder(value) ? null : value))
        expect(JSON.parse(signed)).toEqual(JSON.parse(JSON.stringify({ ...asked, messages, model })))
      }),
      runs(100),
    )
  })
})

const block = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), pieces: fc.array(text, { minLength: 1 }) }),
  fc.record({ kind: fc.constant('thinking' as const), pieces: fc.array(text, { minLength: 1 }), seal: base64 }),
  fc.record({ kind: fc.constant('tool-call' as const), name, args: object, cut: fc.nat(), seal: some(base64) }),
)
const answers = fc
  .tuple(fc.array(block), fc.constantFrom('length', 'content-filter', null), fc.boolean())
  .map(([blocks, reason, breaks]): AnswerEvent[] => {
    const events: AnswerEvent[] = [{ type: 'start', model: 'm', usage: null }]
    for (const [i, one] of blocks.entries()) {
      if (one.kind === 'tool-call') {
        const json = JSON.stringify(one.args)
        events.push({
          type: 'begin',
          block: i,
          part: { kind: 'tool-call', id: `c${i}`, name: one.name, custom: false },
        })
        events.push(
          { type: 'delta', block: i, text: json.slice(0, one.cut) },
          { type: 'delta', block: i, text: json.slice(one.cut) },
        )
        if (one.seal !== null) events.push({ type: 'seal', block: i, seal: { of: 'gemini', data: one.seal } })
      } else {
        events.push(
          { type: 'begin', block: i, part: { kind: one.kind } },
          ...one.pieces.map((piece): AnswerEvent => ({ type: 'delta', block: i, text: piece })),
        )
        if (one.kind === 'thinking') events.push({ type: 'seal', block: i, seal: { of: 'gemini', data: one.seal } })
      }
      events.push({ type: 'end', block: i })
    }
    const usage = { input: 5, cachedInput: 1, cacheWrite: 0, output: 4, reasoning: 2 }
    const stop = blocks.some(({ kind }) => kind === 'tool-call') ? 'tool-calls' : 'stop'
    events.push(
      breaks
        ? { type: 'error', code: 'upstream-broke-off', message: 'gone' }
        : { type: 'finish', reason: reason ?? stop, stopSequence: null, usage },
    )
    return events
  })

/** Texts that follow each other are one text on this wire. */
function joined(events: readonly AnswerEvent[]) {
  const said = fold(events)
  const blocks: typeof said.blocks = []
  for (const one of said.blocks) {
    const last = blocks.at(-1)
    if (one.kind === 'text' && last?.kind === 'text') last.text += one.text
    else blocks.push({ ...one })
  }
  return { ...said, blocks }
}

describe('any answer', () => {
  it('is written as a valid stream and a valid body, and says the same when it is read again', () => {
    fc.assert(
      fc.property(answers, (events) => {
        const stream = writeSse(events)
        expect(validateGeminiStream(stream)).toEqual([])
        const read = readSse(stream).events
        if (events.at(-1)?.type === 'error') {
          expect(fold(read).error).toBe('UNAVAILABLE')
          return
        }
        expect(joined(read)).toEqual(joined(events))
        const body = writeWhole(events)
        expect(validateGeminiBody(body)).toEqual([])
        expect(joined(readWhole(body).events)).toEqual(joined(events))
      }),
      runs(100),
    )
  })
})
