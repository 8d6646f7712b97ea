import { describe, expect, it } from 'vitest'
import type { TurnFailure } from '../../../shared/state.ts'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { SIGNAL_MS } from '../terminals/left-signal.ts'
import { fakeTarget } from '../terminals/outbox/testing/fake-target.ts'
import type { TerminalReading, TypingTarget } from '../terminals/types.ts'
import { createFailures, type KeptFailures, createStalls, STALLS_MS } from './failures.ts'

/** what would be on the disk */
function fakeDisk(): KeptFailures {
  const known = new Map<string, TurnFailure>()
  return {
    get: (id) => known.get(id) ?? null,
    set: (id, failure) => void (failure === null ? known.delete(id) : known.set(id, failure)),
    list: () => [...known].map(([sessionId, failure]) => ({ sessionId, terminalId: 't1', failure })),
  }
}

function setUp(kept = fakeDisk()) {
  const clock = virtualClock()
  const target = fakeTarget('t1')
  const told: string[] = []
  const gaveUp: number[] = []
  const stopped: boolean[] = []
  const failures = createFailures({
    clock,
    log: silentLog,
    findTarget: () => target,
    kept,
    onChange: (sessionId) => {
      told.push(sessionId)
    },
    onGaveUp: (_sessionId, { tries }, byPerson) => {
      gaveUp.push(tries)
      stopped.push(byPerson)
    },
  })
  const fail = (status: number, terminalId: string | null = 't1', turn?: string) =>
    failures.failed('s1', terminalId, { provider: 'zai', status, message: 'Overloaded.', tried: [], turn })
  return { clock, target, told, gaveUp, stopped, failures, fail, kept }
}
const busy = { kind: 'hold', reason: { code: 'agent-busy' } } as const
const ready = { kind: 'ready', bracketedPaste: true } as const

