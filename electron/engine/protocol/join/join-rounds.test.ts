import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chat } from '../../../../e2e/support/mock-upstream/chat.ts'
import { gemini } from '../../../../e2e/support/mock-upstream/gemini.ts'
import { messages } from '../../../../e2e/support/mock-upstream/messages.ts'
import { responses } from '../../../../e2e/support/mock-upstream/responses.ts'
import { say } from '../../../../e2e/support/mock-upstream/replies.ts'
import type { AnswerPlan } from '../../../../e2e/support/mock-upstream/types.ts'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { joinJson } from './join-rounds.ts'
import { eventsOf, joinedRounds, objectsOf } from './testing/rounds.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const wires = { chat, messages, responses, gemini }
const protocols: EntryProtocol[] = ['chat', 'responses', 'messages', 'gemini']
const context = (n: number) => ({
  n,
  model: 'm-1',
  request: { stream_options: { include_usage: true } },
  nowMs: 1_800_000_000_000 + n * 1000,
})
const stream = (protocol: EntryProtocol, plans: readonly AnswerPlan[]): string[] =>
  plans.map((plan, i) => wires[protocol].events(plan, context(i + 1)).join(''))
const bodies = (protocol: EntryProtocol, plans: readonly AnswerPlan[]): Buffer[] =>
  plans.map((plan, i) => Buffer.from(JSON.stringify(wires[protocol].json(plan, context(i + 1)))))

const usage = (input: number, output: number) => ({ usage: { input, output, cachedInput: 0, reasoning: 1 } })
const three = [
  say('First, 世界.', usage(100, 5)),
  say('Second 👋.', { thinking: 'Hm.', ...usage(120, 7) }),
  say('Third.', usage(140, 11)),
]

describe('a single round', () => {
  it.each(protocols)('comes out byte for byte: %s', (protocol) => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { maxLength: 9 }),
        fc.constantFrom('', ': hm\n\n', 'data: half', 'data: x\r\n\r\n', '\n\n'),
        fc.nat(3),
        (at, odd, before) => {
          const events = wires[protocol].events(three[1] ?? say(''), context(1))
          const text = [
            ...events.slice(0, before),
            ...(odd === 'data: half' ? [] : [odd]),
            ...events.slice(before),
            odd,
          ].join('')
          expect(joinedRounds(protocol, [text], { at }).whole).toBe(text)
        },
      ),
      runs(200),
    )
  })
  it.each(protocols)('keeps only its terminal part back: %s', (protocol) => {
    // Google's last text comes with its finish: a second piece sends the first early.
    const [round = ''] = stream(
      protocol,
      protocol === 'gemini' ? [say('Hm. First, 世界. And more.', { piece: 14 })] : three,
    )
    const { early, whole } = joinedRounds(protocol, [round])
    expect(early).toContain('rst, 世界.')
    expect(whole.slice(early.length)).toMatch(
      /^(event: message_delta|event: response.completed|data: \{.*"finish_reason":"stop"|data: \{.*"finishReason":"STOP")/,
    )
  })
  it.each(protocols)('of JSON comes out byte for byte: %s', (protocol) => {
    expect(joinedRounds(protocol, [' { "a" : 1e3 }\n'], { stream: false, at: [3, 7] })).toEqual({
      early: '',
      whole: ' { "a" : 1e3 }\n',
    })
  })
})

