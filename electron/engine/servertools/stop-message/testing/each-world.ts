import { afterEach, beforeEach } from 'vitest'
import type { Scope } from '../../../../../shared/words.ts'
import { T } from '../../../terminals/outbox/testing/bench.ts'
import { openWorld, type World } from './world.ts'

/** A world of its own for every test of a file, and short words for what tests do with it. */
export function eachWorld() {
  let world: World
  const view = () => world.stop.view(T).stopMessage
  const outbox = async () => world.outboxes.of(T)
  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(() => {
    world.stop.dispose()
    world.outboxes.dispose()
  })
  return {
    get world() {
      return world
    },
    /** goes on in another one, e.g. after a restart */
    set world(next) {
      world = next
    },
    arm: (more: Partial<Parameters<World['stop']['arm']>[1]> = {}) =>
      world.stop.arm(T, { sessionId: 's1', text: 'go on', max: 3, review: false, by: 'marker', ...more }),
    typed: (scope: Scope = T) => world.target(scope).typed.map((o) => o.text),
    view,
    status: () => view()?.status ?? null,
    outbox,
    states: async () => (await outbox()).list().map((e) => e.state),
    types: () => world.story(),
    /** The agent takes up what was typed, works, and stops. */
    round: async (text = 'go on') => {
      await world.settled()
      await world.turn(text)
    },
  }
}
