import type { SessionView } from './state.ts'

/** Counted among those that need a person: one that was put away is not. */
export const asksForPerson = ({ shape, archived }: Pick<SessionView, 'shape' | 'archived'>): boolean =>
  !archived && (shape === 'needs' || shape === 'failed')
