import { describe, expect, it } from 'vitest'
import { MOST_LINES, noLog, withPage } from './log-tail.ts'

const page = (lines: string[], cursor: string, gap = false) => ({ path: '/log', lines, cursor, gap })

describe('the end of the log', () => {
  it('grows by what comes, each line with a number of its own', () => {
    const tail = withPage(withPage(noLog, page(['a', 'b'], '1')), page(['c'], '2'))
    expect(tail.lines.map(({ id, raw }) => [id, raw])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ])
    expect(withPage(tail, page([], '2'))).toBe(tail)
  })

  it('is bounded, and says that there is more', () => {
    const many = Array.from({ length: MOST_LINES }, (_, i) => `line ${i}`)
    const tail = withPage(withPage(noLog, page(['old'], '1')), page(many, '2'))
    expect([tail.lines.length, tail.lines[0]?.raw, tail.gap]).toEqual([MOST_LINES, 'line 0', true])
  })
})
