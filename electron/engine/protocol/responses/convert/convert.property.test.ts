import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent, AnswerFinish, BlockKind } from '../../canonical/answer.ts'
import type { CanonicalRequest, ContentPart, Message, Seal, Tool } from '../../canonical/request.ts'
import {
  validateResponsesBody,
  validateResponsesRequest,
  validateResponsesStream,
} from '../../testing/validate-responses.ts'
import { responsesConversion } from './index.ts'
import { readWire, writeWhole, writeWire, writing } from './testing/answers.ts'
import { runs } from '../../../../../shared/testing/runs.ts'
import { plainRequest } from '../../testing/plain-request.ts'

const word = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/)
const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
const seal: fc.Arbitrary<Seal> = fc.record({
  of: fc.constantFrom('messages' as const, 'gemini' as const, 'responses' as const),
  data: word,
})
const finishes: readonly AnswerFinish[] = [
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'stop-sequence',
  'refusal',
  'pause-turn',
]

interface Block {
  part: BlockKind
  pieces: string[]
  seal: Seal | null
}
const kind: fc.Arbitrary<BlockKind> = fc.oneof(
  fc.constant({ kind: 'text' as const }),
  fc.constant({ kind: 'thinking' as const }),
  fc.constant({ kind: 'refusal' as const }),
  fc.record({ kind: fc.constant('tool-call' as const), id: fc.uuid(), name: word, custom: fc.boolean() }),
  fc.record({
    kind: fc.constant('tool-call' as const),
    id: fc.uuid(),
    name: word,
    namespace: word,
    custom: fc.boolean(),
  }),
)
const block: fc.Arbitrary<Block> = fc.record({
  part: kind,
  pieces: fc.array(fc.oneof(anyText, fc.constant('')), { maxLength: 4 }),
  seal: fc.option(seal),
})

/** Well-formed events; calls that follow each other are open side by side. */
function eventsOf(blocks: readonly Block[], end: AnswerEvent): AnswerEvent[] {
  const events: AnswerEvent[] = [{ type: 'start', model: 'm', usage: null }]
  let open: number[] = []
  const close = (): void => {
    events.push(...open.toReversed().map((n) => ({ type: 'end' as const, block: n })))
    open = []
  }
  for (const [n, { part, pieces, seal: own }] of blocks.entries()) {
    if (part.kind !== 'tool-call') close()
    events.push(
      { type: 'begin', block: n, part },
      ...pieces.map((text) => ({ type: 'delta' as const, block: n, text })),
    )
    if (own) events.push({ type: 'seal', block: n, seal: own })
    open.push(n)
    if (part.kind !== 'tool-call') close()
  }
  close()
  return [...events, end]
}

describe('any answer', () => {
  const tokens = fc.nat(1_000_000)
  // A total includes its parts: a larger part is one that a vendor counts beside it.
  const usage = fc.option(
    fc
      .record({ fresh: tokens, cachedInput: tokens, cacheWrite: tokens, said: tokens, reasoning: tokens })
      .map(({ fresh, said, ...parts }) => ({
        ...parts,
        input: fresh + parts.cachedInput + parts.cacheWrite,
        output: said + parts.reasoning,
      })),
  )
  const end: fc.Arbitrary<AnswerEvent> = fc.oneof(
    fc.record({
      type: fc.constant('finish' as const),
      reason: fc.constantFrom(...finishes),
      stopSequence: fc.option(anyText),
      usage,
    }),
    fc.record({ type: fc.constant('error' as const), code: word, message: anyText }),
  )

  it('is written as a valid stream that says the same', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), end, (blocks, last) => {
        const events = eventsOf(blocks, last)
        const wire = writeWire(events)
        expect(validateResponsesStream(wire)).toEqual([])
        const { folded } = readWire(wire)
        const said = blocks.map(({ part, pieces }) => ({
          part,
          text: pieces.join('') || (part.kind === 'tool-call' && !part.custom ? '{}' : ''),
        }))
        // Seals come back as reasoning without text, which is no block of the answer's own.
        const words = ({ part, text }: { part: BlockKind; text: string }): boolean =>
          text !== '' || part.kind === 'tool-call'
        expect(folded.blocks.map(({ part, text }) => ({ part, text })).filter(words)).toEqual(said.filter(words))
        expect(folded.error).toBe(last.type === 'error' ? last.code : null)
        if (last.type === 'finish') {
          expect(validateResponsesBody(writeWhole(events))).toEqual([])
          expect(folded.usage).toEqual(last.usage)
        }
      }),
      runs(300),
    )
  })

  it('comes back from the client with its thinking, calls and their seals', () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 6 }), (blocks) => {
        const { output } = writeWhole(
          eventsOf(blocks, { type: 'finish', reason: 'stop', stopSequence: null, usage: null }),
        )
        const { messages, unread } = responsesConversion.readRequest(
          { model: 'm', input: JSON.parse(JSON.stringify(output)) },
          { path: '' },
        )
        const parts = messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []))
        const sealed = blocks
          .filter(({ part, seal: own }) => own && part.kind === 'tool-call' && own.of !== 'responses')
          .map(({ part, seal: own }) => [part.kind === 'tool-call' && part.id, own?.of, own?.data])
        expect(
          parts.flatMap((part) =>
            part.type === 'tool-call' && part.seal ? [[part.id, part.seal.of, part.seal.data]] : [],
          ),
        ).toEqual(sealed)
        const thoughts = blocks
          .filter(({ part, pieces, seal: own }) => part.kind === 'thinking' && (own || pieces.join('') !== ''))
          .map(({ pieces, seal: own }) => [pieces.join(''), own?.data])
        expect(parts.flatMap((part) => (part.type === 'thinking' ? [[part.text, part.seal?.data]] : []))).toEqual(
          expect.arrayContaining(thoughts),
        )
        expect(unread.filter((path) => path !== 'input[].id')).toEqual([])
      }),
      runs(200),
    )
  })
})

