import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FinishKind } from '../../../../shared/events.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { sseEvent } from '../sse/write.ts'
import { observing } from '../testing/observing.ts'
import { cut, cuts, watch } from '../testing/summaries.ts'
import { responsesCodec } from './codec.ts'

const event = (type: string, more: object = {}) => sseEvent({ type, sequence_number: 1, ...more }, type)
const created =
  event('response.created', {
    response: {
      id: 'r1',
      object: 'response',
      model: 'gpt',
      status: 'in_progress',
      error: null,
      output: [],
      usage: null,
    },
  }) + event('response.in_progress', { response: { id: 'r1' } })
const added = event('response.output_item.added', {
  output_index: 0,
  item: { id: 'm1', type: 'message', role: 'assistant', content: [] },
})
const say = (...deltas: string[]) =>
  deltas
    .map((delta) =>
      event('response.output_text.delta', { item_id: 'm1', output_index: 0, content_index: 0, delta, logprobs: [] }),
    )
    .join('')
const message = (text: string) => ({
  id: 'm1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const item = (type: string, more: object = {}) => ({ id: 'i1', type, status: 'completed', ...more })
const itemDone = (it: object) => event('response.output_item.done', { output_index: 1, item: it })
const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 64 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 7 },
  total_tokens: 120,
}
const response = (status: string, output: object[], more: object = {}) => ({
  id: 'r1',
  object: 'response',
  model: 'gpt',
  status,
  error: null,
  incomplete_details: null,
  output,
  usage,
  ...more,
})
const end = (status: string, output: object[], more: object = {}) =>
  event(`response.${status}`, { response: response(status, output, more) })
const hi = created + added + say('hi')

const endings: [string, string, FinishKind][] = [
  ['completed', hi + end('completed', [message('hi')]), 'stop'],
  ['completed with an empty output', hi + end('completed', []), 'stop'],
  ['completed with reasoning', hi + end('completed', [item('reasoning'), message('hi')]), 'stop'],
  ...[
    'function_call',
    'custom_tool_call',
    'local_shell_call',
    'computer_call',
    'apply_patch_call',
    'shell_call',
    'tool_search_call',
    'brand_new_call',
    'mcp_approval_request',
  ].map((type): [string, string, FinishKind] => [
    `completed with a ${type}`,
    hi + end('completed', [message('hi'), item(type, { name: 'x' })]),
    'tool-calls',
  ]),
  ...[
    'web_search_call',
    'x_search_call',
    'code_interpreter_call',
    'mcp_call',
    'file_search_call',
    'image_generation_call',
  ].map((type): [string, string, FinishKind] => [
    `completed with a ${type}, which the vendor has run itself`,
    hi + itemDone(item(type, { status: 'completed' })) + end('completed', [item(type), message('hi')]),
    'stop',
  ]),
  [
    'a search of X by xAI, which it sends as a custom call',
    hi +
      itemDone(item('custom_tool_call', { call_id: 'xs_call_24148162', name: 'x_keyword_search' })) +
      end('completed', [message('hi')]),
    'stop',
  ],
  [
    'a shell call in a container of the vendor’s',
    hi + end('completed', [item('shell_call', { environment: { type: 'container_reference', container_id: 'c' } })]),
    'stop',
  ],
  ['a tool search of the vendor’s', hi + end('completed', [item('tool_search_call', { execution: 'server' })]), 'stop'],
  [
    'a tool call that the last event leaves out',
    hi + itemDone(item('function_call', { name: 'shell' })) + end('completed', []),
    'tool-calls',
  ],
  [
    'a required action',
    hi + end('completed', [message('hi')], { required_action: { type: 'submit_tool_outputs' } }),
    'tool-calls',
  ],
  [
    'incomplete: length',
    hi + end('incomplete', [message('hi')], { incomplete_details: { reason: 'max_output_tokens' } }),
    'length',
  ],
  [
    'incomplete: filtered',
    hi + end('incomplete', [], { incomplete_details: { reason: 'content_filter' } }),
    'content-filter',
  ],
  ['incomplete for another reason', hi + end('incomplete', []), 'incomplete'],
  ['failed', hi + end('failed', [], { error: { code: 'server_error', message: 'sorry' } }), 'error'],
  ['failed without saying why', hi + end('failed', []), 'error'],
  ['an error event', hi + event('error', { code: 'rate_limit', message: 'slow down', param: null }), 'error'],
  ['no ending', hi + itemDone(message('hi')), 'broken-off'],
  ['JSON: completed', JSON.stringify(response('completed', [message('hi')])), 'stop'],
  ['JSON: a call', JSON.stringify(response('completed', [item('function_call', { name: 'x' })])), 'tool-calls'],
  [
    'JSON: incomplete',
    JSON.stringify(response('incomplete', [], { incomplete_details: { reason: 'max_output_tokens' } })),
    'length',
  ],
  ['JSON: failed', JSON.stringify(response('failed', [], { error: { code: 'x', message: 'y' } })), 'error'],
  ['JSON: in the background', JSON.stringify(response('queued', [])), 'incomplete'],
  ['JSON: something else', '{"object":"response.compaction","output":[]}', 'incomplete'],
]

