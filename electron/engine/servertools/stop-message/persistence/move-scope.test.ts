import { afterEach, describe, expect, it } from 'vitest'
import type { Scope } from '../../../../../shared/words.ts'
import { settle, T } from '../../../terminals/outbox/testing/bench.ts'
import type { Fate } from '../../../terminals/outbox/testing/memory-store.ts'
import { openWorld, type World } from '../testing/world.ts'
import { noStopMessage } from '../view.ts'

const U: Scope = 'tmux:other:%3'
let world: World
afterEach(() => {
  world.stop.dispose()
  world.outboxes.dispose()
})

const arm = (scope: Scope, text: string, max: number | null = 3) =>
  world.stop.arm(scope, { sessionId: 's1', text, max, review: false, by: 'marker' })
const text = (scope: Scope) => world.stop.view(scope).stopMessage?.text ?? null
const files = () =>
  Array.from(world.disk.files.keys())
    .filter((f) => f !== 'automation.json')
    .toSorted()

/** Two terminals; the old one is armed, one round was confirmed, one is on its way. */
async function halfWay(): Promise<void> {
  world = await openWorld({ targets: new Map() })
  world.target(T)
  world.target(U)
  const request = await world.begin('do it')
  await arm(T, 'go on')
  await world.end(request)
  await world.settled()
  await world.turn('go on')
  await world.settled()
  expect(world.stop.view(T).stopMessage).toMatchObject({ used: 2, status: { kind: 'injecting' } })
}
/** Must hold however the move went. */
async function moved(): Promise<void> {
  expect(world.stop.view(U).stopMessage).toMatchObject({ text: 'go on', used: 2, max: 3, status: { kind: 'armed' } })
  expect(world.stop.view(T)).toEqual(noStopMessage)
  expect(files()).toEqual(['outbox/tmux-other%3a%253.json', 'tmux-other%3a%253.json'])
  await world.turn('back again', { scope: U })
  await world.settled()
  expect(world.target(U).typed.map((o) => o.text)).toEqual(['go on'])
  expect(world.target(T).typed).toHaveLength(2)
  expect(world.stop.view(U).stopMessage).toMatchObject({ used: 3 })
}

