import { describe, expect, it } from 'vitest'
import type { ClientKind } from '../../../../shared/words.ts'
import type { ScreenView } from '../screen/view.ts'
import { agents } from './index.ts'
import { recognise } from './recognise.ts'

const cols = 40
/** 40x10, the cursor after the last letter of row `y`. */
function screenOf(lines: readonly string[], y: number): ScreenView {
  const look = { dim: false, bold: false, inverse: false, color: null, background: null }
  return {
    rows: Array.from({ length: 10 }, (_, n) =>
      Array.from((lines[n] ?? '').padEnd(cols), (char) => ({ char, ...look, bold: char === '›' })),
    ),
    cursor: { x: (lines[y] ?? '').length, y },
    cursorVisible: true,
    title: '',
    programStatus: null,
    statusSerial: 0,
    bracketedPaste: true,
  }
}

/** As the agents drew them at 40x10: Codex 0.169.0, Claude Code 2.1.330, Gemini CLI 0.61.0, Qwen Code 0.24.4. */
const tall: Partial<Record<ClientKind, { lines: readonly string[]; text: readonly number[]; left: number }>> = {
  codex: {
    lines: [
      '  Worked for <1s • 12:37',
      '',
      '',
      '› 71 test 72 to 73 part 74 each 75 left↑',
      '  76 next 77 at 78 is 79 the 80 look 81',
      '  what 82 with 83 then 84 say 85 on 86',
      '  plan 87 and 88 go 89 the 90 again 91',
      '  do 92 of 93 test 94 to 95 part 96',
      '  each 9.',
    ],
    text: [3, 8],
    left: 2,
  },
  claude: {
    lines: [
      '           Claude Code v2.1.330',
      ' ▐▛███▛█   Opus 5.5',
      '▝▜██████▀  API Usage Billing',
      ' ▝▝   ▝▝   /…/projects/work',
      '',
      '          ctrl+y to paste deleted text',
      '─── ↑ 6 more ───────────────────────────',
      '  each 31 left 32 next 33 at 34 is 35',
      '  the 36 look 37 what 38 with 39 then',
      '  40 say 41 o.',
    ],
    text: [7, 9],
    left: 2,
  },
  gemini: {
    lines: [
      '   14 look 15 what 16 with 17 then',
      '   18 say 19 on 20 plan 21 and 22 go',
      '   23 the 24 again 25 do 26 of 27',
      '   test 28 to 29 part 30 each 31',
      '   left 32 next 33 at 34 is 35 the',
      '   36 look 37 what 38 with 39 then',
      '   40 say 41 o.',
      '▀'.repeat(cols),
      ' workspace               sandbox',
      ' /tmp/.../work           no sandbox   …',
    ],
    text: [0, 6],
    left: 3,
  },
  qwen: {
    lines: [
      '  with 17 then 18 say 19 on 20',
      '  plan 21 and 22 go 23 the 24',
      '  again 25 do 26 of 27 test 28',
      '  to 29 part 30 each 31 left 32',
      '  next 33 at 34 is 35 the 36',
      '  look 37 what 38 with 39 then',
      '  40 say 41 o.',
      '─'.repeat(cols),
      '  ➜ work · default',
      '  ⏸ Ask permissions (shift + tab to c…',
    ],
    text: [0, 6],
    left: 2,
  },
}

describe('a text taller than its pane', () => {
  it.each(Object.entries(tall))('of %s is read to its end, with the room it has', (client, { lines, text, left }) => {
    const [top = 0, bottom = 0] = text
    expect(recognise(screenOf(lines, bottom), agents[client as ClientKind])).toEqual({
      kind: 'idle',
      composer: {
        kind: 'text',
        text: lines
          .slice(top, bottom + 1)
          .map((line) => line.slice(left).replace('↑', ''))
          .join('\n'),
        room: { rows: bottom - top + 1, cols: cols - left, screen: 400 },
      },
    })
  })

  it.each(['>', '*'])('of Qwen Code is read with its %s in the first row', (mark) => {
    const { lines = [] } = tall.qwen ?? {}
    const whole = [`${mark}${lines[0]?.slice(1)}`, ...lines.slice(1)]
    expect(recognise(screenOf(whole, 6), agents.qwen)).toMatchObject({
      kind: 'idle',
      composer: { kind: 'text', room: { rows: 7 } },
    })
    // a message that was said, above a composer
    expect(recognise(screenOf(whole, 8), agents.qwen).kind).toBe('unknown')
  })

  it.each(['gemini', 'qwen'] as const)(
    'of %s is none where its rows are blank, or the cursor is elsewhere',
    (client) => {
      const { lines = [] } = tall[client] ?? {}
      expect(recognise(screenOf(lines, 8), agents[client]).kind).toBe('unknown')
      const blank = lines.map((line, y) => (y < 7 ? '' : line))
      expect(recognise(screenOf(blank, 3), agents[client]).kind).toBe('unknown')
    },
  )
})
