/** Members that hold what people, models or programs wrote: followups, goals, markers, questions, findings. */
const texts: ReadonlySet<string> = new Set(['text', 'marker', 'what', 'say', 'evidence'])

/** Lists of such: what a reviewer saw and said. */
const lists: ReadonlySet<string> = new Set(['evidence', 'blockers', 'looks', 'checks'])

/** what an event of pausing calls its extent */
const extents: ReadonlySet<unknown> = new Set(['session', 'all'])

/** Event fields for the log: followups and other words of people are in the timeline only, never in the log. */
export function withoutTexts(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (texts.has(name) && typeof value === 'string' && !extents.has(value)) return [[`${name}Length`, value.length]]
      if (lists.has(name) && Array.isArray(value)) return [[`${name}Count`, value.length]]
      return [[name, isPlain(value) ? withoutTexts(value) : value]]
    }),
  )
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