describe('a client that comes back in another terminal', () => {
  it('takes its stopMessage along; the next followup lands in the new one', async () => {
    await halfWay()
    expect(await world.stop.move(T, U)).toBe(true)
    await moved()
    expect(world.notices).toEqual([])
  })

  it('moves nothing a second time, nor where nothing was', async () => {
    await halfWay()
    await world.stop.move(T, U)
    expect(await world.stop.move(T, U)).toBe(false)
    expect(await world.stop.move(U, U)).toBe(false)
    await moved()
  })

  it.each(
    Array.from({ length: 7 }, (_, i) => i + 1).flatMap((n) =>
      (['crash', 'crash-after'] as Fate[]).map((fate): [number, Fate] => [n, fate]),
    ),
  )('ends in the same when the engine dies at write %i (%s)', async (n, fate) => {
    for (const again of [false, true]) {
      await halfWay()
      let writes = 0
      world.disk.fate = () => (++writes === n ? fate : 'ok')
      void world.stop.move(T, U)
      await settle(world.clock)
      expect(world.store.crashed).toBe(true)
      world = await revive(world)
      // Before the first write is on disk there is nothing a start could know of.
      if (again || (n === 1 && fate === 'crash')) await world.stop.move(T, U)
      await moved()
      world.stop.dispose()
      world.outboxes.dispose()
    }
  })

  it('is refused when the disk refuses, loses nothing, and can be repeated', async () => {
    for (const n of [1, 2, 3, 4, 5]) {
      await halfWay()
      let writes = 0
      world.disk.fate = () => (++writes === n ? 'fail' : 'ok')
      await world.stop.move(T, U).catch(() => undefined)
      await world.stop.move(T, U)
      await world.clock.advance(30_000)
      await moved()
      world.stop.dispose()
      world.outboxes.dispose()
    }
  })

  it('the later setting wins, and its followup with it', async () => {
    world = await openWorld({ targets: new Map() })
    world.target(T)
    world.target(U).reading = { kind: 'hold', reason: { code: 'draft' } }
    const request = await world.begin('hi', { scope: U })
    await arm(U, 'older')
    await world.end(request, { scope: U })
    await world.clock.advance(1_000)
    await arm(T, 'later')
    await world.stop.move(T, U)
    expect(text(U)).toBe('later')
    expect((await world.outboxes.of(U)).list().map((e) => [e.text, e.state])).toEqual([
      ['older', 'superseded'],
      ['later', 'queued'],
    ])
  })

  it('a turn that ended in the new one before its stopMessage arrived is looked at again', async () => {
    await halfWay()
    await world.turn('back again', { scope: U })
    await world.stop.move(T, U)
    await world.settled()
    expect(world.target(U).typed.map((o) => o.text)).toEqual(['go on'])
    expect(world.stop.view(U).stopMessage).toMatchObject({ used: 3 })
  })

  it('an older setting never takes the place of a later clear', async () => {
    world = await openWorld()
    await arm(T, 'older')
    await world.clock.advance(1_000)
    await arm(U, 'x')
    await world.stop.clear(U, 'user')
    await world.stop.move(T, U)
    expect(text(U)).toBeNull()
    expect(world.stop.view(U).lastStopMessage).toMatchObject({ text: 'x' })
  })

  it('takes a pause along', async () => {
    await halfWay()
    await world.stop.pause(T)
    await world.stop.move(T, U)
    expect(world.stop.view(U).stopMessage?.status).toMatchObject({ kind: 'paused', reason: { code: 'by-user' } })
    expect((await world.outboxes.of(U)).paused()).toEqual({ code: 'by-user' })
  })

  it.each([{ code: 'terminal-gone', why: 'pane closed' }, { code: 'agent-gone' }] as const)(
    'goes on where it was after $code: failed in between, told once',
    async (reason) => {
      await halfWay()
      await (await world.outboxes.of(T)).gone(reason)
      expect(world.stop.view(T).stopMessage).toMatchObject({ used: 2, status: { kind: 'failed', reason } })
      world.events.length = 0
      await world.stop.move(T, U)
      expect(world.story()).toEqual(['armed'])
      expect(world.events[0]).toMatchObject({ by: 're-arm', scope: U, max: 3 })
      await moved()
      expect(world.notices).toEqual([{ class: 'injection-failed', reason }])
    },
  )

  it('what was dismissed in between stays dismissed', async () => {
    await halfWay()
    await (await world.outboxes.of(T)).gone({ code: 'agent-gone' })
    await world.stop.clear(T, 'user')
    await world.stop.move(T, U)
    expect(world.stop.view(U)).toMatchObject({ stopMessage: null, lastStopMessage: { used: 2 } })
  })

  it('moves what a person queued, where nothing was armed', async () => {
    world = await openWorld({ targets: new Map() })
    await (await world.outboxes.of(T)).add({ sessionId: 's1', text: 'by hand', source: 'user' })
    expect(await world.stop.move(T, U)).toBe(true)
    await world.turn('back', { scope: U })
    world.target(U)
    await world.settled()
    expect(world.target(U).typed.map((o) => o.text)).toEqual(['by hand'])
  })
})

describe('a dead terminal nobody took over', () => {
  it('is cleaned, and the timeline says so', async () => {
    await halfWay()
    await (await world.outboxes.of(T)).add({ sessionId: 's1', text: 'by hand', source: 'user' })
    world.events.length = 0
    await world.stop.clean(T)
    // the followup that waits for its receipt, and what the person queued
    expect(world.story()).toEqual(['cleared', 'failed', 'failed'])
    expect(world.events.find((e) => e.type === 'cleared')).toMatchObject({ by: 'orphaned', scope: T })
    expect(world.notices).toMatchObject(Array(2).fill({ class: 'injection-failed', reason: { code: 'terminal-gone' } }))
    expect(files()).toEqual([])
    expect(world.stop.inUse(T)).toBe(false)
  })
  it('that had nothing is cleaned without a word', async () => {
    world = await openWorld()
    world.events.length = 0
    await world.stop.clean(U)
    expect(world.events).toEqual([])
  })
})

describe('a scope in use', () => {
  it('has a state or something waiting', async () => {
    world = await openWorld()
    expect(world.stop.inUse(T)).toBe(false)
    await arm(T, 'go on')
    expect(world.stop.inUse(T)).toBe(true)
    await world.stop.clear(T, 'user')
    expect(world.stop.inUse(T)).toBe(false)
    await (await world.outboxes.of(T)).add({ sessionId: 's1', text: 'x', source: 'user' })
    expect(world.stop.inUse(T)).toBe(true)
    expect(world.stop.scopes()).toEqual([T])
  })
})

/** The next engine, which does not ask for the old scope by itself. */
async function revive(dead: World): Promise<World> {
  dead.stop.dispose()
  dead.outboxes.dispose()
  dead.disk.fate = () => 'ok'
  return openWorld(
    { disk: dead.disk, clock: dead.clock, targets: dead.targets, random: dead.deps.random },
    { openMain: false },
  )
}
