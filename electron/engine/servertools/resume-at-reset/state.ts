import { z } from 'zod'
import type { DocumentSpec } from '../../store/types.ts'

/** The state of a session at its limit. */
export type Phase =
  /** no person asked for it to go on, or a person took that back for this limit */
  | { kind: 'stands' }
  /** `resumeAt` null: until the provider answers again. `early`: the provider answered before the time it had stated */
  | { kind: 'waits'; resumeAt: number | null; early: boolean }
  /** its followup is in the outbox; kept to know whether it ends at the limit again */
  | { kind: 'continued'; at: number; entryId: string; early: boolean }

/** A session whose last turn ended at a provider's limit. Instants are epoch milliseconds. */
export interface LimitedSession {
  /** of this session at this limit; the `group` of its followup */
  id: string
  provider: string
  since: number
  /** null: the provider did not say */
  lifts: number | null
  /** when the session's turn ended there */
  at: number
  /** continuations in a row that ended at a limit which was none, or lifts at once */
  again: number
  phase: Phase
}

export interface ProviderLimit {
  since: number
  lifts: number | null
}

export interface ResumeState {
  /** sessions with the switch on, and since when */
  readonly on: ReadonlyMap<string, number>
  readonly limits: ReadonlyMap<string, LimitedSession>
  /** providers at a limit that a person was told of */
  readonly providers: ReadonlyMap<string, ProviderLimit>
}

export const emptyState: ResumeState = { on: new Map(), limits: new Map(), providers: new Map() }

/** Limits the size of the file: entries set or touched longest ago are dropped. */
export const most = { on: 2000, limits: 500, providers: 200 } as const

const instant = z.number()
const phase = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stands') }),
  z.object({ kind: z.literal('waits'), resumeAt: instant.nullable(), early: z.boolean().catch(false) }),
  z.object({ kind: z.literal('continued'), at: instant, entryId: z.string(), early: z.boolean().catch(false) }),
])
const file = z.object({
  on: z.array(z.object({ session: z.string(), since: instant })),
  limits: z.array(
    z.object({
      session: z.string(),
      id: z.string().min(1),
      provider: z.string(),
      since: instant,
      lifts: instant.nullable(),
      at: instant,
      again: z.number().int().min(0).catch(0),
      phase,
    }),
  ),
  providers: z.array(z.object({ provider: z.string(), since: instant, lifts: instant.nullable() })),
})

/** Lists instead of objects: a session's name is its client's choice, `__proto__` included. */
export type ResumeFile = z.infer<typeof file>

export const resumeSpec: DocumentSpec<ResumeFile> = {
  path: 'resume-at-reset.json',
  version: 1,
  parse: (value) => file.parse(value),
}

export const toFile = (state: ResumeState): ResumeFile => ({
  on: Array.from(state.on, ([session, since]) => ({ session, since })),
  limits: Array.from(state.limits, ([session, limit]) => ({ session, ...limit })),
  providers: Array.from(state.providers, ([provider, limit]) => ({ provider, ...limit })),
})

export const fromFile = (value: ResumeFile): ResumeState => ({
  on: new Map(value.on.map(({ session, since }) => [session, since])),
  limits: new Map(value.limits.map(({ session, ...limit }) => [session, limit])),
  providers: new Map(value.providers.map(({ provider, ...limit }) => [provider, limit])),
})
