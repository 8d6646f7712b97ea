import { describe, expect, it } from 'vitest'
import { chatConversion } from '../chat/convert/index.ts'
import { geminiConversion } from '../gemini/convert/index.ts'
import { convertToStream } from './convert-answer.ts'
import { asJsonList } from './json-list.ts'
import { pushed } from './testing/convert-bytes.ts'

const chunk = (delta: object, finish: string | null = null): Buffer =>
  Buffer.from(
    'data: ' +
      JSON.stringify({
        id: 'c',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'up',
        choices: [{ index: 0, delta, finish_reason: finish }],
      }) +
      '\n\n',
  )
const open = () =>
  pushed(
    asJsonList(
      convertToStream({
        from: chatConversion,
        to: geminiConversion,
        restore: (emit) => emit,
        context: {
          model: 'm',
          request: geminiConversion.readRequest({ contents: [] }, { path: '/v1beta/models/m:streamGenerateContent' }),
          nowMs: 1,
          newId: (p) => `${p}1`,
          dropped: () => undefined,
        },
      }),
    ),
  )

describe('a converted answer for a Gemini client that did not ask for events', () => {
  it('is one JSON array whose elements come one by one', () => {
    const list = open()
    const pieces = [
      list.push(chunk({ content: 'Hel' })),
      list.push(chunk({ content: 'lo' })),
      list.push(chunk({}, 'stop')),
      list.end(),
    ].map(String)
    expect(pieces[0]).toMatch(/^\[\{.*"text":"Hel".*\}$/)
    const whole = JSON.parse(pieces.join('')) as { candidates: { finishReason?: string }[] }[]
    expect(JSON.stringify(whole)).toContain('"text":"lo"')
    expect(whole.at(-1)?.candidates[0]?.finishReason).toBe('STOP')
  })

  it('ends as an array, too, when the provider breaks off', () => {
    const list = open()
    const text = [
      list.push(chunk({ content: 'Half' })),
      list.fail({ code: 'upstream-broke-off', message: 'Gone.' }),
      list.end(),
    ]
      .map(String)
      .join('')
    expect(JSON.stringify((JSON.parse(text) as unknown[]).at(-1))).toContain('Gone.')
    expect(JSON.parse(String(open().fail({ code: 'x', message: 'Never began.' })))).toHaveLength(1)
  })
})
