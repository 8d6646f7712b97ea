import { z } from 'zod'
import type { FailReason, HoldReason, PauseReason } from '../../../../shared/events.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { KnownConversation } from '../said.ts'
import { scopeFile } from '../../store/disk-files.ts'
import type { DocumentSpec } from '../../store/types.ts'
import { authors, endedAtOf, type OutboxEntry } from './entry.ts'
import type { OutboxSettings } from './settings.ts'

/** The content of one scope's outbox file. */
export interface OutboxState {
  scope: Scope
  entries: readonly OutboxEntry[]
  /** nothing is typed in this scope until a person resumes it */
  paused: PauseReason | null
  /** session of the last main turn */
  conversation: string | null
  /** the last words of its conversations, the one that spoke last at the end */
  conversations: readonly KnownConversation[]
  /** the entries are on their way to another scope: written before the copy, so that a start can finish it */
  movedTo: Scope | null
}

export const emptyOutbox = (scope: Scope): OutboxState => ({
  scope,
  entries: [],
  paused: null,
  conversation: null,
  conversations: [],
  movedTo: null,
})

export const OUTBOX_FOLDER = 'outbox'

/** @example outboxSpec('tmux:main').path === 'outbox/tmux-main.json' */
export const outboxSpec = (scope: Scope): DocumentSpec<OutboxState> =>
  outboxSpecAt(`${OUTBOX_FOLDER}/${scopeFile(scope)}`)

export const outboxSpecAt = (path: string): DocumentSpec<OutboxState> => ({
  path,
  version: 1,
  parse: (value) => stateSchema.parse(value),
})

/** Ended entries stay a while: for late receipts, and so that our own texts are recognised when they come back. */
export function prune(
  entries: readonly OutboxEntry[],
  now: number,
  settings: Pick<OutboxSettings, 'keepEntries' | 'keepMs'>,
): OutboxEntry[] {
  const ended = entries.filter((e) => {
    const at = endedAtOf(e.phase)
    return at !== null && now - at <= settings.keepMs
  })
  const kept = new Set(ended.slice(-settings.keepEntries))
  return entries.filter((e) => endedAtOf(e.phase) === null || kept.has(e))
}

const scope = z.templateLiteral([z.enum(['tmux', 'pty', 'session']), ':', z.string()])
const instant = z.number()
/** Reasons are flat objects with a code; members that a later version may add are kept unchecked. */
const reason = <T extends { code: string }>() =>
  z.custom<T>((v) => z.looseObject({ code: z.string().min(1) }).safeParse(v).success, 'a reason has a code')
const typedAt = instant.nullable().default(null)
const typings = z.number().int().min(0).optional()
/** written only when true */
const flag = z.literal(true).optional()

const typed = { typings, inbox: flag, unseen: flag, entered: flag, broken: flag }
const left = { stands: flag, inbox: flag, unseen: flag }

const phase = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('queued'),
    hold: reason<HoldReason>().nullable().default(null),
    owedSince: instant.nullable().default(null),
    ...typed,
  }),
  z.object({ state: z.literal('typing'), typedAt: instant, owed: z.boolean().default(false), ...typed }),
  z.object({
    state: z.literal('submitted'),
    typedAt: instant,
    submittedAt: instant,
    extraEnter: z.boolean().default(false),
    unseen: flag,
  }),
  z.object({
    state: z.literal('confirmed'),
    typedAt: instant,
    submittedAt: instant,
    confirmedAt: instant,
    late: z.boolean().default(false),
    ...left,
  }),
  z.object({ state: z.literal('unknown'), typedAt: instant, submittedAt: typedAt, at: instant }),
  z.object({ state: z.literal('failed'), typedAt, submittedAt: typedAt, at: instant, reason: reason<FailReason>() }),
  z.object({
    state: z.literal('cancelled'),
    typedAt,
    at: instant,
    by: z.enum(['user', 'clear', 'pause']),
    ...left,
  }),
  z.object({
    state: z.literal('superseded'),
    typedAt,
    at: instant,
    by: z.enum(['new-turn', 're-arm', 'clear', 'other-way']),
    ...left,
  }),
  z.object({ state: z.literal('expired'), typedAt, at: instant, ...left }),
])

const entrySchema = z.object({
  id: z.string().min(1),
  scope,
  sessionId: z.string().nullable(),
  round: z.number().int().nullable(),
  group: z.string().nullable().default(null),
  text: z.string(),
  source: z.enum(['stopMessage', 'clock', 'continue_execution', 'recover', 'revive', 'user', 'program']),
  writtenBy: z.enum(authors).default('person'),
  createdAt: instant,
  revision: z.number().int(),
  skipSettle: z.boolean().default(false),
  phase,
})

const stateSchema = z.object({
  scope,
  entries: z.array(entrySchema),
  paused: reason<PauseReason>().nullable().default(null),
  conversation: z.string().nullable().default(null),
  conversations: z
    .array(
      z.object({
        sessionId: z.string(),
        said: z.array(
          z.object({
            letters: z.number().int(),
            telling: z.boolean(),
            marks: z.base64(),
            asked: z.boolean().optional(),
          }),
        ),
      }),
    )
    .default([]),
  movedTo: scope.nullable().default(null),
})