describe('how a Responses answer ends', () => {
  it.each(endings)('%s', (_, answer, finish) => {
    expect(watch(responsesCodec, answer).finish).toBe(finish)
  })
  it.each(endings)('%s: the same without event lines', (_, answer, finish) => {
    expect(watch(responsesCodec, answer.replace(/^event: .*\n/gm, '')).finish).toBe(finish)
  })
  it('is known at the terminal event, and kept when the client or provider closes right there', () => {
    const observer = observing(responsesCodec, 'text/event-stream', 200)
    observer.push(Buffer.from(hi))
    expect(observer.ended).toBe(false)
    observer.push(Buffer.from(end('completed', [message('hi')])))
    expect(observer.ended).toBe(true)
    expect(observer.finish(true)).toMatchObject({ finish: 'stop', complete: true })
  })
  it('says what a provider said of its failure', () => {
    expect(
      watch(responsesCodec, hi + end('failed', [], { error: { code: 'server_error', message: 'sorry' } })),
    ).toMatchObject({ complete: true, error: { code: 'server_error', message: 'sorry' } })
    expect(watch(responsesCodec, hi + event('error', { code: 'rate_limit', message: 'slow down' }))).toMatchObject({
      complete: false,
      error: { code: 'rate_limit', message: 'slow down' },
    })
    expect(
      watch(responsesCodec, hi + event('error', { error: { type: 'overloaded', message: 'busy' } })),
    ).toMatchObject({ error: { code: 'overloaded', message: 'busy' } })
  })
})

describe('what is read of a Responses answer', () => {
  const stream =
    hi +
    say(' 中😀', ' "q"\\') +
    itemDone(item('function_call', { name: 'shell', arguments: '{"type":"response.completed"}' })) +
    itemDone(item('web_search_call')) +
    added +
    say('second') +
    end('completed', [message('hi'), item('function_call', { name: 'shell' }), item('web_search_call')])
  const facts = {
    complete: true,
    finish: 'tool-calls',
    responseId: 'r1',
    model: 'gpt',
    toolNames: ['shell'],
    text: 'hi 中😀 "q"\\\n\nsecond',
    error: null,
    usage: { input: 100, cachedInput: 64, output: 20, reasoning: 7 },
  }

  it('is the same for a stream, however its bytes are cut', () => {
    fc.assert(
      fc.property(cuts, (places) => {
        expect(watch(responsesCodec, stream, { chunks: cut(Buffer.from(stream), places) })).toEqual(facts)
      }),
      runs(200),
    )
  })
  it('is the same for every way to end every fixture', () => {
    fc.assert(
      fc.property(fc.constantFrom(...endings), cuts, fc.boolean(), ([, answer], places, brokenOff) => {
        expect(watch(responsesCodec, answer, { brokenOff, chunks: cut(Buffer.from(answer), places) })).toEqual(
          watch(responsesCodec, answer, { brokenOff }),
        )
      }),
      runs(500),
    )
  })
  it('takes the text of the last event when none came before', () => {
    expect(watch(responsesCodec, created + end('completed', [message('one'), message('two')])).text).toBe('one\n\ntwo')
    expect(
      watch(responsesCodec, JSON.stringify(response('completed', [message('one'), item('reasoning'), message('two')])))
        .text,
    ).toBe('one\n\ntwo')
  })
  it('survives a last event that is too large to keep', () => {
    const patch = item('apply_patch_call', { result: 'A'.repeat(9 * 1024 * 1024) })
    expect(watch(responsesCodec, hi + end('completed', [patch, message('hi')]))).toMatchObject({
      complete: true,
      finish: 'stop',
      text: 'hi',
      usage: null,
    })
    expect(watch(responsesCodec, hi + itemDone(item('apply_patch_call')) + end('completed', [patch]))).toMatchObject({
      complete: true,
      finish: 'tool-calls',
    })
  })
})

describe('text that looks like protocol', () => {
  const tricky = [
    'response.completed',
    '{"type":"response.completed"}',
    '"type":"response.failed"',
    'event: response.completed\ndata: {}\n\n',
    '"delta":"x"',
    'a "delta"',
    '"type":"function_call"',
  ]
  it.each(tricky)('%s changes nothing', (text) => {
    expect(watch(responsesCodec, hi + say(text))).toMatchObject({
      finish: 'broken-off',
      complete: false,
      text: `hi${text}`,
    })
    expect(watch(responsesCodec, hi + say(text) + end('completed', [message(text)]))).toMatchObject({
      finish: 'stop',
      toolNames: [],
    })
  })
  it('is told apart when the type does not come first', () => {
    const late =
      'data: ' +
      JSON.stringify({
        delta: '{"type":"response.completed"}',
        item: { type: 'function_call' },
        type: 'response.output_text.delta',
      }) +
      '\n\n'
    expect(watch(responsesCodec, created + late)).toMatchObject({
      finish: 'broken-off',
      text: '{"type":"response.completed"}',
      toolNames: [],
    })
    expect(
      watch(
        responsesCodec,
        hi + `data: ${JSON.stringify({ response: response('completed', []), type: 'response.completed' })}\n\n`,
      ),
    ).toMatchObject({ finish: 'stop' })
  })
  it('is told by its type, not by the name of the event', () => {
    expect(
      watch(responsesCodec, hi + sseEvent({ type: 'response.output_text.delta', delta: '!' }, 'response.completed')),
    ).toMatchObject({ finish: 'broken-off', text: 'hi!' })
  })
})
