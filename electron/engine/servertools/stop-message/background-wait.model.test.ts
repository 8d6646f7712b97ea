import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NamedWork } from '../../sessions/activity.ts'
import { T } from '../../terminals/outbox/testing/bench.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { openWorld, type World } from './testing/world.ts'

const minute = 60_000
const mostMs = 10 * minute
const names = ['a', 'b', 'c'] as const
type Name = (typeof names)[number]

/** Events around a goal whose agent has work in the background. */
type Act =
  | { do: 'start' | 'end'; name: Name }
  /** the agent's own turn: a notification, an event of a monitor */
  | { do: 'own-turn' }
  | { do: 'person' | 'pause' | 'resume' | 'restart' }
  | { do: 'pass'; minutes: number }
  | { do: 'screen'; shows: 'work' | 'none' | 'nothing' }

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constantFrom('start' as const, 'end' as const), name: fc.constantFrom(...names) }),
  fc.record({ do: fc.constantFrom('own-turn' as const, 'person' as const) }),
  fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const, 'restart' as const) }),
  fc.record({ do: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ do: fc.constant('screen' as const), shows: fc.constantFrom('work' as const, 'none' as const) }),
)

/** The agent's real work, and since when a stop was seen beside it. */
class Model {
  running = new Map<Name, { since: number | null; passed: boolean }>()
  ended: Name[] = []
  screen: string | null | undefined = undefined
  found() {
    const running = [...this.running.keys()].map((id): NamedWork => ({ id, kind: 'command', what: id }))
    return { running, ended: [...this.ended] }
  }
}

async function run(acts: readonly Act[]): Promise<void> {
  let world: World = await openWorld()
  const model = new Model()
  await world.stop.arm(T, { sessionId: 's1', text: 'go on', max: null, review: false, by: 'marker' })
  let paused = false
  const typed = () => world.target().typed.length
  const now = () => world.clock.now()
  const stopped = async (text: string) => {
    await world.turn(text, { background: model.found() })
    for (const work of model.running.values()) work.since ??= now()
  }
  /** no known work is left that a stop must wait for; work that began after the last stop is not reported yet */
  const isFree = () =>
    [...model.running.values()].every(({ since, passed }) => passed || since === null || now() >= since + mostMs)
  const waits = () => {
    const status = world.stop.view(T).stopMessage?.status
    return status?.kind === 'armed' ? (status.waits ?? null) : null
  }
  try {
    await stopped('begin')
    for (const one of acts) {
      const before = typed()
      const wasFree = isFree()
      switch (one.do) {
        case 'start':
          if (!model.running.has(one.name)) model.running.set(one.name, { since: null, passed: false })
          model.ended = model.ended.filter((name) => name !== one.name)
          break
        case 'end':
          if (model.running.delete(one.name)) model.ended.push(one.name)
          break
        case 'own-turn':
        case 'person':
          await stopped(one.do === 'person' ? 'now this' : 'it has ended')
          break
        case 'pause':
          await world.stop.pause(T)
          paused = true
          break
        case 'resume': {
          const waited = waits() !== null
          await world.stop.resume(T)
          if (waited) for (const work of model.running.values()) if (work.since !== null) work.passed = true
          paused = false
          break
        }
        case 'restart':
          world = await world.kill()
          break
        case 'pass':
          await world.clock.advance(one.minutes * minute)
          break
        case 'screen':
          // It shows what is so: none only where nothing runs.
          world.shown = one.shows === 'work' ? '1 shell' : model.running.size === 0 ? null : undefined
          break
      }
      await world.settled()
      const shown = waits()
      if (shown) expect(shown.until).toBe(shown.since + mostMs)
      if (paused) expect(shown).toBeNull()
      // Nothing is typed while it is known that work runs whose wait is not over.
      if (typed() > before) expect(wasFree || isFree() || one.do === 'resume').toBe(true)
      // A wait has an end.
      if (shown) expect(now()).toBeLessThan(shown.until)
    }
    // Whatever came before: let go on, and with time enough, the last stop is answered.
    if (paused) await world.stop.resume(T)
    await world.clock.advance(2 * mostMs)
    await world.settled()
    expect(waits()).toBeNull()
    expect(typed()).toBeGreaterThan(0)
  } finally {
    world.stop.dispose()
    world.outboxes.dispose()
  }
}

describe('waiting for work in the background, in any order of events', () => {
  it('types nothing beside it, and always comes to its end', async () => {
    await fc.assert(fc.asyncProperty(fc.array(act, { maxLength: 14 }), run), runs(200))
  })
})
