import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chat } from '../../../../../e2e/support/mock-upstream/chat.ts'
import type { ToolCallPlan } from '../../../../../e2e/support/mock-upstream/types.ts'
import { runs } from '../../../../../shared/testing/runs.ts'
import { filtering } from '../../join/testing/rounds.ts'
import { validateChatStream, validateChatBody } from '../../testing/validate-chat.ts'
import { asList, asObject, type JsonObject, parseObject } from '../../values.ts'
import { chunk, folded, heard, sse } from '../convert/testing/exchange.ts'
import { chatFilter, filterChatBody } from './filter.ts'

const names = new Set(['clock', 'web_fetch'])
const context = { n: 1, model: 'm', request: { stream: true, reasoning_effort: 'high' }, nowMs: 0 }
const eventsOf = (toolCalls: readonly ToolCallPlan[], text?: string): string[] =>
  chat.events(
    { kind: 'answer', thinking: 'Hm.', toolCalls, piece: 5, ...(text === undefined ? {} : { text }) },
    context,
  )
const own = (name: string): ToolCallPlan => ({ name, id: `call_${name}`, input: { path: `${name} “clock” é` } })
const clock: ToolCallPlan = { name: 'clock', id: 'call_clock', input: { action: 'get' } }
const fetch: ToolCallPlan = { name: 'web_fetch', id: 'call_fetch', input: { url: 'http://a.test' } }

/** The stream after the filter; `together`: whether each event comes in one chunk with the one before. */
function through(events: readonly string[], together: readonly boolean[] = []): { out: string; began: boolean } {
  const filter = filtering(chatFilter(names))
  const chunks: string[] = []
  for (const [i, event] of events.entries()) chunks.push((together[i] ? (chunks.pop() ?? '') : '') + event)
  return { out: chunks.map((one) => filter.push(Buffer.from(one)).toString()).join(''), began: filter.began }
}
const read = (out: string) => folded(heard(out).events)
const delta = (value: JsonObject, finish: string | null = null): string => sse(chunk(value, finish))
const call = (value: JsonObject, finish: string | null = null): string => delta({ tool_calls: [value] }, finish)
const indices = (out: string): unknown[] =>
  out.split('\n\n').flatMap((event) => {
    const value = event.startsWith('data: {') ? asObject(JSON.parse(event.slice(6))) : null
    return asList(value?.['choices']).flatMap((choice) =>
      asList(asObject(asObject(choice)?.['delta'])?.['tool_calls']).map((entry) => asObject(entry)?.['index']),
    )
  })

