import { describe, expect, it } from 'vitest'
import type { Cell, ScreenView } from '../screen/view.ts'
import { readComposer } from './composer.ts'
import { agents } from './index.ts'

const facts = agents.codex.screen
const rowOf = (text: string, cols = 40): Cell[] =>
  Array.from(text.padEnd(cols), (char) => ({
    char,
    dim: false,
    bold: false,
    inverse: false,
    color: null,
    background: null,
  }))

describe('a composer in a small pane', () => {
  // Codex 0.169.0 at 40x10, its text longer than the six rows it shows
  const lines = [
    '› what 16 with 17 then 18 say 19 on 20 ↑',
    '  plan 21 and 22 go 23 the 24 again 25',
    '  do 26 of 27 test 28 to 29 part 30',
  ]
  const view: ScreenView = {
    rows: [...lines, ...Array<string>(7).fill('')].map((line) => rowOf(line)),
    cursor: { x: 35, y: 2 },
    cursorVisible: true,
    title: '',
    programStatus: null,
    statusSerial: 0,
    bracketedPaste: true,
  }

  it('leaves out the arrow that says that it is scrolled, and says how much it shows', () => {
    if (!facts) throw new Error('Codex has a screen')
    expect(readComposer(view, { top: 0, bottom: 2, left: 2 }, facts, null)).toEqual({
      kind: 'text',
      text: lines.map((line) => line.slice(2).replace(' ↑', '')).join('\n'),
      small: { enough: 25, cells: 114 },
    })
  })
})
