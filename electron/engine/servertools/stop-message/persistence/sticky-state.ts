import { z } from 'zod'
import type { DoneReason, FailReason, PauseReason } from '../../../../../shared/events.ts'
import type { ReviewView, RoundView } from '../../../../../shared/review.ts'
import { requestKinds, type Scope } from '../../../../../shared/words.ts'
import { spendShape } from '../../../records/kept-sums.ts'
import { scopeFile } from '../../../store/disk-files.ts'
import type { DocumentSpec } from '../../../store/types.ts'
import type { EndedTurn } from '../ended-turn.ts'
import type { SeenWork } from '../reducer/background.ts'
import { newGoalProgress, type GoalProgress } from '../reducer/goal-progress.ts'
import { armingOf, type Arming, type ScopeState, type StopMessageState } from '../reducer/state.ts'

const spentShape = z.object({ tokens: z.number(), ...spendShape })

/** A goal’s progress in the scope's file (sticky-state.ts). */
const goalProgressShape = {
  /** the text a review starts from: the goal itself */
  stopMessageAiSeedPrompt: z.string().nullable().catch(null),
  stopMessageAiHistory: z.array(z.unknown()).catch([]),
  stopMessageCourse: z
    .object({
      stuck: z.number().int().min(0),
      before: z
        .object({ requestId: z.string(), text: z.string(), calls: z.string(), at: z.number().optional() })
        .nullable(),
      reviewSpent: spentShape,
      failedReviews: z.number().int().min(0),
    })
    .nullable()
    .catch(null),
}

type Fields = z.output<z.ZodObject<typeof goalProgressShape>>

const round = z.looseObject({
  n: z.number().int(),
  at: z.number(),
  did: z.object({
    calls: z.number(),
    tools: z.array(z.object({ name: z.string(), count: z.number() })),
    text: z.string(),
  }),
  review: z
    .looseObject({
      round: z.number(),
      at: z.number(),
      outcome: z.looseObject({ code: z.string() }),
      evidence: z.array(z.unknown()),
      blockers: z.array(z.unknown()),
      looks: z.array(z.unknown()),
      checks: z.array(z.unknown()),
    })
    .nullable(),
  sent: z.string().nullable(),
  progress: z.boolean().nullable(),
})

function goalProgressFields({ text, review, progress: { rounds, ...rest } }: Arming): Fields {
  return { stopMessageAiSeedPrompt: review ? text : null, stopMessageAiHistory: [...rounds], stopMessageCourse: rest }
}

/** A round that can't be read is left out: it is only displayed, and nothing depends on it. */
function readGoalProgress({ stopMessageAiHistory: history, stopMessageCourse: course }: Fields): GoalProgress {
  // The members of a review are ours, written by this same code; those of another version are shown as far as possible.
  const rounds = history.filter((one) => round.safeParse(one).success) as RoundView[]
  return { ...newGoalProgress, ...course, rounds }
}

/**
 * The sticky state of a scope in its file. Read tolerantly: a field that an older or other writer left out has a
 * default, one that can't be read counts as not set.
 */
const scope = z.templateLiteral([z.enum(['tmux', 'pty', 'session']), ':', z.string()])
const reason = z.looseObject({ code: z.string().min(1) })
const instant = z.number()

const taken = z.object({
  text: z.string().min(1),
  used: z.number().int().min(0).catch(0),
  max: z.number().int().min(1).nullable().catch(10),
  review: z.boolean().catch(false),
  clearedAt: instant.catch(0),
  clearedBy: z.string().catch('user'),
  sessionId: z.string().nullable().catch(null),
  armedAt: instant.catch(0),
  lastUsedAt: instant.nullable().catch(null),
  askedIn: z.array(z.string()).catch([]),
})

const endedTurn = z.object({
  requestId: z.string(),
  sessionId: z.string().nullable(),
  kind: z.enum(requestKinds),
  reentered: z.boolean(),
  finish: z.enum([
    'stop',
    'tool-calls',
    'length',
    'content-filter',
    'refusal',
    'pause-turn',
    'incomplete',
    'error',
    'broken-off',
  ]),
  clientLeft: z.boolean(),
  registeredClientOnly: z.boolean(),
  notFinished: z.enum(['own-goal', 'own-loop', 'own-schedule']).nullable().catch(null),
}) satisfies z.ZodType<EndedTurn>