describe('hidden calls of a Chat stream', () => {
  it.each<[string, ToolCallPlan[]]>([
    ['first', [clock, own('read')]],
    ['in the middle', [own('read'), clock, own('write')]],
    ['last', [own('read'), own('write'), clock]],
    ['several', [fetch, own('read'), clock, own('write'), fetch]],
    ['alone', [clock]],
    ['only they', [clock, fetch]],
  ])('are gone, wherever they stand: %s', (_where, calls) => {
    const left = calls.filter(({ name }) => !names.has(name))
    const { out, began } = through(eventsOf(calls, 'Let me look.'))
    expect(began).toBe(true)
    expect(out).not.toMatch(/"name":"(clock|web_fetch)"|call_clock|call_fetch/)
    expect(validateChatStream(out)).toEqual([])
    expect(read(out)).toEqual(read(eventsOf(left, 'Let me look.').join('')))
    expect(out).toContain(left.length > 0 ? '"finish_reason":"tool_calls"' : '"finish_reason":"stop"')
    expect([...new Set(indices(out))]).toEqual(left.map((_, i) => i))
  })

  it.each(['tool_use', 'TOOL_CALLS', 'function_call'])('leave a stop where their vendor says %s', (reason) => {
    const events = [
      call({ index: 0, id: 'c', type: 'function', function: { name: 'clock', arguments: '{}' } }),
      delta({}, reason),
    ]
    expect(through(events).out).toContain('"finish_reason":"stop"')
  })

  it('come out the same however the events are put into chunks, and what is before them as it came', () => {
    const calls = fc.array(fc.constantFrom(clock, fetch, own('read'), own('write'), own('list')), { maxLength: 5 })
    fc.assert(
      fc.property(
        calls,
        fc.option(fc.constantFrom('Look at "clock".', 'clock'), { nil: undefined }),
        fc.array(fc.boolean(), { maxLength: 60 }),
        (plans, text, together) => {
          const events = eventsOf(plans, text)
          const alone = through(events)
          expect(through(events, together).out).toBe(alone.out)
          const first = events.findIndex((event) => /"name":"(clock|web_fetch)"/.test(event))
          if (first < 0) expect(alone.out).toBe(events.join(''))
          else expect(alone.out.startsWith(events.slice(0, first).join(''))).toBe(true)
          expect(alone.began).toBe(first >= 0)
        },
      ),
      runs(300),
    )
  })

  it('leave the very same buffer where there are none', () => {
    const filter = filtering(chatFilter(names))
    const other = [
      delta({ role: 'assistant', content: '' }),
      ...['clock', 'He said "clock" and "web_fetch".', '{"name":"clock"}'].map((content) => delta({ content })),
      sse({ ...chunk({ content: 'x' }), tools: [{ type: 'function', function: { name: 'clock' } }] }),
      call({ index: 0, id: 'clock', type: 'function', function: { name: 'read', arguments: '' } }),
      call({ index: 0, function: { arguments: 'clock' } }),
      call({ index: 0, function: { arguments: '{"tool_calls":[{"function":{"name":"clock"}}]}' } }),
      delta({}, 'tool_calls'),
      ': "clock"\n\n',
      'data: [DONE]\n\n',
    ].map((event) => Buffer.from(event))
    for (const event of other) expect(filter.push(event)).toBe(event)
    expect(filter.began).toBe(false)
  })

  it('leave other events byte for byte, with any line ends and comments', () => {
    const kept = [
      'data: {"choices":[ {"delta":{"content":"B\\u0041"}, "n":1.50} ]}\r\n\r\n',
      ': hm\n\n',
      'event: x\ndata: {"half\n\n',
      'data: [DONE]\r\n\r\n',
    ]
    const hidden =
      'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,' +
      '"id":"c","function":{"name":"clock","arguments":"{}"}}]}}]}\r\n\r\n'
    expect(through([hidden, ...kept]).out).toBe(kept.join(''))
    expect(through([hidden, ...kept], [false, true, true, true, true]).out).toBe(kept.join(''))
  })

  it.each<[string, string[], string[]]>([
    [
      'whole calls and the finish in one chunk',
      [
        delta(
          {
            role: 'assistant',
            content: 'A',
            tool_calls: [{ index: 0, id: 'c', function: { name: 'clock', arguments: '{}' } }],
          },
          'tool_calls',
        ),
      ],
      [delta({ role: 'assistant', content: 'A' }, 'stop')],
    ],
    [
      'one of two calls in one chunk',
      [
        delta(
          {
            tool_calls: [
              { index: 0, id: 'c', function: { name: 'clock', arguments: '{}' } },
              { index: 1, id: 'r', function: { name: 'read', arguments: '{}' } },
            ],
          },
          'tool_calls',
        ),
      ],
      [delta({ tool_calls: [{ index: 0, id: 'r', function: { name: 'read', arguments: '{}' } }] }, 'tool_calls')],
    ],
    [
      'calls in turns',
      [
        call({ index: 0, id: 'c', function: { name: 'clock', arguments: '' } }),
        call({ index: 1, id: 'r', function: { name: 'read', arguments: '' } }),
        call({ index: 0, function: { arguments: '{}' } }),
        call({ index: 1, function: { arguments: '{}' } }),
      ],
      [
        call({ index: 0, id: 'r', function: { name: 'read', arguments: '' } }),
        call({ index: 0, function: { arguments: '{}' } }),
      ],
    ],
    [
      'a call that began before',
      [
        call({ index: 0, id: 'r', function: { name: 'read', arguments: '' } }),
        call({ index: 1, id: 'c', function: { name: 'clock', arguments: '' } }),
        call({ index: 0, function: { arguments: '{}' } }),
        call({ index: 1, function: { name: null, arguments: '{}' } }),
        delta({}, 'tool_calls'),
      ],
      [
        call({ index: 0, id: 'r', function: { name: 'read', arguments: '' } }),
        call({ index: 0, function: { arguments: '{}' } }),
        delta({}, 'tool_calls'),
      ],
    ],
    [
      'a name that is repeated, or empty',
      [
        call({ index: 0, id: 'c', function: { name: 'clock', arguments: '{' } }),
        call({ index: 0, id: 'c', function: { name: 'clock', arguments: '}' } }),
        call({ index: 0, id: '', function: { name: '', arguments: ' ' } }),
        delta({}, 'tool_calls'),
      ],
      [delta({}, 'stop')],
    ],
    [
      'no index',
      [
        call({ id: 'r', function: { name: 'read', arguments: '{}' } }),
        call({ id: 'c', function: { name: 'clock', arguments: '{' } }),
        call({ function: { arguments: '}' } }),
        call({ id: 'w', function: { name: 'write', arguments: '{}' } }),
      ],
      [
        call({ id: 'r', function: { name: 'read', arguments: '{}' } }),
        call({ id: 'w', function: { name: 'write', arguments: '{}' } }),
      ],
    ],
    [
      'the same index for every call',
      [
        call({ index: 0, id: 'r', function: { name: 'read', arguments: '{}' } }),
        call({ index: 0, id: 'c', function: { name: 'clock', arguments: '{}' } }),
        call({ index: 0, id: 'w', function: { name: 'write', arguments: '{}' } }),
      ],
      [
        call({ index: 0, id: 'r', function: { name: 'read', arguments: '{}' } }),
        call({ index: 0, id: 'w', function: { name: 'write', arguments: '{}' } }),
      ],
    ],
    [
      'a cut for length',
      [call({ index: 0, id: 'c', function: { name: 'clock', arguments: '{' } }), delta({}, 'length')],
      [delta({}, 'length')],
    ],
    [
      'a stop beside calls',
      [call({ index: 0, id: 'c', function: { name: 'clock', arguments: '{}' } }), delta({ content: 'x' }, 'stop')],
      [delta({ content: 'x' }, 'stop')],
    ],
    [
      'a custom tool',
      [call({ index: 0, id: 'c', type: 'custom', custom: { name: 'clock', input: '' } }), delta({}, 'tool_calls')],
      [delta({}, 'stop')],
    ],
    [
      'usage in the same chunk',
      [sse({ ...chunk({ tool_calls: [{ index: 0, function: { name: 'clock' } }] }), usage: { prompt_tokens: 1 } })],
      [sse({ ...chunk({}), usage: { prompt_tokens: 1 } })],
    ],
    [
      'an answer without its last blank line',
      [call({ index: 0, id: 'c', function: { name: 'clock', arguments: '{}' } }), delta({}, 'tool_calls').trimEnd()],
      [delta({}, 'stop')],
    ],
  ])('are gone from odd servers’ streams: %s', (_what, events, left) => {
    expect(through(events).out).toBe(left.join(''))
    expect(
      through(
        events,
        events.map(() => true),
      ).out,
    ).toBe(left.join(''))
  })
})

