import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { watchSuspension } from './suspension.ts'

async function pressed(keys: string, after: { pasteOff?: number; pasteOnAgain?: number }) {
  const clock = virtualClock()
  let paste = true
  let suspended = 0
  const watch = watchSuspension({
    clock,
    pasteIsOn: () => paste,
    onSuspend: () => {
      suspended++
    },
  })
  watch.typed(Buffer.from(keys))
  if (after.pasteOff !== undefined)
    clock.after(after.pasteOff, () => {
      paste = false
    })
  if (after.pasteOnAgain !== undefined)
    clock.after(after.pasteOnAgain, () => {
      paste = true
    })
  await clock.advance(2_000)
  watch.dispose()
  return suspended
}

describe('Ctrl Z in a PTY of our own', () => {
  it.each<[string, string, Parameters<typeof pressed>[1], number]>([
    ['a program that gives the screen back', '\u001a', { pasteOff: 20 }, 1],
    ['the kitty keyboard protocol', '\u001b[122;5u', { pasteOff: 20 }, 1],
    ['a program that can’t stop and goes on', '\u001a', { pasteOff: 5, pasteOnAgain: 30 }, 0],
    ['a program that takes it for another key', '\u001a', {}, 0],
    ['another key', 'z', { pasteOff: 20 }, 0],
  ])('%s', async (_what, keys, after, times) => {
    expect(await pressed(keys, after)).toBe(times)
  })
})
