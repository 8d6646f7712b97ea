import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent, BlockKind } from '../../canonical/answer.ts'
import type {
  CanonicalRequest,
  ContentPart,
  Message,
  Seal,
  TextPart,
  Tool,
  ToolCallPart,
  ToolResultPart,
} from '../../canonical/request.ts'
import { efforts, type Effort } from '../../canonical/request.ts'
import { validateChatBody, validateChatRequest, validateChatStream } from '../../testing/validate-chat.ts'
import { asked, folded, heard, heardBody, read, said, saidBody, written } from './testing/exchange.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

/** The efforts that the model below takes. */
const takenEfforts: readonly Effort[] = ['none', 'low', 'medium', 'high', 'xhigh']
const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const id = fc.string({ unit: fc.constantFrom(...'abcxyz019_-'), minLength: 1, maxLength: 12 })
const base64 = fc.uint8Array({ minLength: 1, maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64'))
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })

const textPart: fc.Arbitrary<TextPart> = words.map((text) => ({ type: 'text', text }))
/** Parts of a user's message that Chat can say; the model is OpenAI's newest, which takes every kind. */
const sayable: fc.Arbitrary<ContentPart> = fc.oneof(
  textPart,
  fc.record({
    type: fc.constant('image' as const),
    source: base64.map((data) => ({ kind: 'data' as const, mediaType: 'image/png', base64: data })),
    detail: orNull(fc.constantFrom('low', 'high')),
  }),
  fc.record({
    type: fc.constant('image' as const),
    source: fc.webUrl().map((url) => ({ kind: 'url' as const, url, mediaType: null })),
    detail: fc.constant(null),
  }),
  fc.record({
    type: fc.constant('file' as const),
    source: base64.map((data) => ({ kind: 'data' as const, mediaType: 'application/pdf', base64: data })),
    name: words,
  }),
  fc.record({ type: fc.constant('audio' as const), mediaType: fc.constantFrom('audio/wav', 'audio/mpeg'), base64 }),
)
/** Parts that Chat can’t say everywhere: it must leave them out, and stay valid. */
const unsayable: fc.Arbitrary<ContentPart> = fc.oneof(
  fc.constant<ContentPart>({
    type: 'image',
    source: { kind: 'id', of: 'gemini', id: 'f' },
    detail: 'original',
    cache: { type: 'ephemeral' },
  }),
  fc.constant<ContentPart>({
    type: 'image',
    source: { kind: 'url', url: 'https://a/b.png', mediaType: null },
    detail: 'original',
    cache: { type: 'ephemeral' },
  }),
  fc.constant<ContentPart>({
    type: 'file',
    source: { kind: 'text', text: 'plain', mediaType: 'text/plain' },
    name: null,
  }),
  fc.constant<ContentPart>({
    type: 'file',
    source: { kind: 'url', url: 'https://a/b.pdf', mediaType: null },
    name: 'b.pdf',
  }),
  fc.constant<ContentPart>({ type: 'audio', mediaType: 'audio/ogg', base64: 'AA==' }),
)
const seal = (...of: Seal['of'][]): fc.Arbitrary<Seal> => fc.record({ of: fc.constantFrom(...of), data: words })

/** Calls and their results, then what the user says. `extra` is what Chat can’t say. */
const round = (index: number, extra: boolean): fc.Arbitrary<Message[]> => {
  const content = extra ? fc.oneof(sayable, unsayable) : sayable
  const call = (i: number) =>
    fc
      .record({ name: id, arguments: words, custom: fc.boolean() })
      .map((given): ToolCallPart => ({ type: 'tool-call', id: `call_${index}_${i}`, seal: null, ...given }))
  return fc
    .record({
      thought: fc.boolean(),
      texts: fc.array(textPart, { maxLength: 2 }),
      calls: fc.tuple(call(0), call(1)),
      number: fc.integer({ min: 0, max: 2 }),
      results: fc.array(fc.array(extra ? content : textPart, { minLength: 1, maxLength: 3 }), {
        minLength: 2,
        maxLength: 2,
      }),
      error: fc.boolean(),
      user: fc.array(content, { minLength: 1, maxLength: 3 }),
      foreign: seal('messages', 'gemini', 'responses'),
    })
    .map(({ thought, texts, calls, number, results, error, user, foreign }) => {
      const made = calls.slice(0, number)
      const assistant: Message = {
        role: 'assistant',
        parts: [
          ...(thought
            ? [
                {
                  type: 'thinking' as const,
                  text: 'Hm',
                  seal: extra ? foreign : { of: 'chat' as const, data: 'reasoning_content' },
                },
              ]
            : []),
          ...texts,
          ...made.map((part) => (extra ? { ...part, seal: foreign } : part)),
          ...(texts.length + number === 0 ? [{ type: 'refusal' as const, text: 'No' }] : []),
        ],
      }
      const answers = made.map((part, i): ToolResultPart => ({
        type: 'tool-result',
        callId: part.id,
        name: part.name,
        parts: results[i] ?? [],
        isError: extra && error,
        custom: part.custom,
      }))
      return [assistant, { role: 'user', parts: [...answers, ...user] }]
    })
}

