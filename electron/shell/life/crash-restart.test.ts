import { describe, expect, it } from 'vitest'
import { againWithinMs, mayRestart, restartArgs } from './crash-restart.ts'

describe('after a crash', () => {
  it('the app starts again, with what it was started with', () => {
    expect(mayRestart(['onward', '--hidden'], 0, 1_000)).toBe(true)
    expect(restartArgs(['onward', 'main.js', '--hidden'])).toEqual(['main.js', '--hidden', '--after-crash'])
  })
  it('but not a second time within a minute', () => {
    const again = ['onward', 'main.js', '--after-crash']
    expect(mayRestart(again, 0, againWithinMs)).toBe(false)
    expect(mayRestart(again, 0, againWithinMs + 1)).toBe(true)
    expect(restartArgs(again)).toEqual(['main.js', '--after-crash'])
  })
})
