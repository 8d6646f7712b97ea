import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { splitCommand } from './split-command.ts'
import { runs } from '../testing/runs.ts'

describe('a command line', () => {
  it.each([
    ['aider --model gpt-5', ['aider', '--model', 'gpt-5']],
    ['  a   b ', ['a', 'b']],
    ['say "two words" and \'three more words\'', ['say', 'two words', 'and', 'three more words']],
    ['a"b c"d', ['ab cd']],
    ['say ""', ['say', '']],
    ['a\\ b', ['a b']],
    ["'a\\b'", ['a\\b']],
    ['"a\\"b"', ['a"b']],
    ['echo $HOME `x` ; rm', ['echo', '$HOME', '`x`', ';', 'rm']],
    ['', []],
    ['"open', null],
  ])('%s', (line, words) => expect(splitCommand(line)).toEqual(words))

  it('gives back any words that were quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        const line = words.map((word) => `"${word.replace(/[\\"]/g, '\\$&')}"`).join(' ')
        expect(splitCommand(line)).toEqual(words)
      }),
      runs(100),
    )
  })
})
