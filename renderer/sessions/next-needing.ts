import type { SessionView } from '../../shared/state.ts'

/**
 * The session after `current` that needs a person, in the order of the list (longest waiting last), round and round.
 */
export function nextNeedingYou(sessions: ReadonlyMap<string, SessionView>, current: string | null): string | null {
  const asking = [...sessions.values()]
    .filter((s) => s.shape === 'needs' && !s.archived)
    .toSorted((a, b) => b.lastActivityAt - a.lastActivityAt || (a.id < b.id ? -1 : 1))
  const at = asking.findIndex((s) => s.id === current)
  return asking[(at + 1) % asking.length]?.id ?? null
}
