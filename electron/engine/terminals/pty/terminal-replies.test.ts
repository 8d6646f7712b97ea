import { expect, it } from 'vitest'
import { holdsKeys, withoutReplies } from './terminal-replies.ts'

it.each([
  ['\u001b[?62;4c', ''],
  ['\u001b[>0;276;0c', ''],
  ['\u001b[12;40R', ''],
  ['\u001b[0n', ''],
  ['\u001b[?2026;2$y', ''],
  ['\u001b[?0u', ''],
  ['\u001b]10;rgb:ffff/ffff/ffff\u0007', ''],
  ['\u001b]11;rgb:0000/0000/0000\u001b\\', ''],
  ['\u001bP>|xterm.js(6.0.0)\u001b\\', ''],
  ['a\u001b[?62;4cb', 'ab'],
  ['plain text, 3c and 4R', 'plain text, 3c and 4R'],
  // keys stay: arrows, function keys, mouse, focus, paste, kitty keys
  [
    '\u001b[A\u001bOP\u001b[15~\u001b[<0;1;2M\u001b[I\u001b[200~x\u001b[201~\u001b[97;5u',
    '\u001b[A\u001bOP\u001b[15~\u001b[<0;1;2M\u001b[I\u001b[200~x\u001b[201~\u001b[97;5u',
  ],
])('of %j a viewer typed %j', (sent, typed) => {
  expect(withoutReplies(sent)).toBe(typed)
})

it.each([
  ['\u001b[I', false],
  ['\u001b[O\u001b[<35;10;4M\u001b[12;40R', false],
  ['\u001b]11;rgb:0000/0000/0000\u001b\\', false],
  ['\t', true],
  ['\u001b[C', true],
  ['\u001b[Ia', true],
])('in %j a person pressed a key: %s', (sent, pressed) => {
  expect(holdsKeys(sent)).toBe(pressed)
})
