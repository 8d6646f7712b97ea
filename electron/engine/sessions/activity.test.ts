import { describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createActivity } from './activity.ts'

const s = 's1'

function setUp() {
  const clock = virtualClock()
  return { clock, activity: createActivity(clock, () => undefined) }
}

describe('a session', () => {
  it('works while its tools run, until the screen shows that the agent came to rest', () => {
    const { activity } = setUp()
    activity.begin(s, 'r1', 3)
    activity.atRest(s)
    expect(activity.of(s)).toMatchObject({ turn: 3 })
    activity.end(s, 'r1', 'tool-calls')
    expect(activity.of(s)).toMatchObject({ turn: 3 })
    activity.atRest(s)
    expect(activity.of(s)).toBeNull()
  })
})

describe('sub-agents of a session', () => {
  it('work while a request of theirs is under way, and are through after a plain stop', () => {
    const { activity } = setUp()
    activity.subagentBegin(s, 'r1')
    expect(activity.subagents(s)).toBe(true)
    activity.subagentEnd(s, 'r1', 'stop')
    expect(activity.subagents(s)).toBe(false)
  })

  it('work while one of them does, though another is through', () => {
    const { activity } = setUp()
    activity.subagentBegin(s, 'r1', 'a')
    activity.subagentEnd(s, 'r1', 'tool-calls', 'a')
    activity.subagentBegin(s, 'r2', 'b')
    activity.subagentEnd(s, 'r2', 'stop', 'b')
    expect(activity.subagents(s)).toBe(true)
    activity.subagentBegin(s, 'r3', 'a')
    activity.subagentEnd(s, 'r3', 'stop', 'a')
    expect(activity.subagents(s)).toBe(false)
  })

  it('are due once set to work, until one of them asks or the agent calls on', () => {
    const { activity } = setUp()
    const call = (request: string, delegates: boolean, meanwhile = () => undefined as void) => {
      activity.begin(s, request, 1)
      meanwhile()
      activity.end(s, request, 'tool-calls', delegates)
      return activity.subagentDue(s)
    }
    expect(call('r1', true)).toBe(true)
    expect(call('r2', false)).toBe(false)
    expect(call('r3', true, () => activity.subagentBegin(s, 'sub-1'))).toBe(false)
    expect(call('r4', true)).toBe(true)
    activity.subagentBegin(s, 'sub-2')
    expect(activity.subagentDue(s)).toBe(false)
  })

  it('work while they run tools, though not for ever', async () => {
    const { activity, clock } = setUp()
    activity.subagentBegin(s, 'r1')
    activity.subagentEnd(s, 'r1', 'tool-calls')
    expect(activity.subagents(s)).toBe(true)
    await clock.advance(10 * 60_000)
    expect(activity.subagents(s)).toBe(false)
  })

  it('are through after a last tool call where the main agent goes on that waits for them', () => {
    const { activity } = setUp()
    activity.subagentBegin(s, 'r1')
    activity.subagentEnd(s, 'r1', 'tool-calls')
    activity.subagentsOver(s)
    expect(activity.subagents(s)).toBe(false)
  })
})
