import type { LimitedSession, ProviderLimit, ResumeState } from './state.ts'

/** providers round their reset times, and clocks differ */
export const MARGIN_MS = 5_000
/** between the sessions of one provider, so that they don't come back all at once */
export const STAGGER_MS = 3_000
/** a limit that lifts within this is none worth waiting for again and again */
export const SOON_MS = 60_000
/** continuations in a row that end at such a limit */
export const MOST_AGAIN = 3
/** after this no person expects the session to go on by itself any more */
export const OVERDUE_MS = 24 * 3_600_000
/** a limit that its provider never lifts, and a continued session, are forgotten */
export const FORGET_MS = 7 * 24 * 3_600_000

/** The limit is over. */
export const isOver = ({ lifts }: ProviderLimit, now: number): boolean => lifts !== null && now >= lifts + MARGIN_MS

/** It was continued too often for nothing: only a turn that is answered or a person's word begins anew. */
export const hasStopped = ({ phase, again }: LimitedSession): boolean => phase.kind === 'stands' && again >= MOST_AGAIN

/** A client that asks again and again reports one limit, each time a little differently. */
export function isSameLimit(known: ProviderLimit, stated: ProviderLimit, now: number): boolean {
  return known.since === stated.since || !isOver(known, now)
}

/**
 * `resets in 4 s` is another instant each time it is said, so small differences are ignored. A time that is known stays
 * known when a later refusal names none.
 */
export function liftsNow(known: number | null, stated: number | null): number | null {
  if (stated === null || (known !== null && Math.abs(stated - known) <= MARGIN_MS)) return known
  return stated
}

/** The first free instant from `from` on among the sessions that wait for this provider. */
export function slotFrom(state: ResumeState, provider: string, from: number, except: string): number {
  const taken = Array.from(state.limits).flatMap(([session, { provider: p, phase }]) =>
    p === provider && session !== except && phase.kind === 'waits' && phase.resumeAt !== null ? [phase.resumeAt] : [],
  )
  return freeSlot(taken, from)
}

/** The first instant from `from` on that is far enough from those that are taken. */
export function freeSlot(taken: readonly number[], from: number): number {
  let slot = from
  for (const other of taken.toSorted((a, b) => a - b))
    if (Math.abs(other - slot) < STAGGER_MS) slot = other + STAGGER_MS
  return slot
}

/** When the session is continued; null: unknown. */
export const resumeAtFor = (
  state: ResumeState,
  session: string,
  { provider, lifts }: Pick<LimitedSession, 'provider' | 'lifts'>,
  now: number,
): number | null => (lifts === null ? null : slotFrom(state, provider, Math.max(lifts, now) + MARGIN_MS, session))