const seenWork = z.object({
  id: z.string(),
  kind: z.enum(['command', 'monitor', 'agent', 'other']),
  what: z.string().nullable(),
  sessionId: z.string().nullable(),
  since: instant,
  is: z.enum(['passed', 'over']).exactOptional(),
}) satisfies z.ZodType<SeenWork>

const status = z.object({
  kind: z.enum(['armed', 'reviewing', 'injecting', 'paused', 'done', 'failed']),
  reason: reason.nullable().catch(null),
  at: instant.nullable().catch(null),
  entryId: z.string().nullable().catch(null),
  proof: z
    .object({ review: z.looseObject({ round: z.number() }), spent: spentShape, reviewSpent: spentShape })
    .nullable()
    .catch(null),
})

const fields = z.object({
  scope,
  stopMessageText: z.string().min(1).nullable().catch(null),
  stopMessageMaxRepeats: z.number().int().min(1).nullable().catch(10),
  stopMessageUsed: z.number().int().min(0).catch(0),
  stopMessageUpdatedAt: instant.nullable().catch(null),
  stopMessageLastUsedAt: instant.nullable().catch(null),
  /** in place of `stopMessageUpdatedAt` where nothing is set, so that no older writer brings a setting back */
  clearedAt: instant.nullable().catch(null),
  stopMessageStageMode: z.enum(['on', 'off', 'auto']).catch('auto'),
  stopMessageAiMode: z.enum(['on', 'off']).catch('off'),
  ...goalProgressShape,
  stopMessageStatus: status.nullable().catch(null),
  stopMessageArmId: z.string().catch(''),
  stopMessageArmedAt: instant.nullable().catch(null),
  stopMessageSessionId: z.string().nullable().catch(null),
  stopMessageBudgetFrom: z
    .object({
      used: z.number(),
      at: instant,
      agent: spentShape.optional().catch(undefined),
      review: spentShape.optional().catch(undefined),
    })
    .nullable()
    .catch(null),
  stopMessageCounted: z.array(z.string()).catch([]),
  stopMessageAskedIn: z.array(z.string()).catch([]),
  stopMessageUnanswered: z.array(z.enum(['rounds', 'time', 'no-progress', 'tokens', 'cost'])).catch([]),
  lastStopMessage: taken.nullable().catch(null),
  lastStop: endedTurn.nullable().catch(null),
  background: z.array(seenWork).catch([]),
  movedTo: scope.nullable().catch(null),
})

/** A goal without a number of rounds, for programs that compare it with `stopMessageUsed`; null in older files. */
const withoutEnd = Number.MAX_SAFE_INTEGER

/** Fields of the file; unset ones may be missing. */
export type StickyFields = Partial<z.input<typeof fields>> & { scope: Scope }

export const stickySpec = (of: Scope): DocumentSpec<StickyFields> => stickySpecAt(scopeFile(of))
export const stickySpecAt = (path: string): DocumentSpec<StickyFields> => ({
  path,
  version: 1,
  journaled: true,
  parse: (value) => fields.parse(value),
})

const families = ['tmux-', 'pty-', 'reenter-']
const ending = '.json'

/** Without a pattern, for a start asks it of ten thousand names. @example isStickyFile('tmux-main.json') */
export const isStickyFile = (name: string): boolean => {
  const family = families.find((one) => name.startsWith(one))
  return family !== undefined && name.endsWith(ending) && name.length > family.length + ending.length
}

export function toFields(scoped: ScopeState): StickyFields {
  const { state } = scoped
  const arming = armingOf(state)
  return {
    scope: scoped.scope,
    ...(arming && {
      stopMessageText: arming.text,
      stopMessageMaxRepeats: arming.max ?? withoutEnd,
      stopMessageUsed: arming.used,
      stopMessageUpdatedAt: scoped.updatedAt,
      stopMessageLastUsedAt: arming.lastUsedAt,
      stopMessageStageMode: arming.stageMode,
      stopMessageAiMode: arming.review ? ('on' as const) : ('off' as const),
      ...goalProgressFields(arming),
      stopMessageArmId: arming.id,
      stopMessageArmedAt: arming.armedAt,
      stopMessageSessionId: arming.sessionId,
      stopMessageBudgetFrom: arming.budgetFrom,
      stopMessageCounted: [...arming.counted],
      ...(arming.askedIn ? { stopMessageAskedIn: [...arming.askedIn] } : {}),
      ...(arming.unanswered ? { stopMessageUnanswered: [...arming.unanswered] } : {}),
    }),
    ...(arming ? {} : { clearedAt: scoped.updatedAt }),
    stopMessageStatus:
      state.kind === 'none'
        ? null
        : {
            kind: state.kind,
            reason: 'reason' in state ? { ...state.reason } : null,
            at: 'at' in state ? state.at : 'since' in state ? state.since : null,
            entryId: 'entryId' in state ? state.entryId : 'reviewId' in state ? state.reviewId : null,
            proof: state.kind === 'done' && state.proof ? { ...state.proof, review: { ...state.proof.review } } : null,
          },
    lastStopMessage: scoped.last && { ...scoped.last, askedIn: [...(scoped.last.askedIn ?? [])] },
    lastStop: scoped.lastStop,
    ...(scoped.background.length === 0 ? {} : { background: [...scoped.background] }),
    movedTo: scoped.movedTo,
  }
}