describe('several rounds', () => {
  it.each(protocols)('come out the same under any chunk boundary: %s', (protocol) => {
    const rounds = stream(protocol, three)
    const { whole } = joinedRounds(protocol, rounds)
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 12 }), fc.boolean(), (at, broke) => {
        expect(joinedRounds(protocol, rounds, { at, broke }).whole).toBe(
          broke ? joinedRounds(protocol, rounds, { broke }).whole : whole,
        )
      }),
      runs(200),
    )
  })

  it('make one Gemini stream', () => {
    const chunks = objectsOf(joinedRounds('gemini', stream('gemini', three)).whole)
    expect(chunks.map((c) => c['responseId'])).toEqual(chunks.map(() => 'resp_mock1'))
    const candidates = chunks.map(
      (c) =>
        (c['candidates'] as { content: { parts: { text: string; thought?: boolean }[] }; finishReason?: string }[])[0],
    )
    expect(candidates.map((c) => c?.finishReason)).toEqual([...candidates.slice(1).map(() => undefined), 'STOP'])
    expect(
      candidates
        .flatMap((c) => c?.content.parts ?? [])
        .filter((p) => !p.thought)
        .map((p) => p.text)
        .join(''),
    ).toBe('First, 世界.\n\nSecond 👋.\n\nThird.')
    expect(chunks.at(-1)).toMatchObject({
      usageMetadata: { promptTokenCount: 140, candidatesTokenCount: 20, thoughtsTokenCount: 3, totalTokenCount: 163 },
    })
  })

  it('make one Messages stream', () => {
    const events = objectsOf(joinedRounds('messages', stream('messages', three)).whole)
    const types = events.map((e) => e['type'])
    expect(types.filter((t) => t === 'message_start' || t === 'message_delta' || t === 'message_stop')).toEqual([
      'message_start',
      'message_delta',
      'message_stop',
    ])
    expect(types.at(-1)).toBe('message_stop')
    expect(events.filter((e) => e['type'] === 'content_block_start').map((e) => e['index'])).toEqual([0, 1, 2, 3])
    let open = -1
    for (const e of events) {
      if (e['type'] === 'content_block_start') open = Number(e['index'])
      if (String(e['type']).startsWith('content_block_')) expect(e['index']).toBe(open)
    }
    expect(events.find((e) => e['type'] === 'message_delta')).toMatchObject({
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 140, output_tokens: 23 },
    })
  })

  it('make one Responses stream', () => {
    const events = objectsOf(joinedRounds('responses', stream('responses', three)).whole)
    expect(events.map((e) => e['sequence_number'])).toEqual(events.map((_, i) => i))
    expect(events.filter((e) => e['type'] === 'response.created' || e['type'] === 'response.completed').length).toBe(2)
    expect(events.filter((e) => e['type'] === 'response.output_item.added').map((e) => e['output_index'])).toEqual([
      0, 1, 2, 3,
    ])
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: {
        id: 'resp_mock1',
        output: [
          { id: 'msg_mock1' },
          { type: 'reasoning' },
          { id: 'msg_mock2', content: [{ text: 'Second 👋.' }] },
          { id: 'msg_mock3' },
        ],
        usage: {
          input_tokens: 140,
          output_tokens: 23,
          total_tokens: 163,
          output_tokens_details: { reasoning_tokens: 3 },
        },
      },
    })
  })

  it('make one Chat stream', () => {
    const events = eventsOf(joinedRounds('chat', stream('chat', three)).whole)
    expect(events.filter((e) => e === '[DONE]').length).toBe(1)
    expect(events.at(-1)).toBe('[DONE]')
    const chunks = objectsOf(joinedRounds('chat', stream('chat', three)).whole)
    expect(new Set(chunks.map((c) => c['id'])).size).toBe(1)
    const text = JSON.stringify(chunks)
    expect(text.match(/"role"/g)?.length).toBe(1)
    expect(text.match(/"finish_reason":"stop"/g)?.length).toBe(1)
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 140, completion_tokens: 23, total_tokens: 163 },
    })
    expect(contentOf(chunks)).toBe('First, 世界.\n\nSecond 👋.\n\nThird.')
  })

  it('of JSON become the last body with the words of all', () => {
    const join = (protocol: EntryProtocol): unknown =>
      JSON.parse(joinJson(protocol, bodies(protocol, three)).toString())
    expect(join('chat')).toMatchObject({
      id: 'chatcmpl-mock1',
      choices: [
        { finish_reason: 'stop', message: { role: 'assistant', content: 'First, 世界.\n\nSecond 👋.\n\nThird.' } },
      ],
      usage: {
        prompt_tokens: 140,
        completion_tokens: 23,
        total_tokens: 163,
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    })
    expect(join('messages')).toMatchObject({
      id: 'msg_mock1',
      content: [
        { text: 'First, 世界.' },
        { type: 'thinking', signature: 'sig_mock2' },
        { text: 'Second 👋.' },
        { text: 'Third.' },
      ],
      usage: { input_tokens: 140, output_tokens: 23 },
    })
    expect(join('gemini')).toMatchObject({
      responseId: 'resp_mock1',
      candidates: [
        {
          finishReason: 'STOP',
          content: {
            role: 'model',
            parts: [
              { text: 'First, 世界.' },
              { text: 'Hm.', thought: true },
              { text: '\n\nSecond 👋.' },
              { text: '', thoughtSignature: expect.any(String) },
              { text: '\n\nThird.' },
            ],
          },
        },
      ],
      usageMetadata: { promptTokenCount: 140, candidatesTokenCount: 20, thoughtsTokenCount: 3, totalTokenCount: 163 },
    })
    expect(join('responses')).toMatchObject({
      id: 'resp_mock1',
      output: [{ id: 'msg_mock1' }, { type: 'reasoning' }, { id: 'msg_mock2' }, { id: 'msg_mock3' }],
      usage: { input_tokens: 140, output_tokens: 23 },
    })
  })

  it('keeps what it does not know of the last body, byte for byte', () => {
    const odd = Buffer.from(
      '{ "id":"b", "x" : 1.50, "content":[ {"type":"text","text":"B","y":1e2} ] , "usage":{"output_tokens":2,"z":-0} }',
    )
    const first = Buffer.from('{"id":"a","content":[{"type":"text","text":"A","q":1.0}],"usage":{"output_tokens":1}}')
    expect(joinJson('messages', [first, odd]).toString()).toBe(
      '{ "id":"a", "x" : 1.50, "content":[{"type":"text","text":"A","q":1.0},' +
        '{"type":"text","text":"B","y":1e2}] , "usage":{"output_tokens":3,"z":0} }',
    )
  })
})

