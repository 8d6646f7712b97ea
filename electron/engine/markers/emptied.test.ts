import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { isPureCommand, replaceEmptied, stripUserText } from './emptied.ts'
import { parseMarkers } from './parse/parse.ts'
import { stripText } from './strip.ts'
import { markerTexts, someTargets } from './testing/texts.ts'
import { runs } from '../../../shared/testing/runs.ts'

const read = (text: string) => parseMarkers(text, { language: 'zh-CN', targets: someTargets })

describe('a message that held only markers', () => {
  it.each<[string, string]>([
    ['<**sm:"make the tests pass",3**>', 'make the tests pass'],
    [' <**sm:"first"**>\n<**sm:"second"**> ', 'second'],
    ['<**#glm**> <**sm:"ship it"**>', 'ship it'],
    ['<**sm:on/3**>', 'Continue.'],
    ['<**sm:<file://goals/goal.md>**>', 'Continue.'],
    ['<**sm:off**>', 'Continue.'],
    ['<**sm:"x"**> <**sm:off**>', 'Continue.'],
    ['<**hello**>', 'Continue.'],
    ['<**sm:on**>\n<**sm:"x"**>\n<**sm:on**>', 'Continue.'],
    ['<**glm.glm-5**>', 'Continue.'],
    [
      '<pasted_content id="k">\n<**sm:"a\nlong\ngoal\nof\nfive lines"**>\n</pasted_content id="k">',
      'a\nlong\ngoal\nof\nfive lines',
    ],
  ])('%s becomes %s', (text, expected) => {
    expect(stripUserText(text)).toBe(expected)
    expect(replaceEmptied(stripText(text), read(text))).toBe(expected)
  })
  it.each([
    ['text is left', 'go <**sm:"x"**>', 'go '],
    ['it was blank before', ' \n', ' \n'],
    ['it holds no marker', 'hello', 'hello'],
    [
      'pasted text is left',
      '<pasted_content id="k">\n<**sm:3**>\ntext\n</pasted_content id="k">',
      '<pasted_content id="k">\n\ntext\n</pasted_content id="k">',
    ],
  ])('is not replaced when %s', (_, text, expected) => {
    expect(stripUserText(text)).toBe(expected)
  })
  it('is the same whatever the configuration, and stays the same', () => {
    fc.assert(
      fc.property(markerTexts, (text) => {
        const once = stripUserText(text)
        expect(stripUserText(once)).toBe(once)
        if (text.trim() !== '') expect(once.trim()).not.toBe('')
      }),
      runs(2000),
    )
  })
})

describe('a pure command', () => {
  it.each<[boolean, string]>([
    [true, '<**clear**>'],
    [true, '<**sm:off**>'],
    [true, '<**clock:clear**>'],
    [true, '<**clock:{"time":"2026-01-21T20:30:00Z","message":"m"}**>'],
    [true, '<**#glm**> <**@anth**>\n<**!glm**>'],
    [true, '<**!glm.glm-5**>'],
    [true, '<**glm**>'],
    [false, '<**sm:on**>'],
    [false, '<**sm:"x",3**>'],
    [false, '<**glm.glm-5**>'],
    [false, '<**hello**>'],
    [false, '<**clear**> <**sm:3**>'],
    [false, '<**clear**> and go on'],
    [false, 'text'],
    [false, ''],
  ])('%s: %s', (expected, text) => {
    expect(isPureCommand([text], read(text))).toBe(expected)
  })
  it('looks at every text of the message', () => {
    expect(isPureCommand(['<**clear**>', ' '], read('<**clear**>'))).toBe(true)
    expect(isPureCommand(['<**clear**>', 'and this'], read('<**clear**>'))).toBe(false)
  })
})