export function fromFields(value: StickyFields): ScopeState {
  const f = fields.parse(value)
  return {
    scope: f.scope,
    state: stateOf(f),
    updatedAt: f.stopMessageUpdatedAt ?? f.clearedAt,
    last: takenIn(f),
    lastStop: f.lastStop,
    background: f.background,
    movedTo: f.movedTo,
  }
}

function stateOf(f: z.output<typeof fields>): StopMessageState {
  const { stopMessageStatus: status } = f
  const arming = armingIn(f)
  const at = status?.at ?? f.stopMessageUpdatedAt ?? 0
  if (!arming) {
    // Reasons are flat data with a code; a code this version does not know is shown as it is.
    if (status?.kind === 'done' && status.reason)
      return {
        kind: 'done',
        reason: status.reason as DoneReason,
        at,
        ...(status.proof ? { proof: { ...status.proof, review: status.proof.review as unknown as ReviewView } } : {}),
      }
    if (status?.kind === 'failed' && status.reason) return { kind: 'failed', reason: status.reason as FailReason, at }
    return { kind: 'none' }
  }
  // Its review ended with its process, and that id is never used again.
  if (status?.kind === 'reviewing')
    return { kind: 'reviewing', arming, reviewId: status.entryId ?? '', since: at, round: arming.used + 1 }
  if (status?.kind === 'injecting' && status.entryId !== null)
    return { kind: 'injecting', arming, entryId: status.entryId }
  if (status?.kind === 'paused')
    return {
      kind: 'paused',
      arming,
      reason: (status.reason ?? { code: 'by-user' }) as PauseReason,
      at,
      entryId: status.entryId,
    }
  return { kind: 'armed', arming }
}

function takenIn({ lastStopMessage }: z.output<typeof fields>): ScopeState['last'] {
  if (!lastStopMessage) return null
  const { askedIn, ...last } = lastStopMessage
  return { ...last, ...(askedIn.length === 0 ? {} : { askedIn }) }
}

function budgetFromOf({ stopMessageBudgetFrom: from }: z.output<typeof fields>): Arming['budgetFrom'] | null {
  return (
    from && {
      used: from.used,
      at: from.at,
      ...(from.agent ? { agent: from.agent } : {}),
      ...(from.review ? { review: from.review } : {}),
    }
  )
}

function armingIn(f: z.output<typeof fields>): Arming | null {
  if (f.stopMessageText === null) return null
  const armedAt = f.stopMessageArmedAt ?? f.stopMessageUpdatedAt ?? 0
  return {
    id: f.stopMessageArmId,
    sessionId: f.stopMessageSessionId,
    text: f.stopMessageText,
    max: f.stopMessageMaxRepeats === withoutEnd ? null : f.stopMessageMaxRepeats,
    used: f.stopMessageUsed,
    review: f.stopMessageAiMode === 'on',
    stageMode: f.stopMessageStageMode,
    armedAt,
    lastUsedAt: f.stopMessageLastUsedAt,
    budgetFrom: budgetFromOf(f) ?? { used: 0, at: armedAt },
    counted: f.stopMessageCounted,
    progress: readGoalProgress(f),
    ...(f.stopMessageAskedIn.length === 0 ? {} : { askedIn: f.stopMessageAskedIn }),
    ...(f.stopMessageUnanswered.length === 0 ? {} : { unanswered: f.stopMessageUnanswered }),
  }
}

/**
 * Returns the state of a setting that holds: the later setting or clear. A tie goes to `there`, so that copying again
 * changes nothing, and older data never replaces a tombstone.
 */
export function newer(there: ScopeState | null, coming: ScopeState): ScopeState {
  return there !== null && (there.updatedAt ?? -1) >= (coming.updatedAt ?? -1) ? there : coming
}
