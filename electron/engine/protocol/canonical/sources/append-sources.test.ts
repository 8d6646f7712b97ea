import { converted } from '../testing/converted.ts'
import { wordlessAnswers } from '../testing/wordless-answers.ts'
import { heardOf } from '../../testing/heard-of.ts'
import { wireProtocols } from '../request.ts'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent, AnswerFinish, Citation } from '../answer.ts'
import { appendSources } from './append-sources.ts'

const source = (url: string | null, title: string | null = null): Citation => ({
  url,
  title,
  quote: null,
  start: null,
  end: null,
})
const finish = (reason: AnswerFinish): AnswerEvent => ({ type: 'finish', reason, stopSequence: null, usage: null })

function heard(pieces: readonly string[], cited: readonly Citation[], rest: readonly AnswerEvent[]) {
  const events: AnswerEvent[] = []
  const dropped: string[] = []
  const emit = appendSources(
    (event) => events.push(event),
    (name) => dropped.push(name),
  )
  emit({ type: 'begin', block: 0, part: { kind: 'text' } })
  for (const text of pieces) emit({ type: 'delta', block: 0, text })
  for (const citation of cited) emit({ type: 'citation', block: 0, citation })
  emit({ type: 'end', block: 0 })
  for (const event of rest) emit(event)
  return { events, dropped, text: events.map((event) => (event.type === 'delta' ? event.text : '')).join('') }
}

describe('sources appended to the text', () => {
  it('are numbered lines behind a blank one, each source once, and before the finish', () => {
    const { events, text, dropped } = heard(
      ['Rain [1], then sun [2].'],
      [
        source('https://a.example/x', 'The\nRain'),
        source('https://b.example/'),
        source('https://a.example/x', 'The Rain'),
        source(null, 'Report.pdf'),
      ],
      [finish('stop')],
    )
    expect(text).toBe(
      'Rain [1], then sun [2].\n\nSources:\n1. The Rain — https://a.example/x\n2. https://b.example/\n3. Report.pdf',
    )
    expect(events.at(-1)?.type).toBe('finish')
    expect(events.some(({ type }) => type === 'citation')).toBe(false)
    expect(dropped).toEqual([])
  })

  it('take the title that comes with a later mention', () => {
    expect(heard(['x'], [source('https://a.example'), source('https://a.example', 'A')], [finish('length')]).text).toBe(
      'x\n\nSources:\n1. A — https://a.example',
    )
  })

  it('leave out what the text links itself, wherever it is cut, and keep their numbers', () => {
    const cited = [source('https://a.example/1'), source('https://b.example/2')]
    const text = 'See ([a](https://a.example/1)).'
    for (let cut = 0; cut <= text.length; cut++)
      expect(heard([text.slice(0, cut), text.slice(cut)], cited, [finish('stop')]).text).toBe(
        `${text}\n\nSources:\n2. https://b.example/2`,
      )
    const bare = heard(['At https://a.example/1.'], [source('https://a.example/1')], [finish('stop')])
    expect(bare.text).toBe('At https://a.example/1.')
  })

  it('are recorded where a list would stand behind calls or the answer goes on', () => {
    const call: AnswerEvent[] = [
      { type: 'begin', block: 1, part: { kind: 'tool-call', id: 'c', name: 'look', custom: false } },
      { type: 'end', block: 1 },
    ]
    for (const rest of [[...call, finish('tool-calls')], [...call, finish('stop')], [finish('pause-turn')]]) {
      const { text, dropped } = heard(['Rain.'], [source('https://a.example')], rest)
      expect({ text, dropped }).toEqual({ text: 'Rain.', dropped: ['citations'] })
    }
  })

  it('are no text where nothing was cited', () => {
    expect(heard(['Rain.'], [], [finish('stop')]).text).toBe('Rain.')
  })
})

describe.each(wordlessAnswers.filter(({ body }) => body.includes('https://e.test/a') && !body.includes('ERROR')))(
  'an answer of $from that is $holds',
  ({ from, body, stream }) => {
    it.each(wireProtocols.filter((to) => to !== from))('is a list for a client of %s that shows none', (to) => {
      for (const [as, bytes] of [
        ['body', body],
        ['stream', stream],
      ] as const)
        for (const wants of ['body', 'stream'] as const) {
          const { text } = converted(from, to, bytes, { as, wants, citations: 'append' })
          expect(heardOf(to, text, wants === 'stream').text).toBe('Sources:\n1. A — https://e.test/a')
        }
    })
  },
)
