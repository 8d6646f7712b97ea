import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent, AnswerFinish } from '../../canonical/answer.ts'
import type { Seal } from '../../canonical/request.ts'
import { sealForClient } from '../../canonical/thinking/seal.ts'
import { withServer } from '../../testing/serve-once.ts'
import { validateResponsesBody, validateResponsesStream } from '../../testing/validate-responses.ts'
import { asList, asObject, type JsonObject } from '../../values.ts'
import { responsesConversion } from './index.ts'
import { readWire, writeWhole, writeWire, writing } from './testing/answers.ts'

const usage = { input: 10, cachedInput: 4, cacheWrite: 0, output: 5, reasoning: 3 }
const start: AnswerEvent = { type: 'start', model: null, usage: null }
const finish = (reason: AnswerFinish): AnswerEvent => ({ type: 'finish', reason, stopSequence: null, usage })
const seal: Seal = { of: 'messages', data: 'sig' }
const answer: AnswerEvent[] = [
  start,
  { type: 'begin', block: 0, part: { kind: 'thinking' } },
  { type: 'delta', block: 0, text: 'Hm' },
  { type: 'delta', block: 0, text: '…' },
  { type: 'seal', block: 0, seal },
  { type: 'end', block: 0 },
  { type: 'begin', block: 1, part: { kind: 'text' } },
  { type: 'delta', block: 1, text: 'Hel"' },
  { type: 'delta', block: 1, text: 'lo\n' },
  { type: 'end', block: 1 },
  { type: 'begin', block: 2, part: { kind: 'tool-call', id: 'c1', name: 'read', namespace: 'fs', custom: false } },
  { type: 'begin', block: 3, part: { kind: 'tool-call', id: 'c2', name: 'apply_patch', custom: true } },
  { type: 'delta', block: 2, text: '{"a":' },
  { type: 'delta', block: 3, text: '*** Begin' },
  { type: 'delta', block: 2, text: '1}' },
  { type: 'end', block: 3 },
  { type: 'end', block: 2 },
  finish('tool-calls'),
]
const eventsOf = (wire: string): JsonObject[] =>
  wire
    .split('\n\n')
    .filter(Boolean)
    .map((block) => JSON.parse(block.slice(block.indexOf('data: ') + 6)))
const lastOf = (wire: string): JsonObject => asObject(eventsOf(wire).at(-1)?.['response']) ?? {}

