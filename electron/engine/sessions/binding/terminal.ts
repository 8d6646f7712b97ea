import { z } from 'zod'
import { reviveRests } from '../../../../shared/events.ts'
import { clientKinds, type Scope } from '../../../../shared/words.ts'

/** A tmux pane, exactly: server socket, pane id, and the process it was made for. Names are only for people. */
const paneShape = z.object({
  socket: z.string(),
  paneId: z.string().regex(/^%\d+$/),
  panePid: z.number().int().nullable(),
  tmuxSession: z.string(),
})

const scopeShape = z.custom<Scope>((value) => typeof value === 'string' && /^(tmux|pty):./.test(value))

export const terminalShape = z.object({
  terminalId: z.string(),
  scope: scopeShape,
  kind: z.enum(['tmux', 'pty']),
  /**
   * `hosted`: a PTY of Onward's; `wrapped`: the person's own terminal through `onward claude`; `pane`: tmux; `acp`: an
   * editor's connection to its agent through `onward acp`
   */
  home: z.enum(['hosted', 'wrapped', 'pane', 'acp']),
  /** `found`: started by hand, without a key of its own */
  origin: z.enum(['launched', 'found']),
  client: z.enum(clientKinds),
  name: z.string(),
  /** a person named it: its first session takes over the name */
  named: z.boolean().optional(),
  cwd: z.string().nullable(),
  command: z.string(),
  /** SHA-256 of its local key, hex; null when it was found. The key itself is never stored. */
  keyHash: z.string().nullable(),
  pane: paneShape.nullable(),
  hostId: z.string().nullable(),
  /** it has no screen: each text is a run of its agent, a child of its host in a session of its own */
  headless: z.literal(true).optional(),
  /** identity that survives a restart of the client */
  daemonId: z.string().nullable(),
  agentPid: z.number().int().nullable(),
  openedAt: z.number(),
  endedAt: z.number().nullable(),
  exitCode: z.number().int().nullable(),
  /** current conversation: the session of its last main turn */
  sessionId: z.string().nullable(),
  /** of a client that names no conversation */
  conversation: z
    .object({
      n: z.number().int(),
      first: z.string(),
      compressed: z.boolean(),
      earlier: z
        .array(z.object({ n: z.number().int(), first: z.string() }))
        .readonly()
        .optional(),
      last: z.number().int().optional(),
    })
    .nullable(),
  /** when its agent was started again after it had ended by itself; only the last ones are kept */
  startedAgain: z.array(z.number()).readonly().optional(),
  /** why it was not started again, if a person has to deal with that */
  restsBecause: z.enum(reviveRests).optional(),
  /** the terminal that took over its stopMessage state, alarms and queue */
  heir: z.string().nullable(),
  /** when its orphaned state was removed */
  cleanedAt: z.number().nullable(),
})

export type Terminal = z.infer<typeof terminalShape>
export type PaneRef = NonNullable<Terminal['pane']>

/** A new terminal as a launcher, the PTY host or the pane finder describes it. */
export interface NewTerminal {
  kind: Terminal['kind']
  home: Terminal['home']
  client: Terminal['client']
  name: string
  named?: boolean
  cwd: string | null
  command: string
  pane?: PaneRef | null
  hostId?: string | null
  headless?: true
  daemonId?: string | null
  agentPid?: number | null
  /** if the PTY host has already given it an id */
  terminalId?: string
}

export const terminalsShape = z.object({ terminals: z.array(terminalShape) })
