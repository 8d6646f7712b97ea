import { z } from 'zod'
import type { DocumentSpec } from '../../store/types.ts'

export type Phase =
  /**
   * until one of its targets answers. `trialAt`: no model can be asked, and the session tries by itself then (epoch ms)
   */
  | { kind: 'waits'; trialAt: number | null }
  /** its text is in the outbox, or was typed */
  | { kind: 'typed'; entryId: string; at: number }
  /** nothing is to be done; kept for what it counts */
  | { kind: 'rests' }

/** A session with a turn that failed for good. Instants are epoch milliseconds. */
export interface Recovery {
  /** of this one failure; the `group` of its text */
  id: string
  /** `provider.model` of all models asked since a turn was last answered */
  targets: readonly string[]
  since: number
  /** texts since a turn was last answered */
  tries: number
  /** when texts were typed within the last day */
  typed: readonly number[]
  /** the context is full: `first` its agent's own command makes room, which is `done`, or the agent does so itself */
  compact?: 'first' | 'done' | undefined
  phase: Phase
}

export interface RecoverState {
  /** a person's choice for a session; it overrides the config */
  readonly switches: ReadonlyMap<string, boolean>
  readonly sessions: ReadonlyMap<string, Recovery>
}

export const emptyState: RecoverState = { switches: new Map(), sessions: new Map() }

/** Limits the size of the file: the oldest entries are dropped. */
const most = { switches: 2_000, sessions: 500 } as const

const file = z.object({
  switches: z.array(z.object({ session: z.string(), on: z.boolean() })),
  sessions: z.array(
    z.object({
      session: z.string(),
      id: z.string().min(1),
      targets: z.array(z.string()),
      since: z.number(),
      tries: z.number().int().min(0),
      typed: z.array(z.number()),
      compact: z.enum(['first', 'done']).optional(),
      phase: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('waits'), trialAt: z.number().nullable() }),
        z.object({ kind: z.literal('typed'), entryId: z.string(), at: z.number() }),
        z.object({ kind: z.literal('rests') }),
      ]),
    }),
  ),
})

/** Lists instead of objects: a session's name is its client's choice, `__proto__` included. */
export type RecoverFile = z.infer<typeof file>

export const recoverSpec: DocumentSpec<RecoverFile> = {
  path: 'recover.json',
  version: 1,
  parse: (value) => file.parse(value),
}

export const toFile = ({ switches, sessions }: RecoverState): RecoverFile => ({
  switches: Array.from(switches, ([session, on]) => ({ session, on })).slice(-most.switches),
  sessions: Array.from(sessions, ([session, { targets, typed, ...rest }]) => ({
    session,
    targets: [...targets],
    typed: [...typed],
    ...rest,
  })).slice(-most.sessions),
})

export const fromFile = ({ switches, sessions }: RecoverFile): RecoverState => ({
  switches: new Map(switches.map(({ session, on }) => [session, on])),
  sessions: new Map(sessions.map(({ session, ...recovery }) => [session, recovery])),
})