describe('a stream', () => {
  const wire = writeWire(answer)

  it('is every event of a response in order', () => {
    expect(validateResponsesStream(wire)).toEqual([])
    expect(eventsOf(wire).map(({ type }) => String(type).slice('response.'.length))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'output_item.added',
      'function_call_arguments.delta',
      'custom_tool_call_input.delta',
      'function_call_arguments.delta',
      'custom_tool_call_input.done',
      'output_item.done',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ])
  })

  it('ends with everything that was said', () => {
    expect(lastOf(wire)).toMatchObject({
      status: 'completed',
      model: 'asked-for',
      created_at: 1_700_000_000,
      object: 'response',
      incomplete_details: null,
      error: null,
      output: [
        {
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: 'Hm…' }],
          encrypted_content: sealForClient(seal, 'responses'),
        },
        { type: 'message', status: 'completed', content: [{ type: 'output_text', text: 'Hel"lo\n', annotations: [] }] },
        { type: 'function_call', call_id: 'c1', name: 'read', namespace: 'fs', arguments: '{"a":1}' },
        { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: '*** Begin' },
      ],
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 15,
      },
    })
  })

  it('says the same when it is read again, and as a whole body', () => {
    const { folded } = readWire(wire)
    expect(folded.blocks.map(({ part, text }) => [part, text])).toEqual([
      [{ kind: 'thinking' }, 'Hm…'],
      [{ kind: 'text' }, 'Hel"lo\n'],
      [{ kind: 'tool-call', id: 'c1', name: 'read', namespace: 'fs', custom: false }, '{"a":1}'],
      [{ kind: 'tool-call', id: 'c2', name: 'apply_patch', custom: true }, '*** Begin'],
    ])
    expect(folded).toMatchObject({ reason: 'tool-calls', usage })
    const body = writeWhole(answer)
    expect(validateResponsesBody(body)).toEqual([])
    const bare = (response: JsonObject) => asList(response['output']).map((item) => ({ ...asObject(item), id: '' }))
    expect(bare(body)).toEqual(bare(lastOf(wire)))
  })

  it('sends words with the event that brought them', () => {
    const writer = responsesConversion.writeStream(writing())
    expect(writer.write(start)).toContain('event: response.created\n')
    writer.write({ type: 'begin', block: 0, part: { kind: 'text' } })
    expect(writer.write({ type: 'delta', block: 0, text: 'now' })).toContain('"delta":"now"')
  })

  it('repeats the request as the SDK types demand', () => {
    const context = writing({
      system: [{ type: 'text', text: 'Be brief.' }],
      tools: [{ type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: true }],
      toolChoice: { type: 'any' },
      parallelTools: false,
      temperature: 0.5,
      topP: 0.5,
      maxTokens: 99,
      metadata: { a: 'b' },
      reasoning: { effort: 'low', budget: null, summary: 'auto' },
      format: { type: 'json' },
      verbosity: 'low',
      store: false,
      user: 'u',
    })
    const text = writeWire(answer, context)
    expect(validateResponsesStream(text)).toEqual([])
    expect(lastOf(text)).toMatchObject({
      instructions: 'Be brief.',
      tools: [{ type: 'function', name: 'f', strict: true }],
      tool_choice: 'required',
      parallel_tool_calls: false,
      temperature: 0.5,
      top_p: 0.5,
      max_output_tokens: 99,
      metadata: { a: 'b' },
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_object' }, verbosity: 'low' },
      store: false,
      user: 'u',
      truncation: 'disabled',
      previous_response_id: null,
    })
  })

  it('tells who asks the whole final object', () => {
    const finals: JsonObject[] = []
    const text = writeWire(answer, { ...writing(), final: (body) => finals.push(body) })
    expect(JSON.parse(JSON.stringify(finals))).toEqual([lastOf(text)])
  })

  it('leaves out blocks that say nothing, and gives a call without arguments some', () => {
    const text = writeWire([
      start,
      { type: 'begin', block: 0, part: { kind: 'text' } },
      { type: 'delta', block: 0, text: '' },
      { type: 'end', block: 0 },
      { type: 'begin', block: 1, part: { kind: 'thinking' } },
      { type: 'end', block: 1 },
      { type: 'begin', block: 2, part: { kind: 'tool-call', id: 'c', name: 'f', custom: false } },
      { type: 'end', block: 2 },
      finish('tool-calls'),
    ])
    expect(validateResponsesStream(text)).toEqual([])
    expect(lastOf(text)['output']).toMatchObject([{ type: 'function_call', arguments: '{}' }])
  })

  it('carries the seal of a call behind it, and reads it back', () => {
    const text = writeWire([
      start,
      { type: 'begin', block: 0, part: { kind: 'tool-call', id: 'c1', name: 'f', custom: false } },
      { type: 'delta', block: 0, text: '{}' },
      { type: 'seal', block: 0, seal: { of: 'gemini', data: 'sig' } },
      { type: 'end', block: 0 },
      finish('tool-calls'),
    ])
    expect(validateResponsesStream(text)).toEqual([])
    const { messages } = responsesConversion.readRequest({ model: 'm', input: lastOf(text)['output'] }, { path: '' })
    expect(messages).toMatchObject([
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'c1', seal: { of: 'gemini', data: 'sig' } }] },
    ])
    expect(messages[0]?.parts).toHaveLength(1)
  })

  it('hands thinking back under its own seal', () => {
    const { messages } = responsesConversion.readRequest({ model: 'm', input: lastOf(wire)['output'] }, { path: '' })
    expect(messages[0]?.parts[0]).toEqual({ type: 'thinking', text: 'Hm…', seal })
  })

  it.each([
    ['stop', 'completed', null],
    ['stop-sequence', 'completed', null],
    ['pause-turn', 'incomplete', 'max_output_tokens'],
    ['incomplete', 'incomplete', 'max_output_tokens'],
    ['length', 'incomplete', 'max_output_tokens'],
    ['content-filter', 'incomplete', 'content_filter'],
    ['refusal', 'incomplete', 'content_filter'],
  ] as const)('that ends in %s is %s', (reason, status, why) => {
    const said: AnswerEvent[] = [...answer.slice(0, 9), { type: 'end', block: 1 }, finish(reason)]
    const text = writeWire(said)
    expect(validateResponsesStream(text)).toEqual([])
    expect(validateResponsesBody(writeWhole(said))).toEqual([])
    expect(eventsOf(text).at(-1)?.['type']).toBe(`response.${status}`)
    expect(lastOf(text)).toMatchObject({ status, incomplete_details: why && { reason: why } })
  })

  it('that refuses in words is complete', () => {
    const refused: AnswerEvent[] = [
      start,
      { type: 'begin', block: 0, part: { kind: 'refusal' } },
      { type: 'delta', block: 0, text: 'no' },
      { type: 'end', block: 0 },
      finish('refusal'),
    ]
    expect(validateResponsesStream(writeWire(refused))).toEqual([])
    expect(writeWhole(refused)).toMatchObject({
      status: 'completed',
      output: [{ content: [{ type: 'refusal', refusal: 'no' }] }],
    })
  })

  it('records how it ended where there is no word for it', () => {
    const context = writing()
    writeWire([start, { type: 'finish', reason: 'stop-sequence', stopSequence: 'END', usage: null }], context)
    writeWire([start, finish('pause-turn')], context)
    expect(context.names).toEqual(['stopSequence', 'pause-turn'])
  })

  it('that breaks off ends in an error for SDKs and a failed response for Codex', () => {
    const text = writeWire([...answer.slice(0, 8), { type: 'error', code: 'upstream-broke-off', message: 'gone' }])
    expect(validateResponsesStream(text)).toEqual([])
    expect(eventsOf(text).slice(-2)).toMatchObject([
      { type: 'error', code: 'upstream-broke-off', message: 'gone' },
      {
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'upstream-broke-off', message: 'gone' }, output: [{}] },
      },
    ])
  })
  it.each([
    ['402', 'insufficient_quota'],
    ['billing_error', 'insufficient_quota'],
    ['invalid_request_error', 'invalid_prompt'],
    ['INVALID_ARGUMENT', 'invalid_prompt'],
    ['404', 'invalid_prompt'],
    ['context_length_exceeded', 'context_length_exceeded'],
    ['overloaded_error', 'overloaded_error'],
    ['429', '429'],
    ['500', '500'],
  ])('that fails with %s says %s, which tells Codex to ask again or not', (code, said) => {
    const text = writeWire([{ type: 'error', code, message: 'No.' }])
    expect(validateResponsesStream(text)).toEqual([])
    expect(eventsOf(text).slice(-2)).toMatchObject([
      { type: 'error', code },
      { type: 'response.failed', response: { error: { code: said, message: 'No.' } } },
    ])
  })
})

describe('the official SDK', () => {
  const client = (origin: string) => new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'k', maxRetries: 0 })

  it('builds the same response from the stream', async () => {
    const wire = writeWire(answer)
    await withServer({ contentType: 'text/event-stream', body: Buffer.from(wire), chunkBytes: 7 }, async (origin) => {
      const final = await client(origin).responses.stream({ model: 'm', input: 'x' }).finalResponse()
      expect(final.output_text).toBe('Hel"lo\n')
      expect(final.output.map(({ type }) => type)).toEqual([
        'reasoning',
        'message',
        'function_call',
        'custom_tool_call',
      ])
      expect(final.usage?.total_tokens).toBe(15)
    })
  })

  it('throws what an error event says', async () => {
    const wire = writeWire([...answer.slice(0, 8), { type: 'error', code: 'upstream-broke-off', message: 'gone' }])
    await withServer({ contentType: 'text/event-stream', body: Buffer.from(wire) }, async (origin) => {
      await expect(client(origin).responses.stream({ model: 'm', input: 'x' }).finalResponse()).rejects.toThrow('gone')
    })
  })
})
