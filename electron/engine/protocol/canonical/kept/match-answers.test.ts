import { expect, it } from 'vitest'
import type { AnswerEvent } from '../answer.ts'
import { collectAnswer, digestOfText, type KeptAnswer } from './match-answers.ts'

it('counts words as the client hands them back, however they came', () => {
  const kept: KeptAnswer[] = []
  const tell = collectAnswer({ of: 'chat', by: 'p.m', ordinal: 0, at: 0 }, (answer) => kept.push(answer))
  const long = 'many words '.repeat(1_000)
  const texts = [`one \ud83d\ude00 ${long}`, 'two']
  const deltas = (block: number, pieces: readonly string[]): AnswerEvent[] => [
    { type: 'begin', block, part: { kind: 'text' } },
    ...pieces.map((text): AnswerEvent => ({ type: 'delta', block, text })),
    { type: 'end', block },
  ]
  const events: AnswerEvent[] = [
    { type: 'begin', block: 0, part: { kind: 'thinking' } },
    { type: 'seal', block: 0, seal: { of: 'chat', data: 'sealed' } },
    { type: 'end', block: 0 },
    ...deltas(1, ['one ', '\ud83d', '\ude00 ', long]),
    ...deltas(2, ['t', 'wo']),
    { type: 'finish', reason: 'stop', stopSequence: null, usage: null },
  ]
  events.forEach(tell)
  expect(kept[0]?.text).toBe(digestOfText(texts))
  expect(kept[0]?.pieces.slice(1)).toEqual(
    texts.map((text) => ({ type: 'text', length: text.length, solid: text.replaceAll(/\s/g, '').length })),
  )
})
