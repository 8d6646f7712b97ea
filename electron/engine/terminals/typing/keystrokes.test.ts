import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import type { Composer } from '../agents/types.ts'
import { createKeystrokes, quietMs } from './keystrokes.ts'

const unseen: Composer = { kind: 'unseen' }

async function after(...parts: (string | Uint8Array)[]) {
  const clock = virtualClock()
  const keys = createKeystrokes(clock)
  for (const part of parts) keys.typed(part)
  const atOnce = keys.midLine(unseen)
  await clock.advance(quietMs)
  return { keys, atOnce, later: keys.midLine(unseen) }
}

describe('a person at the keyboard', () => {
  it.each<[string, string[], boolean]>([
    ['nothing', [], false],
    ['half a line', ['fix the'], true],
    ['a line and Enter', ['fix the test\r'], false],
    ['a line, Enter and the next', ['one\rtwo'], true],
    ['letters taken back', ['ab', '\u007f', '\u007f'], false],
    ['a line given up with Ctrl C', ['abc\u0003'], false],
    ['a line given up with Ctrl U', ['abc\u0015'], false],
    ['a paste with line ends', ['\u001b[200~one\rtwo\u001b[201~'], true],
    ['a paste in pieces, then Enter', ['\u001b[20', '0~one\r', '\u001b[201~', '\r'], false],
    ['a line break within a line', ['one\n'], true],
    ['arrow keys alone', ['\u001b[A\u001b[B\u001bOC\u001b[1;5D'], false],
    ['a mouse and focus reports', ['\u001b[<0;10;5M\u001b[<0;10;5m\u001b[I\u001b[O'], false],
    [
      'replies of the terminal',
      [
        '\u001b[?62;4c',
        '\u001b[12;40R',
        '\u001b]11;rgb:0000/0000/0000\u001b\\',
        '\u001bP>|term 1.0\u001b\\',
        '\u001b[?2026;2$y',
        '\u001b[?0u',
      ],
      false,
    ],
    ['a reply in pieces', ['\u001b]11;rgb:00', '00/0000/0000\u001b', '\\'], false],
    ['keys of the kitty protocol', ['\u001b[97u\u001b[98;1:1u'], true],
    ['keys of the kitty protocol and Enter', ['\u001b[97u\u001b[13u'], false],
    ['released keys', ['\u001b[97;1:3u'], false],
    ['Shift Enter', ['\u001b[13;2u'], true],
    ['letters outside ASCII', ['继续'], true],
  ])('%s', async (_what, parts, midLine) => {
    expect((await after(...parts)).later).toBe(midLine)
  })

  it('gets a moment after each key', async () => {
    expect((await after('fix it\r')).atOnce).toBe(true)
    expect((await after('\u001b[A')).atOnce).toBe(true)
    expect((await after('\u001b[?62;4c')).atOnce).toBe(false)
  })

  it.each<[string, string, boolean]>([
    ['Enter', 'fix it\r', true],
    ['Enter of the kitty protocol', 'fix it\u001b[13u', true],
    ['a key behind it', 'fix it\ra', false],
    ['an arrow behind it', 'fix it\r\u001b[A', false],
    ['Ctrl U', 'fix it\u0015', false],
    ['a paste with line ends', '\u001b[200~one\rtwo\r\u001b[201~', false],
    ['a line break within a line', 'fix it\n', false],
  ])('has sent the line or not: %s', async (_what, typed, sent) => {
    expect((await after(typed)).keys.sent).toBe(sent)
  })

  it('may split a character over two writes', async () => {
    const bytes = Buffer.from('继')
    expect((await after(bytes.subarray(0, 1), bytes.subarray(1), '\u007f')).later).toBe(false)
  })

  it('has given the line up when the composer is empty', async () => {
    const { keys } = await after('/mo\u001b')
    expect(keys.midLine(unseen)).toBe(true)
    expect(keys.midLine({ kind: 'empty' })).toBe(false)
    expect(keys.midLine(unseen)).toBe(false)
  })

  it('have pressed a key that went elsewhere when nothing but our own text stands there', async () => {
    const { keys } = await after('1')
    expect(keys.midLine({ kind: 'text', text: 'carry on 1' }, 'carry on')).toBe(true)
    expect(keys.midLine({ kind: 'text', text: 'carry on' }, 'carry on')).toBe(false)
  })
})