describe('a later round', () => {
  it.each(protocols)('shows its text before it is whole: %s', (protocol) => {
    const { early } = joinedRounds(protocol, stream(protocol, three.slice(0, 2)))
    expect(early).toContain('Second 👋.')
  })

  it.each(protocols)('keeps a tool call back until it is whole: %s', (protocol) => {
    const rounds = stream(protocol, [
      say('A'),
      { kind: 'answer', text: 'B', toolCalls: [{ name: 'look', input: { at: 1 } }] },
    ])
    const { early, whole } = joinedRounds(protocol, rounds)
    expect(early).toContain('B"')
    expect(early).not.toContain('look')
    expect(whole).toContain('look')
    expect(whole).toMatch(/"tool_use"|"tool_calls"|"function_call"|"functionCall"/)
  })

  it('keeps a text behind a tool call back with it', () => {
    const [first = '', second = ''] = stream('messages', [
      say('A'),
      { kind: 'answer', text: 'B', toolCalls: [{ name: 'look', input: {} }] },
    ])
    const more = wires.messages.events(say('C'), context(3)).slice(2, -2).join('').replaceAll('"index":0', '"index":2')
    const end = second.indexOf('event: message_delta')
    const { early, whole } = joinedRounds('messages', [first, second.slice(0, end) + more + second.slice(end)])
    expect(early).toContain('"B"')
    expect(early).not.toContain('"C"')
    expect(whole.indexOf('"C"')).toBeGreaterThan(whole.indexOf('look'))
  })

  it.each(['messages', 'responses'] as const)('that has only thought shows nothing: %s', (protocol) => {
    const [first = '', second = ''] = stream(protocol, [say('A'), { kind: 'answer', thinking: 'Deep.', text: 'B' }])
    const thought = second.slice(0, second.lastIndexOf('\n\n', second.indexOf('"B"')) + 2)
    expect(thought).toContain('Deep.')
    const { early, whole } = joinedRounds(protocol, [first, thought], { broke: true })
    expect(early).not.toContain('Deep.')
    expect(whole).not.toContain('Deep.')
    expect(joinedRounds(protocol, [first, second]).early).toContain('Deep.')
  })

  describe('that breaks off', () => {
    const broken = (protocol: EntryProtocol, more: AnswerPlan, cutBehind: string): string => {
      const [first = '', second = ''] = stream(protocol, [say('First.', usage(100, 5)), more])
      const from = second.indexOf(cutBehind)
      const cut = second.slice(0, from) + second.slice(from).replace(/(\r?\n\r?\n)[^]*$/, '$1')
      return joinedRounds(protocol, [first, cut], { broke: true }).whole
    }

    it('leaves a whole Messages answer with what was said', () => {
      const events = objectsOf(broken('messages', say('Second answer', { piece: 7 }), '"Second '))
      expect(events.slice(-4)).toMatchObject([
        { delta: { text: 'Second ' } },
        { type: 'content_block_stop', index: 1 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 100, output_tokens: 5 } },
        { type: 'message_stop' },
      ])
    })
    it('leaves a whole Responses answer with what was said', () => {
      const events = objectsOf(broken('responses', say('Second answer', { piece: 7 }), '"Second '))
      expect(events.map((e) => e['sequence_number'])).toEqual(events.map((_, i) => i))
      expect(events.slice(-5)).toMatchObject([
        { type: 'response.output_text.delta', output_index: 1, delta: 'Second ' },
        { type: 'response.output_text.done', output_index: 1, item_id: 'msg_mock2', text: 'Second ' },
        { type: 'response.content_part.done', part: { text: 'Second ' } },
        { type: 'response.output_item.done', output_index: 1, item: { id: 'msg_mock2', status: 'incomplete' } },
        {
          type: 'response.completed',
          response: {
            id: 'resp_mock1',
            status: 'completed',
            output: [{ id: 'msg_mock1' }, { id: 'msg_mock2', content: [{ text: 'Second ' }] }],
            usage: { input_tokens: 100, output_tokens: 5 },
          },
        },
      ])
    })
    it('leaves a whole Chat answer with what was said', () => {
      const whole = broken('chat', say('Second answer', { piece: 7 }), '"Second ')
      const chunks = objectsOf(whole)
      expect(contentOf(chunks)).toBe('First.\n\nSecond ')
      expect(chunks.at(-1)).toMatchObject({ usage: { prompt_tokens: 100, completion_tokens: 5 } })
      expect(eventsOf(whole).at(-1)).toBe('[DONE]')
    })
    it.each(protocols)('takes a tool call with it: %s', (protocol) => {
      const whole = broken(
        protocol,
        { kind: 'answer', text: 'B', toolCalls: [{ name: 'look', input: { at: 'there' } }] },
        'look',
      )
      expect(whole).not.toContain('look')
      expect(whole).toContain('B"')
    })
    it.each(protocols)('never shows its error: %s', (protocol) => {
      const [first = ''] = stream(protocol, [say('First.')])
      const error = `event: error\ndata: {"type":"error","error":{"message":"boom"}}\n\n`
      const { whole } = joinedRounds(protocol, [first, `: keep\n\ndata: {"half\n\n${error}`], { broke: true })
      expect(whole).not.toMatch(/boom|half/)
      expect(whole).toContain(': keep\n\n')
    })
  })
})

