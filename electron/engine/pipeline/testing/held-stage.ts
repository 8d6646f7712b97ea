import type { Stage } from '../run-turn.ts'
import type { Turn } from '../turn.ts'

/** The same stage, which fails where it writes another field of the turn than those that it names. */
export const held = (stage: Stage): Stage => ({
  ...stage,
  async run(turn, services, begun) {
    const before = { ...turn }
    await stage.run(turn, services, begun)
    const written = (Object.keys({ ...before, ...turn }) as (keyof Turn)[]).filter(
      (name) => before[name] !== turn[name],
    )
    const others = written.filter((name) => !stage.writes.includes(name))
    if (others.length > 0) throw new Error(`The stage “${stage.name}” writes ${others.join(', ')}.`)
  },
})
