import { describe, expect, it } from 'vitest'
import { createGestures } from './gestures.ts'

function gestures() {
  let now = 1_000_000
  return { ...createGestures(() => now), pass: (ms: number) => (now += ms) }
}

describe('a person’s gesture', () => {
  it.each(['mouseUp', 'rawKeyDown', 'keyDown', 'gestureTap', 'touchEnd'])('is %s, and counts once', (type) => {
    const { seen, take } = gestures()
    expect(take()).toBe(false)
    seen(type)
    expect([take(), take()]).toEqual([true, false])
  })

  it.each(['mouseMove', 'mouseEnter', 'mouseWheel', 'mouseDown', 'keyUp', 'char', 'gestureScrollUpdate', 'undefined'])(
    'is not %s',
    (type) => {
      const { seen, take } = gestures()
      seen(type)
      expect(take()).toBe(false)
    },
  )

  it('lasts five seconds, and not longer', () => {
    const { seen, take, pass } = gestures()
    seen('mouseUp')
    pass(5_000)
    expect(take()).toBe(true)
    seen('mouseUp')
    pass(5_001)
    expect(take()).toBe(false)
  })
})
