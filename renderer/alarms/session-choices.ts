import type { SessionView } from '../../shared/state.ts'

/**
 * Sessions an alarm can be set for: the one a person looks at first, then by activity. One that has ended is offered
 * only when it was meant.
 */
export function sessionChoices(
  sessions: Iterable<SessionView>,
  first: string | null,
): readonly Pick<SessionView, 'id' | 'name'>[] {
  return [...sessions]
    .filter(({ id, shape }) => shape !== 'gone' || id === first)
    .toSorted((a, b) => Number(b.id === first) - Number(a.id === first) || b.lastActivityAt - a.lastActivityAt)
    .map(({ id, name }) => ({ id, name }))
}
