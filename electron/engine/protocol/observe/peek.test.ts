import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { Frame } from '../answer/frame.ts'
import { chatCodec } from '../chat/codec.ts'
import { watch } from '../testing/summaries.ts'
import { stringBehind, sameAround } from './peek.ts'

const event = (words: string, more: object = {}): Buffer =>
  Buffer.from(JSON.stringify({ id: 'x', delta: { content: words, ...more }, finish: null }))
/**
 * frames as the framer makes them, with data somewhere in a chunk; or with data that is no part of the stream's bytes
 */
const inChunk = (data: Buffer): Frame => {
  const source = Buffer.concat([Buffer.from(': ping\n\ndata: '), data, Buffer.from('\n\ndata: more')])
  return new Frame(source, 8, 8 + 6 + data.length + 2, 14, 14 + data.length)
}
const alone = (data: Buffer): Frame => Frame.of(Buffer.from('data'), data)
const contentOf = (data: Buffer) => stringBehind(data.toString('latin1'), 'content')
/** the place of the found token in the event's data */
const tokenOf = (around: ReturnType<typeof sameAround>, frame: Frame) => {
  const found = around.tokenIn(frame)
  return found && { start: found.start - frame.dataStart, end: found.end - frame.dataStart }
}

describe('events that differ in their words alone', () => {
  it('give the token that a search would find, and no other event does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.jsonValue(), (one, two, other) => {
        for (const frameOf of [inChunk, alone]) {
          const around = sameAround()
          expect(around.tokenIn(frameOf(event(one)))).toBeNull()
          const first = contentOf(event(one))
          if (first) around.learn(frameOf(event(one)), first)
          expect(tokenOf(around, frameOf(event(two)))).toEqual(contentOf(event(two)))
          expect(around.tokenIn(frameOf(event(two, { other })))).toBeNull()
          expect(around.tokenIn(frameOf(event(two).subarray(0, -1)))).toBeNull()
        }
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
