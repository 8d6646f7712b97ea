import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { serverToolCodecOf } from '../index.ts'
import { heardOf, problemsOf } from '../testing/heard-of.ts'
import { wireProtocols } from './request.ts'
import { converted } from './testing/converted.ts'
import { blankAnswers, sealedAnswers, wordlessAnswers } from './testing/wordless-answers.ts'

const forms = ['stream', 'body'] as const

describe.each(wordlessAnswers)('an answer of $holds alone, by a provider of $from', ({ from, note, body, stream }) => {
  const bytes = { body, stream }
  const others = wireProtocols.filter((to) => to !== from)

  it.each(forms)('is empty only where the provider said nothing, passed through (%s)', (as) => {
    expect(serverToolCodecOf(from).hasContent(Buffer.from(bytes[as]))).toBe(note !== null)
  })

  it.each(others.flatMap((to) => forms.flatMap((as) => forms.map((wants) => ({ to, as, wants })))))(
    'is so for a client of $to as well, and says in a note what it can’t show ($as to $wants)',
    ({ to, as, wants }) => {
      const { text, error, dropped } = converted(from, to, bytes[as], { as, wants })
      expect(error).toBeNull()
      expect(problemsOf(to, text, wants === 'stream')).toEqual([])
      expect(serverToolCodecOf(to).hasContent(Buffer.from(text))).toBe(note !== null)
      expect(heardOf(to, text, wants === 'stream')).toMatchObject({
        text: note === null ? '' : `[${note}, not shown by this client]`,
        calls: [],
        end: { reason: 'stop' },
      })
      if (note !== null) expect(dropped).not.toEqual([])
    },
  )
})

describe.each(sealedAnswers)('an answer of $holds alone, by a provider of $from', ({ from, body, stream }) => {
  const bytes = { body, stream }

  it.each(forms)('is not empty, passed through (%s)', (as) => {
    expect(serverToolCodecOf(from).hasContent(Buffer.from(bytes[as]))).toBe(true)
  })

  it.each(wireProtocols.filter((to) => to !== from))('is not empty for a client of %s', (to) => {
    for (const as of forms)
      for (const wants of forms) {
        const { text, error } = converted(from, to, bytes[as], { as, wants })
        expect(error).toBeNull()
        expect([as, wants, serverToolCodecOf(to).hasContent(Buffer.from(text))]).toEqual([as, wants, true])
      }
  })
})

describe.each(blankAnswers)('an answer of $holds alone, by a provider of $from', ({ from, body, stream }) => {
  const bytes = { body, stream }

  it.each(forms)('is empty, passed through (%s)', (as) => {
    expect(serverToolCodecOf(from).hasContent(Buffer.from(bytes[as]))).toBe(false)
  })

  it.each(wireProtocols.filter((to) => to !== from))('is empty for a client of %s', (to) => {
    for (const as of forms)
      for (const wants of forms) {
        const { text, error } = converted(from, to, bytes[as], { as, wants })
        expect(error).toBeNull()
        expect([as, wants, serverToolCodecOf(to).hasContent(Buffer.from(text))]).toEqual([as, wants, false])
      }
  })
})

it('a thought in blocks of LiteLLM’s alone is shown, and is not empty', () => {
  const thought = { thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }] }
  const body = JSON.stringify({
    id: 'c',
    choices: [{ index: 0, message: { role: 'assistant', content: null, ...thought }, finish_reason: 'stop' }],
  })
  expect(serverToolCodecOf('chat').hasContent(Buffer.from(body))).toBe(true)
  for (const to of ['messages', 'responses', 'gemini'] as const) {
    const { text, dropped } = converted('chat', to, body, { as: 'body', wants: 'body' })
    expect(heardOf(to, text, false).thinking).toBe('Hm.')
    expect(dropped).toContain('choices[].message.thinking_blocks')
  }
})

it('an answer without a word is the same under any cut', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...wordlessAnswers),
      fc.constantFrom(...wireProtocols),
      fc.array(fc.nat(), { maxLength: 8 }),
      ({ from, stream }, to, cuts) => {
        if (to === from) return
        const how = { as: 'stream', wants: 'stream' } as const
        expect(converted(from, to, stream, { ...how, cuts })).toEqual(converted(from, to, stream, how))
      },
    ),
    runs(300),
  )
})
