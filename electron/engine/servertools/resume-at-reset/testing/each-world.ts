import { afterEach, beforeEach } from 'vitest'
import { openWorld, type World } from './world.ts'

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute

/** A world of its own for every test of a file, and short words for what tests do with it. */
export function eachWorld() {
  let world: World
  const dispose = () => {
    world.resume.dispose()
    world.outboxes.dispose()
  }
  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(dispose)
  return {
    get world() {
      return world
    },
    /** goes on in another one, e.g. after a restart */
    set world(next) {
      world = next
    },
    dispose,
    now: () => world.clock.now(),
    types: (session?: string) => world.told(session).map((body) => body.type),
    after: (ms: number) => world.clock.advance(ms),
    on: (session = 's1') => world.resume.set(session, true),
  }
}
