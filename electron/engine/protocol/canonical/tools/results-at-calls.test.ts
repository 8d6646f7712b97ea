import { describe, expect, it } from 'vitest'
import type { Message, ToolCallPart, ToolResultPart } from '../request.ts'
import { resultsAtCalls } from './results-at-calls.ts'

const call = (id: string): ToolCallPart => ({
  type: 'tool-call',
  id,
  name: 'exec',
  arguments: '{}',
  custom: false,
  seal: null,
})
const result = (callId: string, text: string): ToolResultPart => ({
  type: 'tool-result',
  callId,
  name: 'exec',
  parts: [{ type: 'text', text }],
  isError: false,
  custom: false,
})
const text = (words: string) => ({ type: 'text' as const, text: words })
const user = (...parts: Extract<Message, { role: 'user' }>['parts']): Message => ({ role: 'user', parts })
const calls = (...ids: string[]): Message => ({ role: 'assistant', parts: ids.map(call) })
const note: Message = { role: 'system', parts: [text('Hurry.')] }
const none = (id: string): ToolResultPart => ({ ...result(id, 'No result of this call is known.'), isError: true })
const inWords = (words: string) => [text('Result of the tool exec made earlier:'), text(words)]

describe('results stand at their calls', () => {
  it.each<[string, Message[]]>([
    ['without tools', [user(text('Hi')), note, { role: 'assistant', parts: [text('Hello')] }]],
    ['in another order than the calls', [calls('a', 'b'), user(result('b', '2'), result('a', '1'), text('Go on.'))]],
    ['with ids that come again', [calls('0'), user(result('0', 'x')), calls('0'), user(result('0', 'y'))]],
    ['with open calls at its end', [user(text('Hi')), calls('a')]],
  ])('a conversation in order stays the very same: %s', (_, messages) => {
    expect(
      resultsAtCalls(messages, () => {
        throw new Error('nothing is loose')
      }),
    ).toBe(messages)
  })

  it.each<[string, Message[], Message[], number]>([
    [
      'a result behind something else',
      [calls('a'), note, user(text('Wait.')), user(result('a', '1'))],
      [calls('a'), user(result('a', '1')), note, user(text('Wait.'))],
      0,
    ],
    [
      'a second result',
      [calls('a'), user(result('a', '1'), result('a', '2'))],
      [calls('a'), user(result('a', '1'), ...inWords('2'))],
      1,
    ],
    [
      'a second result rounds later',
      [calls('a'), user(result('a', '1')), calls('b'), user(result('a', '2'), result('b', '3'))],
      [calls('a'), user(result('a', '1')), calls('b'), user(result('b', '3'), ...inWords('2'))],
      1,
    ],
    [
      'a result of no call',
      [user(result('z', '1')), calls('a'), user(result('a', '2'))],
      [user(...inWords('1')), calls('a'), user(result('a', '2'))],
      1,
    ],
    [
      'a call without a result',
      [calls('a', 'b'), user(result('b', '2')), calls('c')],
      [calls('a', 'b'), user(none('a'), result('b', '2')), calls('c')],
      0,
    ],
    ['a result before its call', [user(result('a', '1')), calls('a')], [user(...inWords('1')), calls('a')], 1],
    [
      'calls of one turn in messages of their own',
      [calls('a'), calls('b'), user(result('b', '2')), user(result('a', '1'), text('Go on.'))],
      [calls('a', 'b'), user(result('a', '1'), result('b', '2'), text('Go on.'))],
      0,
    ],
  ])('%s', (_, messages, expected, looseOnes) => {
    let loose = 0
    const settled = resultsAtCalls(messages, () => {
      loose++
    })
    expect(settled).toEqual(expected)
    expect(loose).toBe(looseOnes)
    expect(
      resultsAtCalls(settled, () => {
        loose++
      }),
    ).toBe(settled)
  })
})
