import { describe, expect, it } from 'vitest'
import { T } from '../../terminals/outbox/testing/bench.ts'
import type { NamedWork } from '../../sessions/activity.ts'
import { eachWorld } from './testing/each-world.ts'

const w = eachWorld()
const { arm, typed, status } = w

const minutes = 60_000
const build: NamedWork = { id: 'b1', kind: 'command', what: 'make' }
const server: NamedWork = { id: 'b2', kind: 'command', what: 'npm run dev' }
const beside = (...running: readonly NamedWork[]) => ({ background: { running, ended: [] } })
const after = (...ended: readonly string[]) => ({ background: { running: [], ended } })
const skips = () => w.world.events.flatMap((e) => (e.type === 'skipped' ? [e.reason.code] : []))
const waits = () => {
  const now = status()
  return now?.kind === 'armed' ? (now.waits ?? null) : null
}

describe('a stop beside work in the background', () => {
  it('waits, says for what and until when, and counts nothing', async () => {
    await arm()
    const since = w.world.clock.now()
    await w.world.turn('build it', beside(build))
    await w.world.clock.advance(5 * minutes)
    expect(typed()).toEqual([])
    expect(skips()).toEqual(['background-work'])
    expect(waits()).toEqual({ kind: 'command', what: 'make', since, until: since + 10 * minutes, more: 0 })
    expect(w.view()?.used).toBe(0)
  })

  it('is answered when the agent\u2019s own next turn ends after the work', async () => {
    await arm()
    await w.world.turn('build it', beside(build))
    await w.world.clock.advance(3 * minutes)
    await w.world.turn('the build has ended', after('b1'))
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    expect(waits()).toBeNull()
  })

  it('is answered at the end of its wait, and the same work is not waited for again', async () => {
    await arm()
    await w.world.turn('serve it', beside(server))
    await w.world.clock.advance(10 * minutes - 1)
    expect(typed()).toEqual([])
    await w.world.clock.advance(1)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    await w.world.turn('go on', beside(server))
    await w.world.settled()
    expect(typed()).toEqual(['go on', 'go on'])
  })

  it('waits for what began since, though a server runs on', async () => {
    await arm()
    await w.world.turn('serve it', beside(server))
    await w.world.clock.advance(10 * minutes)
    await w.world.settled()
    await w.world.turn('go on', beside(server, build))
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    expect(waits()).toMatchObject({ what: 'make', more: 0 })
    await w.world.turn('the build has ended', { background: { running: [server], ended: ['b1'] } })
    await w.world.settled()
    expect(typed()).toEqual(['go on', 'go on'])
  })

  it('names what began last, and how much more there is', async () => {
    await arm()
    await w.world.turn('build it', beside(build))
    await w.world.clock.advance(minutes)
    await w.world.turn('a word of its own', beside(build, server))
    expect(waits()).toMatchObject({ what: 'npm run dev', more: 1 })
  })

  it('goes on at once by a person\u2019s word', async () => {
    await arm()
    await w.world.turn('build it', beside(build))
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    await w.world.turn('go on', beside(build))
    await w.world.settled()
    expect(typed()).toEqual(['go on', 'go on'])
  })

  it('goes on at once where nothing is to be waited for', async () => {
    w.world.backgroundWaitMs = 0
    await arm()
    await w.world.turn('build it', beside(build))
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })

  it('is over when a person says something', async () => {
    await arm()
    await w.world.turn('build it', beside(build))
    const request = await w.world.begin('never mind')
    await w.world.clock.advance(20 * minutes)
    expect(typed()).toEqual([])
    await w.world.end(request, after('b1'))
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })

  it.each(['pause', 'clear'] as const)('is not answered after a %s', async (how) => {
    await arm()
    await w.world.turn('build it', beside(build))
    await (how === 'pause' ? w.world.stop.pause(T) : w.world.stop.clear(T, 'user'))
    await w.world.clock.advance(20 * minutes)
    expect(typed()).toEqual([])
    expect(waits()).toBeNull()
  })

  it('waits on after a pause that was shorter than its wait', async () => {
    await arm()
    await w.world.turn('build it', beside(build))
    await w.world.stop.pause(T)
    await w.world.clock.advance(4 * minutes)
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(typed()).toEqual([])
    await w.world.clock.advance(6 * minutes)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })

  it('waits on after a restart, until the same minute', async () => {
    await arm()
    const since = w.world.clock.now()
    await w.world.turn('build it', beside(build))
    await w.world.clock.advance(4 * minutes)
    w.world = await w.world.kill()
    expect(waits()).toMatchObject({ what: 'make', since, until: since + 10 * minutes })
    await w.world.clock.advance(5 * minutes)
    expect(typed()).toEqual([])
    await w.world.clock.advance(minutes)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })

  it('is no matter of another conversation in the terminal', async () => {
    await arm({ sessionId: null })
    await w.world.turn('build it', beside(build))
    await w.world.stop.clear(T, 'user')
    await arm({ sessionId: 's2' })
    await w.world.turn('hello', { sessionId: 's2', ...after() })
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })
})

describe('what the screen shows of work in the background', () => {
  it('ends the wait where it shows none, twice', async () => {
    await arm()
    await w.world.turn('build it', beside(build))
    w.world.shown = '1 background terminal'
    await w.world.clock.advance(3 * minutes)
    expect(typed()).toEqual([])
    w.world.shown = null
    await w.world.clock.advance(2_000)
    expect(typed()).toEqual([])
    await w.world.clock.advance(2_000)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    // Codex never reports the end.
    await w.world.turn('go on', beside(build))
    await w.world.settled()
    expect(typed()).toEqual(['go on', 'go on'])
  })

  it('ends nothing where nobody can tell', async () => {
    await arm()
    await w.world.turn('build it', beside(build))
    await w.world.clock.advance(9 * minutes)
    expect(typed()).toEqual([])
  })

  it('is waited for once where no request tells of it', async () => {
    w.world.shown = '1 shell'
    await arm()
    await w.world.turn('do it', after())
    await w.world.clock.advance(10 * minutes - 1)
    expect(typed()).toEqual([])
    expect(waits()).toMatchObject({ kind: 'other', what: '1 shell' })
    await w.world.clock.advance(1)
    await w.world.settled()
    await w.world.turn('go on', after())
    await w.world.settled()
    expect(typed()).toEqual(['go on', 'go on'])
  })

  it('is asked before a goal goes on that a person sets beside it', async () => {
    w.world.shown = null
    await arm()
    await w.world.turn('do it', after())
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })
})
