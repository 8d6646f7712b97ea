import { describe, expect, it } from 'vitest'
import { createFlow } from './flow.ts'

function setUp() {
  const calls: string[] = []
  return {
    calls,
    flow: createFlow({
      pause: () => {
        calls.push('pause')
      },
      resume: () => {
        calls.push('resume')
      },
    }),
  }
}
const megabyte = 1024 * 1024

describe('a program that writes faster than it can be shown', () => {
  it('is held back until the screen has almost caught up', () => {
    const { calls, flow } = setUp()
    for (let i = 0; i < 3; i++) flow.came(megabyte)
    expect(calls).toEqual(['pause'])
    flow.shown(2 * megabyte)
    expect(calls).toEqual(['pause'])
    flow.shown(megabyte)
    expect(calls).toEqual(['pause', 'resume'])
  })

  it('goes on only when nobody holds it back any more', () => {
    const { calls, flow } = setUp()
    flow.pause()
    flow.came(3 * megabyte)
    flow.shown(3 * megabyte)
    expect(calls).toEqual(['pause'])
    flow.resume()
    expect(calls).toEqual(['pause', 'resume'])
    flow.resume()
    expect(calls).toEqual(['pause', 'resume'])
  })
})