describe('a failed turn', () => {
  it('is tried again while the agent is busy, and its tries are counted', async () => {
    const { clock, target, failures, fail, told } = setUp()
    target.reading = busy
    fail(529)
    const since = clock.now()
    await clock.advance(60_000)
    failures.began('s1')
    fail(529)
    expect(failures.of('s1')).toEqual({
      provider: 'zai',
      status: 529,
      message: 'Overloaded.',
      tries: 2,
      since,
      at: clock.now(),
      tried: [],
      retries: true,
    })
    failures.began('s1')
    failures.over('s1')
    expect(failures.of('s1')).toBeNull()
    expect(told).toHaveLength(3)
    expect(clock.pending()).toBe(0)
  })

  it('is tried in vain until an answer begins, and again once that one breaks off', () => {
    const { failures, fail, told } = setUp()
    failures.answered('s1')
    expect([failures.inVain('s1'), told]).toEqual([false, []])
    fail(529)
    failures.began('s1')
    expect(failures.inVain('s1')).toBe(true)
    failures.answered('s1')
    expect([failures.inVain('s1'), told]).toEqual([false, ['s1', 's1']])
    fail(200)
    expect([failures.inVain('s1'), failures.of('s1')?.tries]).toEqual([true, 2])
    failures.over('s1')
    expect(failures.inVain('s1')).toBe(false)
    failures.dispose()
  })

  it('has failed for good where the agent’s title or report alone still says that it works', async () => {
    const { clock, target, gaveUp, failures, fail } = setUp()
    target.reading = { ...busy, screenAlone: ready }
    fail(500)
    await clock.advance(SIGNAL_MS)
    expect(failures.of('s1')?.retries).toBe(true)
    await clock.advance(SIGNAL_MS)
    expect(failures.of('s1')?.retries).toBe(false)
    expect(gaveUp).toEqual([1])
  })

  it('has failed for good once the agent waits for its person', async () => {
    const { clock, target, gaveUp, failures, fail } = setUp()
    target.reading = ready
    fail(500)
    await clock.advance(2_000)
    expect(failures.of('s1')?.retries).toBe(true)
    await clock.advance(2_000)
    expect(failures.of('s1')).toMatchObject({ retries: false, tries: 1 })
    expect(gaveUp).toEqual([1])
    expect(clock.pending()).toBe(0)
    // Another turn: until it ends well, the last one that ended has failed.
    failures.began('s1')
    expect(failures.of('s1')).toMatchObject({ retries: false, tries: 1 })
    failures.over('s1')
    expect(failures.of('s1')).toBeNull()
  })

  it.each<[string, boolean, TerminalReading]>([
    ['the agent gave up', false, ready],
    ['its screen says that its person broke it off', true, { ...ready, stopped: true }],
    ['it says so while its own report is left over', true, { ...busy, screenAlone: { ...ready, stopped: true } }],
    ['the message stands in the composer again', true, { kind: 'composer-holds', text: 'do it' }],
    ['a person types', true, { kind: 'hold', reason: { code: 'typing' } }],
  ])('tells who ended it: %s', async (_what, byPerson, reading) => {
    const { clock, target, stopped, fail } = setUp()
    target.reading = reading
    fail(529)
    await clock.advance(4 * SIGNAL_MS)
    expect(stopped).toEqual([byPerson])
  })

  it('is waited for where the context is full: most agents make room and ask once more', async () => {
    const { clock, target, failures, gaveUp } = setUp()
    target.reading = busy
    const full = { provider: 'zai', status: 400, message: 'prompt is too long', tried: [], full: true } as const
    failures.failed('s1', 't1', full)
    await clock.advance(60_000)
    expect(gaveUp).toEqual([])
    expect(failures.of('s1')).toMatchObject({ full: true, retries: true })
    target.reading = ready
    await clock.advance(4_000)
    expect(gaveUp).toEqual([1])
  })

  it('counts anew where the turn after it fails as well', async () => {
    const { failures, fail, clock } = setUp()
    fail(401, 't1', 'one')
    await clock.advance(60_000)
    failures.began('s1')
    fail(401, 't1', 'another')
    expect(failures.of('s1')).toMatchObject({ tries: 1, since: clock.now() })
  })

  it('is known to the next engine, told once, and waited for where its agent may ask again', async () => {
    const first = setUp()
    first.fail(401, 't1', 'one')
    first.failures.dispose()
    const second = setUp(first.kept)
    second.failures.start()
    expect(second.failures.of('s1')).toMatchObject({ status: 401, retries: false })
    expect(second.gaveUp).toEqual([])
    expect(second.clock.pending()).toBe(0)
    second.fail(503, 't1', 'another')
    second.failures.dispose()
    const third = setUp(first.kept)
    third.target.reading = ready
    third.failures.start()
    expect(third.failures.of('s1')?.retries).toBe(true)
    await third.clock.advance(4_000)
    expect(third.failures.of('s1')?.retries).toBe(false)
    expect(third.gaveUp).toEqual([1])
  })

  it('is told once where it failed after tools, and again after an answer', () => {
    const { failures, fail, gaveUp } = setUp()
    for (let i = 0; i < 3; i++) fail(401)
    expect(gaveUp).toEqual([1])
    failures.over('s1')
    fail(401)
    expect(gaveUp).toEqual([1, 1])
  })

  it('is told once, however often its agent asks again, at the next engine as well', async () => {
    const first = setUp()
    for (let i = 0; i < 3; i++) {
      first.failures.began('s1')
      first.fail(401, 't1', 'digest = write it')
      await first.clock.advance(1_000)
    }
    expect(first.failures.of('s1')).toMatchObject({ tries: 3, since: first.clock.now() - 3_000, retries: false })
    expect(first.gaveUp).toEqual([1])
    expect(JSON.stringify(first.failures.of('s1'))).not.toContain('write it')
    first.failures.dispose()

    const second = setUp(first.kept)
    second.failures.start()
    expect(second.failures.isOf('s1', 'digest = write it')).toBe(true)
    expect(second.failures.isOf('s1', 'digest = write the other')).toBe(false)
    second.fail(401, 't1', 'digest = write it')
    expect(second.failures.of('s1')?.tries).toBe(4)
    expect(second.gaveUp).toEqual([])
    // Another turn is another matter.
    second.fail(401, 't1', 'digest = write the other')
    expect(second.gaveUp).toEqual([1])
    second.failures.over('s1')
    expect(second.failures.isOf('s1', 'digest = write the other')).toBe(false)
  })

  it('is kept in bounds, however much the provider says', () => {
    const { failures } = setUp()
    const attempt = { provider: 'zai', model: 'glm', keyAlias: 'main', status: 500, code: '500' }
    const tried = Array.from({ length: 99 }, () => attempt)
    failures.failed('s1', null, { provider: 'zai', status: 500, message: 'x'.repeat(99_999), tried })
    expect(JSON.stringify(failures.of('s1')).length).toBeLessThan(6_000)
  })

  it('has not failed for good because of one look between two screens', async () => {
    const { clock, target, failures, fail } = setUp()
    fail(500)
    target.reading = ready
    await clock.advance(2_000)
    target.reading = busy
    await clock.advance(2_000)
    target.reading = ready
    await clock.advance(2_000)
    expect(failures.of('s1')?.retries).toBe(true)
  })

  it.each([
    ['whose screen says nothing', 't1', 5 * 60_000],
    ['that nobody can look at', null, 60_000],
  ])('of an agent %s is waited for, though not for ever', async (_, terminalId, ms) => {
    const { clock, target, failures, fail } = setUp()
    target.reading = { kind: 'hold', reason: { code: 'screen-unknown' } }
    fail(429, terminalId)
    await clock.advance(ms - 3_000)
    expect(failures.of('s1')?.retries).toBe(true)
    await clock.advance(6_000)
    expect(failures.of('s1')?.retries).toBe(false)
  })

  it.each([400, 401, 403, 404, 413, 422])('with status %i is tried again by no agent', (status) => {
    const { clock, failures, fail } = setUp()
    fail(status)
    expect(failures.of('s1')?.retries).toBe(false)
    expect(clock.pending()).toBe(0)
  })

  it('is waited for no more when the next request comes while the terminal is read', async () => {
    const { clock, target, failures, fail } = setUp()
    target.reading = ready
    fail(503)
    await clock.advance(2_000)
    target.read = async () => {
      failures.began('s1')
      return ready
    }
    await clock.advance(2_000)
    expect(failures.of('s1')?.retries).toBe(true)
    expect(clock.pending()).toBe(0)
  })
})