const tools: fc.Arbitrary<Tool[]> = fc
  .uniqueArray(id, { minLength: 1, maxLength: 3 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name, i) =>
        fc
          .record({ description: orNull(words), strict: orNull(fc.boolean()) })
          .map(({ description, strict }): Tool =>
            i === 1
              ? { type: 'custom', name, description, format: { type: 'grammar', syntax: 'lark', definition: 'x' } }
              : { type: 'function', name, description, parameters: { type: 'object' }, strict },
          ),
      ),
    ),
  )

const request = (extra: boolean): fc.Arbitrary<CanonicalRequest> =>
  fc
    .record({
      system: fc.array(textPart, { maxLength: 2 }),
      first: fc.array(sayable, { minLength: 1, maxLength: 2 }),
      rounds: fc.tuple(round(0, extra), round(1, extra)),
      late: fc.boolean(),
      tools,
      choice: fc.constantFrom('none', 'any', 'tool', 'allowed', null),
      stream: fc.boolean(),
      parallelTools: orNull(fc.boolean()),
      maxTokens: orNull(fc.nat()),
      temperature: orNull(fc.double({ min: 0, max: 2, noNaN: true })),
      topP: orNull(fc.double({ min: 0, max: 1, noNaN: true })),
      seed: orNull(fc.integer()),
      logprobs: orNull(fc.integer({ min: 0, max: 20 })),
      stop: fc.array(words, { minLength: 2, maxLength: extra ? 6 : 4 }),
      format: fc.constantFrom(
        null,
        { type: 'json' as const },
        { type: 'schema' as const, name: 'n', description: null, schema: { type: 'object' }, strict: true },
      ),
      verbosity: fc.constantFrom(null, 'low', 'high', ...(extra ? ['huge'] : [])),
      effort: fc.constantFrom<Effort | null>(null, ...(extra ? efforts : takenEfforts)),
      user: orNull(words),
      store: fc.constantFrom(null, true),
      cacheKey: orNull(words),
      tier: fc.constantFrom(null, 'flex', 'auto', ...(extra ? ['standard_only', 'other'] : [])),
      budget: extra ? orNull(fc.integer({ min: -1, max: 99_999 })) : fc.constant(null),
    })
    .map((given) => {
      // A reasoning model samples only with effort `none`.
      const samples = extra || given.effort === 'none'
      const [name = ''] = given.tools.map((tool) => (tool.type === 'native' ? '' : tool.name))
      return asked({
        model: 'gpt-5.6',
        system: given.system,
        tools: given.tools,
        stream: given.stream,
        includeUsage: given.stream,
        parallelTools: given.parallelTools,
        maxTokens: given.maxTokens,
        messages: [
          { role: 'user', parts: given.first },
          ...given.rounds[0],
          ...(given.late ? [{ role: 'system' as const, parts: [{ type: 'text' as const, text: 'Late' }] }] : []),
          ...given.rounds[1],
        ],
        toolChoice:
          given.choice === null
            ? null
            : given.choice === 'tool'
              ? { type: 'tool', name }
              : given.choice === 'allowed'
                ? { type: 'allowed', mode: 'any', names: [name] }
                : { type: given.choice === 'any' ? 'any' : 'none' },
        temperature: samples ? given.temperature : null,
        topP: samples ? given.topP : null,
        topK: extra ? 3 : null,
        seed: given.seed,
        logprobs: samples ? given.logprobs : null,
        stop: samples ? given.stop : [],
        format: given.format,
        verbosity: given.verbosity,
        reasoning:
          given.effort === null && given.budget === null
            ? null
            : { effort: given.effort, budget: given.budget, summary: null },
        user: given.user,
        metadata: extra || given.store ? { team: 'blue' } : null,
        cacheKey: given.cacheKey,
        serviceTier: given.tier,
        store: given.store,
      })
    })

describe('any request', () => {
  it('that Chat can say is valid, and reads back as it was', () => {
    fc.assert(
      fc.property(request(false), (asking) => {
        const { body, dropped } = written(asking)
        expect(validateChatRequest(body)).toEqual([])
        expect(dropped).toEqual([])
        expect(read(body)).toEqual(asking)
      }),
      runs(200),
    )
  })

  it('is valid with every kind of model, whatever is left out', () => {
    fc.assert(
      fc.property(request(true), fc.constantFrom('gpt-5.6', 'gpt-4.1', 'glm-5', 'o3'), (asking, model) => {
        const { body, dropped } = written(asking, model)
        expect(validateChatRequest(body)).toEqual([])
        expect(new Set(dropped).size).toBe(dropped.length)
        expect(dropped).toContain('top_k')
      }),
      runs(200),
    )
  })
})

