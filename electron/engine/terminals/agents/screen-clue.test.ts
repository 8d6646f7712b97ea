import { describe, expect, it } from 'vitest'
import { viewOfCaptured } from '../screen/captured.ts'
import { agents } from './index.ts'
import { loadScreen } from './testing/load-screen.ts'
import { clueOf } from './screen-clue.ts'
import { recognise } from './recognise.ts'

const shown = (text: string, cursor: { x: number; y: number }) =>
  viewOfCaptured({ text, cols: 60, rows: 12, cursor, cursorVisible: true, title: '', bracketedPaste: null })

describe('what is seen in place of an input line', () => {
  it.each([
    ['nothing at all', '\n\n', { x: 0, y: 0 }, { seen: 'blank' }],
    ['a menu with numbers', 'Pick one:\n❯ 1. Yes\n  2. No\n', { x: 0, y: 1 }, { seen: 'menu' }],
    ['a menu with keys', 'Themes\n› Dark\n  Light\n\n↑↓ to move, enter to select', { x: 0, y: 1 }, { seen: 'menu' }],
    ['a question', 'Overwrite notes.txt? [y/N]', { x: 26, y: 0 }, { seen: 'question' }],
    ['a wait for a key', 'Done. Press any key to go on', { x: 28, y: 0 }, { seen: 'question' }],
    ['a shell', 'last login today\nme@box:~/work$', { x: 15, y: 1 }, { seen: 'shell-prompt' }],
    ['a prompt of another kind', '────\n* \n────', { x: 2, y: 1 }, { seen: 'sign', sign: '*' }],
    ['another kind in a box', '│ + my words   │', { x: 12, y: 0 }, { seen: 'sign', sign: '+' }],
    [
      'mere text, numbered lists too',
      'Plan:\n1. read the code\n2. mend it\nworking on it',
      { x: 0, y: 4 },
      { seen: 'text' },
    ],
  ])('%s', async (_what, text, cursor, clue) => {
    expect(clueOf(await shown(text, cursor), false)).toEqual(clue)
  })

  it('is the input line itself, where the cursor stands elsewhere', async () => {
    const view = await loadScreen('qwen-idle')
    expect(recognise({ ...view, cursor: { x: 0, y: 2 } }, agents.qwen)).toEqual({ kind: 'unknown', seen: 'cursor' })
  })

  it('is told of no program whose screens are not known', async () => {
    expect(recognise(await loadScreen('qwen-idle'), agents.other)).toEqual({ kind: 'unknown' })
  })

  it('never takes a word of a person for the sign', async () => {
    for (const text of ['a secret', '7 wonders', '密 码', '> 42'])
      expect(['text', 'sign']).toContain(clueOf(await shown(text, { x: 8, y: 0 }), false).seen)
    expect(clueOf(await shown('a secret', { x: 8, y: 0 }), false)).toEqual({ seen: 'text' })
    expect(clueOf(await shown('密 码', { x: 8, y: 0 }), false)).toEqual({ seen: 'text' })
  })
})