describe('odd providers', () => {
  it('Chat: an answer in one chunk with its finish keeps its text when another round follows', () => {
    const chunk = (content: string) =>
      `data: {"id":"c${content}","choices":[{"index":0,"delta":{"role":"assistant","content":"${content}"},` +
      '"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}\n\n'
    const chunks = objectsOf(joinedRounds('chat', [chunk('A'), chunk('B')]).whole)
    expect(contentOf(chunks)).toBe('A\n\nB')
    expect(chunks.map((c) => c['id'])).toEqual(['cA', 'cA', 'cA'])
    expect(JSON.stringify(chunks).match(/"role"/g)?.length).toBe(1)
    expect(chunks.at(-1)).toMatchObject({
      choices: [{ delta: {}, finish_reason: 'stop' }],
      usage: { completion_tokens: 4 },
    })
  })

  it('Responses: ids that every response numbers anew are kept apart', () => {
    const again = stream('responses', [say('A')])[0] ?? ''
    const events = objectsOf(joinedRounds('responses', [again, again, again]).whole)
    expect(events.filter((e) => e['type'] === 'response.output_item.added')).toMatchObject([
      { item: { id: 'msg_mock1' } },
      { item: { id: 'msg_mock1_2' } },
      { item: { id: 'msg_mock1_3' } },
    ])
    expect(events.filter((e) => e['type'] === 'response.output_text.delta').map((e) => e['item_id'])).toEqual([
      'msg_mock1',
      'msg_mock1_2',
      'msg_mock1_3',
    ])
    expect(events.at(-1)).toMatchObject({
      response: { output: [{ id: 'msg_mock1' }, { id: 'msg_mock1_2' }, { id: 'msg_mock1_3' }] },
    })
  })

  it('Responses: an empty list of output at the end is filled with the items that came', () => {
    const rounds = stream('responses', [say('A'), say('B')]).map((round) =>
      round.replace(/("status":"completed","background".*"output":)\[.*\](,"parallel)/, '$1[]$2'),
    )
    expect(objectsOf(rounds[0] ?? '').at(-1)).toMatchObject({ response: { output: [] } })
    expect(objectsOf(joinedRounds('responses', rounds).whole).at(-1)).toMatchObject({
      response: { output: [{ id: 'msg_mock1' }, { id: 'msg_mock2' }] },
    })
  })

  it('Messages: input counts that only message_start has are told at the end', () => {
    const rounds = stream('messages', three).map((round) =>
      round.replace(
        /(event: message_delta\ndata: .*"usage":\{)"input_tokens":\d+,"cache_creation_input_tokens":\d+,"cache_read_input_tokens":\d+,/,
        '$1',
      ),
    )
    const end = objectsOf(joinedRounds('messages', rounds).whole).find((e) => e['type'] === 'message_delta')
    expect(end).toMatchObject({ usage: { input_tokens: 140, output_tokens: 23 } })
  })

  it('an unfinished last event counts as an event', () => {
    const [first = '', second = ''] = stream('chat', [say('A'), say('B')])
    expect(eventsOf(joinedRounds('chat', [first.trimEnd(), second.trimEnd()]).whole + '\n\n').at(-1)).toBe('[DONE]')
  })
})

function contentOf(chunks: readonly Record<string, unknown>[]): string {
  return chunks
    .flatMap((c) => c['choices'] as { delta: { content?: string } }[])
    .map((choice) => choice.delta.content ?? '')
    .join('')
}