describe('stalls', () => {
  const busy: TerminalReading = { kind: 'hold', reason: { code: 'agent-busy' } }
  const ready: TerminalReading = { kind: 'ready', bracketedPaste: true }
  const minute = 60_000

  function world() {
    const clock = virtualClock()
    const shown: { reading: TerminalReading; fails: boolean } = { reading: busy, fails: false }
    const told: [string, number][] = []
    const moves: string[] = []
    let changes = 0
    const stalls = createStalls({
      clock,
      log: silentLog,
      findTarget: () =>
        ({
          async read() {
            if (shown.fails) throw new Error('tmux does not answer')
            return shown.reading
          },
        }) as unknown as TypingTarget,
      onChange: () => void changes++,
      onStalled: (id, since) => (since === null ? moves.push(id) : told.push([id, since])),
    })
    return { clock, shown, told, moves, stalls, changes: () => changes }
  }

  describe('an agent that runs tools', () => {
    it('stalls when its screen is busy and nothing is heard for long, told once, until its next request', async () => {
      const { clock, told, moves, stalls, changes } = world()
      const since = clock.now()
      stalls.ended('s', 't', true)
      await clock.advance(STALLS_MS - 1)
      expect([stalls.of('s'), told]).toEqual([null, []])
      await clock.advance(1)
      expect([stalls.of('s'), told]).toEqual([{ since }, [['s', since]]])
      await clock.advance(180 * minute)
      expect([told.length, changes(), moves]).toEqual([1, 1, []])
      stalls.over('s')
      expect([stalls.of('s'), changes(), moves]).toEqual([null, 2, ['s']])
      await clock.advance(180 * minute)
      expect(told).toHaveLength(1)
    })

    it('does not where its screen shows that it is at rest, asks something, or a sub-agent is heard of', async () => {
      const { clock, shown, told, stalls } = world()
      shown.reading = ready
      stalls.ended('rests', 't', true)
      await clock.advance(STALLS_MS)
      shown.reading = { kind: 'hold', reason: { code: 'dialog-open', what: 'Allow?' } }
      stalls.ended('asks', 't', true)
      await clock.advance(STALLS_MS)
      shown.reading = busy
      stalls.ended('delegates', 't', true)
      for (let i = 0; i < 10; i++) {
        await clock.advance(STALLS_MS - minute)
        stalls.alive('delegates')
      }
      stalls.ended('said', 't', false)
      stalls.ended('unseen', null, true)
      stalls.alive('unknown')
      await clock.advance(STALLS_MS - minute)
      expect(told).toEqual([])
      await clock.advance(minute)
      expect(told.map(([id]) => id)).toEqual(['delegates'])
    })

    it('comes back by itself, and a screen that can’t be read says nothing', async () => {
      const { clock, shown, told, stalls } = world()
      shown.fails = true
      stalls.ended('s', 't', true)
      await clock.advance(STALLS_MS + minute)
      expect(told).toEqual([])
      shown.fails = false
      await clock.advance(minute)
      expect(told).toHaveLength(1)
      shown.reading = ready
      await clock.advance(minute)
      expect(stalls.of('s')).toBeNull()
      stalls.dispose()
      expect(clock.pending()).toBe(0)
    })
  })
})
