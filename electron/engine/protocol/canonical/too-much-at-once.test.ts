import { describe, expect, it } from 'vitest'
import { Frame } from '../answer/frame.ts'
import { conversionOf } from '../conversions.ts'
import { plainRequest } from '../testing/plain-request.ts'
import { convertToBody, convertToStream, type AnswerConversion } from './convert-answer.ts'

const conversion = (): AnswerConversion => ({
  from: conversionOf.gemini,
  to: conversionOf.messages,
  restore: (emit) => emit,
  context: { model: 'm', request: plainRequest, nowMs: 0, newId: (prefix) => `${prefix}1`, dropped: () => undefined },
})
const calls = (count: number): Buffer =>
  Buffer.from(
    JSON.stringify({
      candidates: [
        {
          content: {
            role: 'model',
            parts: Array.from({ length: count }, () => ({ functionCall: { name: 'look', args: {} } })),
          },
          finishReason: 'STOP',
        },
      ],
    }),
  )
const streamed = (...counts: readonly number[]): string => {
  const converter = convertToStream(conversion())
  const frames = counts.map((count) => {
    const bytes = calls(count)
    return converter.frame(new Frame(bytes, 0, bytes.length, 0, bytes.length))
  })
  return Buffer.concat([...frames, converter.end()]).toString()
}

describe('parts that come at once', () => {
  it('are converted as long as there are no more than any model says', () => {
    expect(streamed(1_500)).toContain('message_stop')
    expect(convertToBody(conversion()).whole(calls(1_500))).toMatchObject({ kind: 'body' })
  })

  it('end the answer in an error where there are more', () => {
    expect(streamed(10_000)).toMatch(/event: error\ndata: .*too many parts or calls at once.*\n\n$/)
    expect(convertToBody(conversion()).whole(calls(10_000))).toMatchObject({ code: 'answer-too-complex' })
  })

  it('are not read where an event holds more values than anybody reads', () => {
    expect(streamed(100_000)).toMatch(/event: error\ndata: .*too large.*\n\n$/)
  })
})
