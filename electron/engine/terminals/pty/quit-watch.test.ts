import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createQuitWatch } from './quit-watch.ts'

async function asked(keys: readonly string[], laterMs = 0): Promise<boolean> {
  const clock = virtualClock()
  const watch = createQuitWatch(clock)
  for (const key of keys) watch.typed(Buffer.from(key))
  await clock.advance(laterMs)
  return watch.asked()
}

describe('a person quits an agent', () => {
  it.each<[string, string[]]>([
    ['by its command', ['/exit\r']],
    ['by its other command, key by key', [...'/quit', '\r']],
    ['by what the list of commands completes', ['/ex', '\r']],
    ['by a word', ['exit\r']],
    ['as vim is quit', [':q!\r']],
    ['after a typing mistake', ['/exut\u007f\u007fit\r']],
    ['in a line begun anew', ['never mind\u0015/exit\r']],
    ['by Ctrl C twice', ['\u0003', '\u0003']],
    ['by Ctrl D', ['\u0004']],
    ['by Ctrl D as kitty spells it', ['\u001b[100;5u']],
    ['by Ctrl C as xterm spells it', ['\u001b[27;5;99~']],
    ['by Enter as kitty spells it', ['/exit\u001b[13u']],
  ])('%s', async (_how, keys) => expect(await asked(keys)).toBe(true))

  it.each<[string, string[]]>([
    ['says something else', ['how do I /exit vim?\r']],
    ['runs another command', ['/explain\r']],
    ['has typed it and not sent it', ['/exit']],
    ['moves about', ['\u001b[A\u001b[13;2u\r']],
    ['types nothing', []],
  ])('is not told when they %s', async (_what, keys) => expect(await asked(keys)).toBe(false))

  it('and what ended much later has another reason', async () => {
    expect(await asked(['\u0003'], 9_000)).toBe(true)
    expect(await asked(['\u0003'], 11_000)).toBe(false)
  })
})
