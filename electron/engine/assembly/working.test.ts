import { describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createWorking } from './working.ts'

const s = 's1'

function setUp() {
  const clock = virtualClock()
  return { clock, working: createWorking(clock, () => undefined) }
}

describe('sub-agents of a session', () => {
  it('work while a request of theirs is under way, and are through after a plain stop', () => {
    const { working } = setUp()
    working.subagentBegin(s, 'r1')
    expect(working.subagents(s)).toBe(true)
    working.subagentEnd(s, 'r1', 'stop')
    expect(working.subagents(s)).toBe(false)
  })

  it('work while they run tools, though not for ever', async () => {
    const { working, clock } = setUp()
    working.subagentBegin(s, 'r1')
    working.subagentEnd(s, 'r1', 'tool-calls')
    expect(working.subagents(s)).toBe(true)
    await clock.advance(10 * 60_000)
    expect(working.subagents(s)).toBe(false)
  })

  it('are through after a last tool call where the main agent goes on that waits for them', () => {
    const { working } = setUp()
    working.subagentBegin(s, 'r1')
    working.subagentEnd(s, 'r1', 'tool-calls')
    working.subagentsOver(s)
    expect(working.subagents(s)).toBe(false)
  })
})
