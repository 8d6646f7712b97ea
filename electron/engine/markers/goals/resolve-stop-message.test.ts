import { describe, expect, it } from 'vitest'
import { parseMarkers } from '../parse/parse.ts'
import { resolveStopMessage } from './resolve-stop-message.ts'
import { someTargets } from '../testing/texts.ts'

const decide = (text: string) => {
  const decision = resolveStopMessage(parseMarkers(text, { language: 'en', targets: someTargets }).instructions)
  return decision.kind === 'set' ? decision.instruction.marker : decision.kind
}

describe('several stopMessage markers in one message', () => {
  it.each<[string, string, string]>([
    ['nothing', 'text', 'none'],
    ['only other markers', '<**#glm**> <**clock:clear**>', 'none'],
    ['one', '<**sm:3**>', '<**sm:3**>'],
    ['the last of several', '<**sm:3**> <**stopMessage:"x"**> <**sm:5**>', '<**sm:5**>'],
    ['the last valid one', '<**sm:3**> <**sm:0**>', '<**sm:3**>'],
    ['off before a set', '<**sm:off**> <**sm:3**>', 'clear'],
    ['off behind a set', '<**sm:3**> <**stopMessage:clear**>', 'clear'],
    ['a generic clear alone', '<**clear**>', 'clear'],
    ['a generic clear before a set', '<**clear**> <**sm:3**>', '<**sm:3**>'],
    ['a generic clear behind a set', '<**sm:3**> <**clear**>', 'clear'],
    ['a generic clear between two', '<**sm:3**> <**clear**> <**sm:5**>', '<**sm:5**>'],
    ['off together with a generic clear', '<**sm:off**> <**clear**> <**sm:5**>', 'clear'],
  ])('%s', (_, text, expected) => {
    expect(decide(text)).toBe(expected)
  })
})
