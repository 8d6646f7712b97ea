import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent, AnswerFinish, AnswerUsage, BlockKind } from '../../canonical/answer.ts'
import {
  efforts,
  type CanonicalRequest,
  type ContentPart,
  type Message,
  type Seal,
  type Source,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultPart,
} from '../../canonical/request.ts'
import {
  validateMessagesBody,
  validateMessagesRequest,
  validateMessagesStream,
} from '../../testing/validate-messages.ts'
import { messagesConversion } from './index.ts'
import { body, folded, read, request, stream, writing } from './testing/asking.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('', ' ', '\n', '"\\', '\u2028', '好'),
)
const name = fc.constantFrom('run', 'read_file', 'mcp__a-b')
const callId = fc.constantFrom('a', 'b', 'c', 'run:0', '')
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })
const cache = fc.constantFrom({}, { cache: { type: 'ephemeral' } })

const text = fc
  .record({ type: fc.constant('text' as const), text: words })
  .chain((part) => cache.map((mark) => ({ ...part, ...mark })))
const source: fc.Arbitrary<Source> = fc.oneof(
  fc.record({
    kind: fc.constant('data' as const),
    mediaType: fc.constantFrom('image/png', 'image/bmp', 'application/pdf', 'text/plain', 'video/mp4'),
    base64: fc.constant('AAAA'),
  }),
  fc.record({
    kind: fc.constant('url' as const),
    url: fc.constant('https://e.com/x'),
    mediaType: fc.constantFrom(null, 'application/pdf', 'image/png', 'text/html'),
  }),
  fc.record({
    kind: fc.constant('id' as const),
    of: fc.constantFrom('messages' as const, 'chat' as const),
    id: fc.constant('file_1'),
  }),
)
const content: fc.Arbitrary<ContentPart> = fc.oneof(
  text,
  fc.record({ type: fc.constant('image' as const), source, detail: fc.constantFrom(null, 'high') }),
  fc.record({
    type: fc.constant('file' as const),
    source: fc.oneof(
      source,
      fc.record({ kind: fc.constant('text' as const), text: words, mediaType: fc.constant('text/plain') }),
    ),
    name: orNull(words),
  }),
  fc.constant({ type: 'audio' as const, mediaType: 'audio/wav', base64: 'AA' }),
)
const seal: fc.Arbitrary<Seal> = fc.oneof(
  fc.record({ of: fc.constantFrom('messages' as const, 'gemini' as const), data: fc.constantFrom('sig', '') }),
  fc.record({ of: fc.constant('responses' as const), data: fc.constant('enc'), id: fc.constant('rs_1') }),
  fc.record({ of: fc.constant('messages' as const), data: fc.constant('enc'), redacted: fc.constant(true) }),
)
const thinking: fc.Arbitrary<ThinkingPart> = fc.record({
  type: fc.constant('thinking' as const),
  text: words,
  seal: orNull(seal),
})
const call: fc.Arbitrary<ToolCallPart> = fc.record({
  type: fc.constant('tool-call' as const),
  id: callId,
  name,
  arguments: fc.oneof(fc.json(), words),
  custom: fc.constant(false),
  seal: fc.constant(null),
})
const result: fc.Arbitrary<ToolResultPart> = fc.record({
  type: fc.constant('tool-result' as const),
  callId,
  name: orNull(name),
  parts: fc.array(content, { maxLength: 2 }),
  isError: fc.boolean(),
  custom: fc.constant(false),
})
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), parts: fc.array(fc.oneof(content, result), { maxLength: 4 }) }),
  fc.record({
    role: fc.constant('assistant' as const),
    parts: fc.array(
      fc.oneof(text, thinking, call, call, fc.record({ type: fc.constant('refusal' as const), text: words })),
      { maxLength: 4 },
    ),
  }),
  fc.record({ role: fc.constant('system' as const), parts: fc.array(text, { maxLength: 2 }) }),
)
const tools = fc.uniqueArray(
  fc.record({
    type: fc.constant('function' as const),
    name,
    description: orNull(words),
    parameters: fc.constantFrom(null, { type: 'object' }, {}),
    strict: fc.constantFrom(null, true, false),
  }),
  { selector: (tool) => tool.name },
)
const canonical: fc.Arbitrary<CanonicalRequest> = fc
  .record({
    system: fc.array(text, { maxLength: 2 }),
    messages: fc.array(message, { maxLength: 8 }),
    stream: fc.boolean(),
    maxTokens: orNull(fc.integer({ min: 1, max: 5000 })),
    temperature: orNull(fc.constantFrom(0, 0.5, 1, 2)),
    topP: orNull(fc.constantFrom(0, 0.5, 0.96, 1)),
    topK: orNull(fc.nat(50)),
    stop: fc.array(words, { maxLength: 3 }),
    parallelTools: orNull(fc.boolean()),
    reasoning: orNull(
      fc.record({
        effort: orNull(fc.constantFrom(...efforts)),
        budget: orNull(fc.nat(9000)),
        summary: fc.constantFrom(null, 'auto' as const, 'none' as const, 'detailed' as const),
      }),
    ),
    format: fc.constantFrom(
      null,
      { type: 'json' as const },
      { type: 'schema' as const, name: 'n', description: null, schema: { type: 'object' }, strict: true },
    ),
  })
  .chain((members) =>
    tools.chain((some) =>
      fc
        .constantFrom(
          null,
          { type: 'auto' as const },
          { type: 'none' as const },
          { type: 'any' as const },
          ...some.map((tool) => ({ type: 'tool' as const, name: tool.name })),
        )
        .map((toolChoice) => request({ ...members, tools: some, toolChoice })),
    ),
  )