/** One block with its pieces. */
const block: fc.Arbitrary<{ part: (n: number) => BlockKind; pieces: string[]; seal: Seal | null }> = fc
  .record({
    kind: fc.constantFrom('text', 'thinking', 'refusal', 'function', 'custom'),
    name: id,
    pieces: fc.array(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 4 }),
    sealed: fc.boolean(),
    seal: seal('messages', 'responses', 'gemini'),
  })
  .map(({ kind, name, pieces, sealed, seal: given }) => ({
    part: (n) =>
      kind === 'function' || kind === 'custom'
        ? { kind: 'tool-call', id: `call_${n}`, name, custom: kind === 'custom' }
        : { kind: kind === 'text' || kind === 'thinking' ? kind : 'refusal' },
    pieces,
    seal: sealed && kind !== 'text' && kind !== 'refusal' ? given : null,
  }))

/** Well-formed answers; calls that follow each other may be open together, their pieces mixed by `mix`. */
const answer: fc.Arbitrary<AnswerEvent[]> = fc
  .record({
    blocks: fc.array(block, { maxLength: 6 }),
    mix: fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
    end: fc.constantFrom('stop', 'length', 'content-filter', 'error'),
    counted: fc.boolean(),
  })
  .map(({ blocks, mix, end, counted }) => {
    const events: AnswerEvent[] = [{ type: 'start', model: 'm', usage: null }]
    let queues: AnswerEvent[][] = []
    const flush = () => {
      for (let i = 0; queues.length > 0; i++) {
        const at = (mix[i % mix.length] ?? 0) % queues.length
        const event = queues[at]?.shift()
        if (event) events.push(event)
        queues = queues.filter((queue) => queue.length > 0)
      }
    }
    blocks.forEach(({ part, pieces, seal: given }, n) => {
      const kind = part(n)
      if (kind.kind !== 'tool-call') flush()
      events.push({ type: 'begin', block: n, part: kind })
      queues.push([
        ...pieces.map((text): AnswerEvent => ({ type: 'delta', block: n, text })),
        ...(given ? [{ type: 'seal' as const, block: n, seal: given }] : []),
        { type: 'end', block: n },
      ])
      if (kind.kind !== 'tool-call') flush()
    })
    flush()
    if (end === 'error') return [...events, { type: 'error', code: 'upstream-broke-off', message: 'Gone.' }]
    const called = blocks.some(({ part }, n) => part(n).kind === 'tool-call')
    return [
      ...events,
      {
        type: 'finish',
        reason: end === 'stop' && called ? 'tool-calls' : end,
        stopSequence: null,
        usage: counted ? { input: 3, cachedInput: 1, cacheWrite: 0, output: 2, reasoning: 1 } : null,
      },
    ]
  })

/** No arguments are `{}`: clients parse the text. */
const given = (custom: boolean, text: string): string => (!custom && text === '' ? '{}' : text)

/** Beside the texts, what Chat must keep. Two thoughts share one string, a blank line between them. */
const gist = (events: readonly AnswerEvent[]) => {
  const { text, refusal, calls, end, problems } = folded(events)
  const reason =
    end && 'reason' in end ? { ...end, reason: end.reason === 'stop' && refusal !== '' ? 'refusal' : end.reason } : end
  return {
    text,
    refusal,
    calls: calls.map((call) => ({ ...call, text: given(call.custom, call.text), seal: null })),
    end: reason,
    problems,
  }
}

describe('any answer', () => {
  it('becomes a valid stream that says the same', () => {
    fc.assert(
      fc.property(answer, fc.boolean(), (events, includeUsage) => {
        const { stream } = said(events, asked({ includeUsage }))
        const last = events.at(-1)
        const counted = includeUsage && last?.type === 'finish' && last.usage !== null
        expect(validateChatStream(stream, counted ? { usage: true } : includeUsage ? {} : { usage: false })).toEqual([])
        const again = gist(heard(stream).events)
        const before = gist(events)
        expect(again).toEqual(
          counted || !before.end || !('usage' in before.end)
            ? before
            : { ...before, end: { ...before.end, usage: null } },
        )
      }),
      runs(200),
    )
  })

  it('becomes a valid body that says the same', () => {
    fc.assert(
      fc.property(
        answer.filter((events) => events.at(-1)?.type === 'finish'),
        (events) => {
          const { body } = saidBody(events)
          expect(validateChatBody(body)).toEqual([])
          expect(gist(heardBody(body).events)).toEqual(gist(events))
        },
      ),
      runs(200),
    )
  })
})
