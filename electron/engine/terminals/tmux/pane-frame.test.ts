import { describe, expect, it } from 'vitest'
import { changeOf, type PaneFrame } from './pane-watch.ts'

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}`)
/** a pane of three rows after `n` lines, looked at with so many of those above */
const after = (n: number, above: number, changed: Partial<PaneFrame> = {}): PaneFrame => ({
  cols: 20,
  rows: 3,
  cursor: { x: 0, y: 2 },
  cursorVisible: true,
  history: n - 3,
  above: lines(Math.max(1, n - 2 - above), n - 3),
  lines: lines(n - 2, n),
  ...changed,
})
const written = (text: string | null) => text?.match(/line \d+/g)

describe('what a screen is told of a pane that has changed', () => {
  it('is nothing where nothing has, and every line that it has not seen yet', () => {
    expect(changeOf(after(10, 3), after(10, 3))).toBeNull()
    expect(written(changeOf(after(10, 3), after(12, 5)))).toEqual(lines(8, 12))
    expect(written(changeOf(after(3, 3), after(9, 9)))).toEqual(lines(1, 9))
  })
  it('is where the cursor is, and whether it shows', () => {
    const moved = changeOf(after(10, 3), after(10, 3, { cursor: { x: 4, y: 1 }, cursorVisible: false }))
    expect(moved).toContain('\u001b[2;5H\u001b[?25l')
  })
  it('is everything anew where the two do not meet', () => {
    expect(changeOf(after(10, 3), after(10, 3, { cols: 30 }))).toBe('redraw')
    expect(changeOf(after(10, 3), after(14, 5)), 'too few lines above to be sure').toBe('redraw')
    expect(changeOf(after(10, 3), after(5, 2)), 'the history was cleared').toBe('redraw')
    const thrown = after(60, 13, { history: 9 })
    expect(changeOf(after(10, 3), thrown), 'tmux threw old lines away').toBe('redraw')
  })
  it('takes colours that go on from the line above for no change of a line', () => {
    const before = after(10, 3, { above: ['line 5', '\u001b[31mline 6', '\u001b[31mline 7'] })
    expect(written(changeOf(before, after(12, 5)))).toEqual(lines(8, 12))
  })
})
