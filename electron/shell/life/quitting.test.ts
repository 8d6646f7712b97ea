import { describe, expect, it } from 'vitest'
import { silentLog } from '../../engine/base/log.ts'
import { virtualClock } from '../../engine/base/testing/virtual-clock.ts'
import { createQuitting, endWithinMs } from './quitting.ts'

function quitting({
  agents = [] as string[],
  answer = true as boolean | Promise<boolean>,
  finish = (): Promise<void> => Promise.resolve(),
  end = (): Promise<void> => Promise.resolve(),
} = {}) {
  const did: string[] = []
  const clock = virtualClock()
  const made = createQuitting({
    clock,
    log: silentLog,
    dependents: () => agents,
    confirm: async (names) => {
      did.push(`ask about ${names.join(', ')}`)
      return answer
    },
    finish,
    end: () => {
      did.push('end')
      return end()
    },
    exit: () => did.push('exit'),
  })
  const electronQuits = () => {
    let allowed = true
    made.beforeQuit({
      preventDefault: () => {
        allowed = false
      },
    })
    return allowed
  }
  return { ...made, did, clock, electronQuits, settle: () => clock.advance(0) }
}

describe('quitting', () => {
  it('ends everything first, then the app', async () => {
    const { electronQuits, did, settle } = quitting()
    expect(electronQuits()).toBe(false)
    await settle()
    expect(did).toEqual(['end', 'exit'])
    expect(electronQuits()).toBe(true)
  })

  it('names the agents that depend on the engine, and goes on yes', async () => {
    const { ask, did, settle } = quitting({ agents: ['billing', 'api'] })
    ask()
    await settle()
    expect(did).toEqual(['ask about billing, api', 'end', 'exit'])
  })

  it('stays on no, and asks anew the next time', async () => {
    const { ask, electronQuits, did, settle } = quitting({ agents: ['billing'], answer: false })
    ask()
    await settle()
    expect(electronQuits()).toBe(false)
    await settle()
    expect(did).toEqual(['ask about billing', 'ask about billing'])
  })

  describe('while answers are under way', () => {
    const answering = () => {
      let out: () => void = () => undefined
      const made = quitting({
        finish: () =>
          new Promise((resolve) => {
            out = resolve
          }),
      })
      return { ...made, out: () => out() }
    }

    it('waits for them', async () => {
      const { now, out, did, settle } = answering()
      now()
      now()
      await settle()
      expect(did).toEqual([])
      out()
      await settle()
      expect(did).toEqual(['end', 'exit'])
    })

    it.each(['ask', 'signalled', 'systemEnds'] as const)('ends at once on %s', async (how) => {
      const { did, settle, ...made } = answering()
      made.now()
      made[how]()
      await settle()
      expect(did).toEqual(['end', 'exit'])
    })
  })

  it('asks once, however often it is asked', async () => {
    const { ask, electronQuits, did, settle } = quitting({ agents: ['billing'], answer: new Promise(() => undefined) })
    ask()
    ask()
    expect(electronQuits()).toBe(false)
    await settle()
    expect(did).toEqual(['ask about billing'])
  })

  it('does not ask when a signal or another host ends it, even in the middle of a question', async () => {
    let answered: (yes: boolean) => void = () => undefined
    const { ask, now, did, settle } = quitting({
      agents: ['billing'],
      answer: new Promise((resolve) => {
        answered = resolve
      }),
    })
    ask()
    now()
    await settle()
    answered(false)
    await settle()
    expect(did).toEqual(['ask about billing', 'end', 'exit'])
  })

  it('does not hold up a system that shuts down', () => {
    const { systemEnds, electronQuits, did } = quitting({
      agents: ['billing'],
      end: () => new Promise(() => undefined),
    })
    systemEnds()
    expect(electronQuits()).toBe(true)
    expect(did).toEqual(['end'])
  })

  it('leaves an engine that does not end in time', async () => {
    const { now, did, clock } = quitting({ end: () => new Promise(() => undefined) })
    now()
    await clock.advance(endWithinMs - 1)
    expect(did).toEqual(['end'])
    await clock.advance(1)
    expect(did).toEqual(['end', 'exit'])
  })

  it('quits after an engine that failed to end, and only once', async () => {
    const { now, did, clock } = quitting({ end: () => Promise.reject(new Error('disk full')) })
    now()
    now()
    await clock.advance(endWithinMs)
    expect(did).toEqual(['end', 'exit'])
  })
})
