import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinCommand } from './join-command.ts'
import { splitCommand } from './split-command.ts'
import { runs } from '../testing/runs.ts'

describe('words as one line', () => {
  it.each([
    [['npm', 'test'], 'npm test'],
    [['npm', 'test', '--', '-t', 'two words'], "npm test -- -t 'two words'"],
    [['say', ''], "say ''"],
    [['say', 'a "b" \\ c', '$HOME'], `say 'a "b" \\ c' '$HOME'`],
    [['say', "it's"], `say 'it'"'"'s'`],
  ])('%j', (words, line) => expect(joinCommand(words)).toBe(line))

  it('are read back as they were, whatever stands in them', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        expect(splitCommand(joinCommand(words))).toEqual(words)
      }),
      runs(100),
    )
  })
})