const model = fc.constantFrom(
  'claude-sonnet-4-5-20250929',
  'claude-opus-4-6',
  'claude-opus-4-8',
  'claude-3-5-haiku-20241022',
  'glm-5',
)

describe('any request', () => {
  it('is written as Anthropic takes it', () => {
    fc.assert(
      fc.property(canonical, model, orNull(fc.integer({ min: 1, max: 4000 })), (asked, target, maxOutput) => {
        const { body: written, dropped } = messagesConversion.writeRequest(asked, { model: target, maxOutput })
        // Other vendors' models take thinking without a signature.
        const unsigned = (problem: string) => !target.startsWith('claude') && problem.endsWith('signature: no text')
        expect(validateMessagesRequest({ ...written }).filter((problem) => !unsigned(problem))).toEqual([])
        expect(new Set(dropped).size).toBe(dropped.length)
      }),
      runs(400),
    )
  })

  it('that was written is read and written again to the same', () => {
    fc.assert(
      fc.property(canonical, (asked) => {
        // The model that takes effort and budget alike: others get the one said as the other.
        const target = { model: 'claude-opus-4-6', maxOutput: null }
        const { body: once } = messagesConversion.writeRequest(asked, target)
        const again = messagesConversion.readRequest(once, { path: '/v1/messages' })
        expect(again.unread).toEqual([])
        const { body: twice, dropped } = messagesConversion.writeRequest(again, target)
        expect(twice).toEqual(once)
        // Thinking that a forced tool keeps off is still asked for by its effort.
        expect(dropped.filter((name) => name !== 'reasoning')).toEqual([])
      }),
      runs(300),
    )
  })
})

const usage: fc.Arbitrary<AnswerUsage> = fc
  .record({ cachedInput: fc.nat(50), cacheWrite: fc.nat(50), output: fc.nat(99), reasoning: fc.nat(9) })
  // No request is without input: an end that counts none leaves the start's count as it is.
  .chain((counts) =>
    fc
      .integer({ min: 1, max: 50 })
      .map((more) => ({ input: counts.cachedInput + counts.cacheWrite + more, ...counts })),
  )