const content: fc.Arbitrary<ContentPart> = fc.oneof(
  anyText.map((text) => ({ type: 'text' as const, text })),
  fc.record({
    type: fc.constant('image' as const),
    source: fc.constantFrom(
      { kind: 'data' as const, mediaType: 'image/png', base64: 'AA==' },
      { kind: 'url' as const, url: 'https://x/y.png', mediaType: null },
      { kind: 'id' as const, of: 'responses' as const, id: 'file-1' },
    ),
    detail: fc.constantFrom(null, 'low', 'high'),
  }),
  fc.record({
    type: fc.constant('file' as const),
    source: fc.constant({ kind: 'data' as const, mediaType: 'application/pdf', base64: 'AA==' }),
    name: word,
  }),
)
/** One round of tools: the model's text and calls, and the result of each call. */
const round: fc.Arbitrary<Message[]> = fc
  .tuple(
    fc.array(anyText, { maxLength: 2 }),
    fc.array(
      fc.record({ id: fc.uuid(), name: word, custom: fc.boolean(), results: fc.array(content, { maxLength: 2 }) }),
      { minLength: 1, maxLength: 3 },
    ),
    fc.option(word),
  )
  .map(([texts, calls, enc]) => [
    {
      role: 'assistant',
      parts: [
        ...(enc === null
          ? []
          : [
              {
                type: 'thinking' as const,
                text: 't',
                seal: { of: 'responses' as const, data: enc, id: 'rs_1', text: 't' },
              },
            ]),
        ...texts.map((text) => ({ type: 'text' as const, text })),
        ...calls.map(({ id, name, custom }) => ({
          type: 'tool-call' as const,
          id,
          name,
          arguments: custom ? 'free' : '{"a":1}',
          custom,
          seal: null,
        })),
      ],
    },
    {
      role: 'user',
      parts: calls.map(({ id, name, custom, results }) => ({
        type: 'tool-result' as const,
        callId: id,
        name,
        parts: results,
        isError: false,
        custom,
      })),
    },
  ])
const message: fc.Arbitrary<Message[]> = fc.oneof(
  fc.array(content, { minLength: 1, maxLength: 3 }).map((parts): Message[] => [{ role: 'user', parts }]),
  round,
)
const tool: fc.Arbitrary<Tool> = fc.oneof(
  fc.record({
    type: fc.constant('function' as const),
    name: word,
    description: fc.option(anyText),
    parameters: fc.constant({ type: 'object' }),
    strict: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('custom' as const),
    name: word,
    description: fc.option(anyText),
    format: fc.constantFrom(null, { type: 'text' }),
  }),
)
const request: fc.Arbitrary<CanonicalRequest> = fc
  .record({
    stream: fc.boolean(),
    system: fc.array(
      anyText.map((text) => ({ type: 'text' as const, text })),
      { maxLength: 1 },
    ),
    messages: fc.array(message, { maxLength: 4 }).map((all) => all.flat()),
    tools: fc.array(tool, { maxLength: 3 }),
    parallelTools: fc.option(fc.boolean()),
    maxTokens: fc.option(fc.integer({ min: 16, max: 9999 })),
    temperature: fc.option(fc.constantFrom(0, 0.5, 2)),
    logprobs: fc.option(fc.nat(20)),
    verbosity: fc.option(fc.constantFrom('low', 'high')),
    user: fc.option(word),
    metadata: fc.option(fc.constant({ a: 'b' })),
    cacheKey: fc.option(word),
    store: fc.boolean(),
    reasoning: fc.option(
      fc.record({
        effort: fc.constantFrom('low' as const, 'none' as const, null),
        budget: fc.constant(null),
        summary: fc.constantFrom('auto' as const, null),
      }),
    ),
  })
  .map((some) => ({ ...plainRequest, ...some }))

it('any request is written as a valid one that reads back equal', () => {
  fc.assert(
    fc.property(request, (canonical) => {
      const { body, dropped } = responsesConversion.writeRequest(canonical, { model: 'm', maxOutput: null })
      expect(validateResponsesRequest(body)).toEqual([])
      expect(dropped).toEqual([])
      expect(responsesConversion.readRequest(JSON.parse(JSON.stringify(body)), { path: '' })).toEqual(canonical)
    }),
    runs(300),
  )
})

it('answers are valid whatever the request they repeat', () => {
  fc.assert(
    fc.property(request, (canonical) => {
      expect(
        validateResponsesStream(
          writeWire(
            [
              { type: 'start', model: null, usage: null },
              { type: 'finish', reason: 'stop', stopSequence: null, usage: null },
            ],
            writing(canonical),
          ),
        ),
      ).toEqual([])
    }),
    runs(100),
  )
})