describe('filter body', () => {
  const names = new Set(['clock', 'web_fetch'])
  const clock: ToolCallPlan = { name: 'clock', id: 'c', input: {} }
  const fetch: ToolCallPlan = { name: 'web_fetch', id: 'f', input: {} }
  const own = (name: string): ToolCallPlan => ({ name, id: name, input: { say: '"clock"' } })
  const bodyOf = (toolCalls: readonly ToolCallPlan[]): Buffer =>
    Buffer.from(
      JSON.stringify(chat.json({ kind: 'answer', text: 'A', toolCalls }, { n: 1, model: 'm', request: {}, nowMs: 0 })),
    )
  const without = (json: string): string => filterChatBody(Buffer.from(json), names).toString()

  describe('hidden calls of a whole Chat answer', () => {
    it.each<[string, ToolCallPlan[]]>([
      ['first', [clock, own('read')]],
      ['in the middle', [own('read'), clock, own('write')]],
      ['last', [own('read'), clock]],
      ['several', [fetch, clock, own('read'), clock, fetch]],
      ['alone', [clock]],
      ['only they', [fetch, clock]],
    ])('are gone, wherever they stand: %s', (_where, calls) => {
      const out = filterChatBody(bodyOf(calls), names)
      expect(validateChatBody(parseObject(out) ?? {})).toEqual([])
      expect(out.toString()).toBe(bodyOf(calls.filter(({ name }) => !names.has(name))).toString())
    })

    it.each([
      '{"choices":[{"message":{"content":"\\"clock\\" clock","tool_calls":[{"id":"clock",' +
        '"function":{"name":"read","arguments":"{\\"name\\":\\"clock\\"}"}}]}}],' +
        '"tools":[{"function":{"name":"clock"}}]}',
      '{"choices":[{"message":{"content":"clock","tool_calls":null}}]}',
      '{"error":"clock"}',
      '["clock"]',
      '{"choices":[{"message":{"tool_calls":[{"function":{"name":"clock"',
      '{"choices":{"name":"clock"}}',
    ])('leave the very same buffer where there are none: %s', (json) => {
      const body = Buffer.from(json)
      expect(filterChatBody(body, names)).toBe(body)
    })

    it('leave every other byte', () => {
      const call = '{"id":"c","function":{"name":"clock","arguments":"{}"}}'
      const other = '{ "id":"r", "function" : {"name":"r\\u0065ad","arguments":"{}"},"n":1.0 }'
      expect(
        without(
          ' {"a":1e3,"choices" : [ { "message":{"content":null , "tool_calls" ' +
            `: [ ${call} , ${other}\n] } ,"finish_reason" : "tool_calls"} ]}\n`,
        ),
      ).toBe(
        ' {"a":1e3,"choices" : [ { "message":{"content":null , "tool_calls" : ' +
          `[ ${other}\n] } ,"finish_reason" : "tool_calls"} ]}\n`,
      )
      expect(
        without(
          `{"choices":[{"message":{"tool_calls":[${call}] , "content" : "A" },"finish_reason" : "tool_calls" }],` +
            '"n":1.0}',
        ),
      ).toBe('{"choices":[{"message":{"content" : "A" },"finish_reason" : "stop" }],"n":1.0}')
      expect(
        without(`{"choices":[{"message":{"content" : "A" , "tool_calls" : [${call}]\n},"finish_reason":"length"}]}`),
      ).toBe('{"choices":[{"message":{"content" : "A" \n},"finish_reason":"length"}]}')
      expect(without(`{"choices":[{"message":{"tool_calls":[${call}]},"finish_reason":"stop"}]}`)).toBe(
        '{"choices":[{"message":{},"finish_reason":"stop"}]}',
      )
    })
  })
})
