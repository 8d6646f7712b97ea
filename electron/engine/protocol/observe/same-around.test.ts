import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { chatCodec } from '../chat/codec.ts'
import { watch } from '../testing/summaries.ts'
import { stringBehind } from './peek.ts'
import { sameAround } from './same-around.ts'

const event = (words: string, more: object = {}): string =>
  Buffer.from(JSON.stringify({ id: 'x', delta: { content: words, ...more }, finish: null })).toString('latin1')

describe('events that differ in their words alone', () => {
  it('give the token that a search would find, and no other event does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.jsonValue(), (one, two, other) => {
        const around = sameAround()
        expect(around.tokenIn(event(one))).toBeNull()
        const first = stringBehind(event(one), 'content')
        if (first) around.learn(event(one), first)
        expect(around.tokenIn(event(two))).toEqual(stringBehind(event(two), 'content'))
        expect(around.tokenIn(event(two, { other }))).toBeNull()
        expect(around.tokenIn(event(two).slice(0, -1))).toBeNull()
      }),
      runs(500),
    )
  })

  it('do not hide a member that comes in the place of words', () => {
    const chunk = (choice: string): string => `data: {"id":"c","choices":[{"index":0,${choice}}]}\n\n`
    const seen = watch(
      chatCodec,
      chunk('"delta":{"role":"assistant","content":"a"},"finish_reason":null') +
        chunk('"delta":{"content":"b"},"finish_reason":null') +
        chunk('"delta":{"content":"c"},"finish_reason":null') +
        chunk(
          '"delta":{"content":"d","tool_calls":[{"index":0,"id":"1","function":{"name":"f"}}]},"finish_reason":null',
        ) +
        chunk('"delta":{"content":"e"},"finish_reason":"tool_calls"') +
        'data: [DONE]\n\n',
    )
    expect(seen).toMatchObject({ text: 'abcde', toolNames: ['f'], finish: 'tool-calls', complete: true })
  })
})
