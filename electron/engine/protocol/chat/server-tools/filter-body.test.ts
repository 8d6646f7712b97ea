import { describe, expect, it } from 'vitest'
import { chat } from '../../../../../e2e/support/mock-upstream/chat.ts'
import type { ToolCallPlan } from '../../../../../e2e/support/mock-upstream/types.ts'
import { validateChatBody } from '../../testing/validate-chat.ts'
import { parseObject } from '../../values.ts'
import { filterChatBody } from './filter-body.ts'

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
        `{"choices":[{"message":{"tool_calls":[${call}] , "content" : "A" },"finish_reason" : "tool_calls" }],"n":1.0}`,
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