interface Said {
  part: BlockKind
  texts: string[]
  seal: Seal | null
}
const pieces = fc.array(words, { maxLength: 4 })
const saidBlock = (n: number): fc.Arbitrary<Said> =>
  fc.oneof(
    fc.record({ part: fc.constant<BlockKind>({ kind: 'text' }), texts: pieces, seal: fc.constant(null) }),
    fc.record({
      part: fc.constant<BlockKind>({ kind: 'thinking' }),
      texts: pieces,
      seal: orNull(fc.constant<Seal>({ of: 'messages', data: 'sig' })),
    }),
    fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }).chain((input) =>
      fc.integer({ min: 1, max: 9 }).map((size): Said => ({
        part: { kind: 'tool-call', id: `c${n}`, name: 'run', custom: false },
        texts: JSON.stringify(input).match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [],
        seal: null,
      })),
    ),
  )
const answer = fc
  .tuple(
    fc.tuple(saidBlock(0), saidBlock(1), saidBlock(2), saidBlock(3)),
    fc.nat(4),
    orNull(usage),
    usage,
    fc.constantFrom<AnswerFinish>('stop', 'length', 'refusal', 'pause-turn'),
  )
  .map(([all, count, first, last, reason]): AnswerEvent[] => {
    const blocks = all.slice(0, count)
    const calls = blocks.some(({ part }) => part.kind === 'tool-call')
    return [
      { type: 'start', model: 'm', usage: first && { ...first, reasoning: 0 } },
      ...blocks.flatMap(({ part, texts, seal: sealed }, block): AnswerEvent[] => [
        { type: 'begin', block, part },
        ...texts.map((piece): AnswerEvent => ({ type: 'delta', block, text: piece })),
        ...(sealed ? [{ type: 'seal', block, seal: sealed } as const] : []),
        { type: 'end', block },
      ]),
      { type: 'finish', reason: calls && reason === 'stop' ? 'tool-calls' : reason, stopSequence: null, usage: last },
    ]
  })

/**
 * The part of an answer that a Messages client can get: no start usage that the end does not say again, no empty
 * blocks, a signature on all thinking.
 */
function tellable(events: readonly AnswerEvent[]): unknown[] {
  return folded(events).flatMap((event): unknown[] => {
    if (typeof event !== 'object' || event === null) return []
    if ('type' in event) return event.type === 'start' ? [{ ...event, usage: null }] : [event]
    // the form that `folded` gives a block
    const { part, text: all, seal: sealed } = event as { part: BlockKind; text: string; seal: Seal | null }
    if (part.kind === 'tool-call') return [{ part, input: JSON.parse(all) as unknown }]
    return all === '' && !sealed
      ? []
      : [{ part, text: all, sealed: part.kind === 'thinking' ? sealed?.data === 'sig' : null }]
  })
}

describe('any answer', () => {
  it('is streamed as the validator takes it, and says the same when it is read', () => {
    fc.assert(
      fc.property(answer, (events) => {
        const written = stream(events)
        expect(validateMessagesStream(written)).toEqual([])
        expect(tellable(read(written).events)).toEqual(tellable(events))
      }),
      runs(400),
    )
  })

  it('says the same as one body', () => {
    fc.assert(
      fc.property(answer, (events) => {
        const whole = body(events)
        expect(validateMessagesBody(whole)).toEqual([])
        expect(tellable(read(whole).events)).toEqual(tellable(events))
      }),
      runs(200),
    )
  })

  it('that fails is a right stream wherever it does', () => {
    fc.assert(
      fc.property(answer, fc.nat(20), (events, at) => {
        const begun = events.slice(0, Math.min(at, events.length - 1))
        const broken = stream(
          [...begun, { type: 'error', code: 'x', message: 'y' }, ...events.slice(begun.length)],
          writing(),
        )
        expect(validateMessagesStream(broken)).toEqual([])
        expect(broken).not.toContain('message_stop')
        expect(read(broken).events.at(-1)).toEqual({ type: 'error', code: 'x', message: 'y' })
      }),
      runs(100),
    )
  })
})
