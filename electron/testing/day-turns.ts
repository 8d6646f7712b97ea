/** When the agents of a virtual day make their turns. */
export const minute = 60_000
/** of so many sessions one has an alarm every ten minutes, and another one a daily one */
export const each = 10
export const oftenMs = 10 * minute

export interface Turn {
  at: number
  session: string
}

/** Agents work by day, with a pause for thinking between two turns; seeded, so that every run has the same day. */
export function turnsOf({ sessions, turnsEach, hours }: Record<'sessions' | 'turnsEach' | 'hours', number>): Turn[] {
  let seed = 7
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  const day = hours * 60 * minute
  return Array.from({ length: sessions }, (_, i) => {
    let at = day * (1 / 3 + random() / 3)
    return Array.from({ length: turnsEach }, () => {
      at = Math.min(at + minute * (0.5 + 4 * random()), day - minute)
      return { at, session: sessionOf(i) }
    })
  })
    .flat()
    .concat(wokenBy(sessions, day))
    .sort((a, b) => a.at - b.at)
}

/** An agent that an alarm woke makes a turn, which takes it. */
const wokenBy = (sessions: number, day: number): Turn[] =>
  Array.from({ length: sessions }, (_, i) => i)
    .filter((i) => i % each === 0)
    .flatMap((i) =>
      Array.from({ length: Math.floor(day / oftenMs) }, (_, n) => ({
        at: (n + 1) * oftenMs + minute / 2,
        session: sessionOf(i),
      })),
    )

export const sessionOf = (i: number): string => `day-${i}`
