import type { DecisionStep, FailReason, PauseReason, SkipReason } from '../../../../../shared/events.ts'
import { spentBudget, type Budgets } from './budget.ts'
import type { TurnFacts } from '../ended-turn.ts'
import { armingOf, isElsewhere, type StopMessageState } from './state.ts'

export type Decision =
  /** `text`: the goal's own words; a reviewer may have better ones */
  | { kind: 'fire'; round: number; text: string; used: number; max: number | null; steps: readonly DecisionStep[] }
  | { kind: 'skip'; reason: SkipReason; effect: Effect | null; steps: readonly DecisionStep[] }

/** The effect of a "no" on the state. */
export type Effect =
  | { type: 'done' }
  | { type: 'failed'; reason: FailReason }
  | { type: 'pause'; reason: PauseReason }
  /** a person is asked, once in this conversation */
  | { type: 'ask-here'; sessionId: string }

interface No {
  reason: SkipReason
  effect?: Effect
  detail?: string
}
type Check = (state: StopMessageState, turn: TurnFacts, now: number, budgets: Budgets) => No | null

const no = (reason: SkipReason, detail?: string): No => (detail === undefined ? { reason } : { reason, detail })

/** The checks that decide whether a stop is followed up, in order. The first "no" ends them. */
const checks: readonly [DecisionStep['check'], Check][] = [
  ['not-reentered', (_, turn) => (turn.reentered ? no({ code: 'reentered-followup' }) : null)],
  ['is-turn', (_, turn) => (turn.kind === 'turn' ? null : no({ code: 'not-a-turn', kind: turn.kind }, turn.kind))],
  [
    'not-paused',
    (state, turn) => {
      const by = turn.paused ?? (state.kind === 'paused' ? 'session' : null)
      return by && no({ code: 'paused', by }, by)
    },
  ],
  [
    'has-scope',
    (_, turn) => {
      if (turn.scope === null) return no({ code: 'no-scope' })
      return turn.registeredClientOnly ? no({ code: 'no-scope' }, 'registered client') : null
    },
  ],
  ['stage-mode', (state) => (armingOf(state)?.stageMode === 'off' ? no({ code: 'stage-mode-off' }) : null)],
  ['armed', (state) => (armingOf(state) ? null : no({ code: 'nothing-armed' }))],
  [
    'rounds-free',
    (state) => {
      const arming = armingOf(state)
      if (!arming || arming.max === null || arming.used < arming.max) return null
      return {
        reason: { code: 'rounds-used', used: arming.used, max: arming.max },
        effect: { type: 'done' },
        detail: `${arming.used}/${arming.max}`,
      }
    },
  ],
  [
    'terminal-alive',
    (_, { terminalGone: why }) =>
      why === null
        ? null
        : {
            reason: { code: 'terminal-gone', why },
            effect: { type: 'failed', reason: { code: 'terminal-gone', why } },
            detail: why,
          },
  ],
  [
    'plain-stop',
    (_, turn) => (turn.finish === 'stop' ? null : no({ code: 'not-a-plain-stop', finish: turn.finish }, turn.finish)),
  ],
  ['client-stayed', (_, turn) => (turn.clientLeft ? no({ code: 'client-left' }) : null)],
  [
    'budget-free',
    (state, { totals, sessionId }, now, budgets) => {
      const arming = armingOf(state)
      // Usage of another conversation does not count against the budgets.
      if (!arming || isElsewhere(arming, sessionId)) return null
      const spent = spentBudget(arming, budgets, now, totals)
      return (
        spent && {
          reason: { code: 'budget', ...spent },
          effect: { type: 'pause', reason: { code: 'budget', ...spent } },
          detail: spent.budget,
        }
      )
    },
  ],
  [
    'agent-finished',
    (_, { notFinished }) => notFinished && no({ code: 'agent-not-finished', why: notFinished }, notFinished),
  ],
  [
    'current-conversation',
    (state, { conversation, sessionId }) => {
      if (conversation !== undefined && conversation !== sessionId) return no({ code: 'other-conversation' })
      const arming = armingOf(state)
      if (!arming || !isElsewhere(arming, sessionId)) return null
      return {
        ...no({ code: 'other-conversation' }, 'set in another conversation'),
        ...(sessionId === null ? {} : { effect: { type: 'ask-here', sessionId } }),
      }
    },
  ],
  [
    'no-entry-pending',
    (state, { pendingEntryId: entryId }) => {
      if (state.kind === 'reviewing') return no({ code: 'review-running' })
      return entryId === null ? null : no({ code: 'entry-pending', entryId })
    },
  ],
  ['below-limit', (_, { nearLimit }) => (nearLimit ? no(nearLimit, nearLimit.window) : null)],
  [
    'background-over',
    (_, { waitsFor }) => waitsFor && no({ code: 'background-work', ...waitsFor }, waitsFor.what ?? waitsFor.kind),
  ],
]

/** Decides whether the agent goes on after this turn, and why. Pure: the same facts give the same answer. */
export function decideStopMessage(state: StopMessageState, turn: TurnFacts, now: number, budgets: Budgets): Decision {
  const steps: DecisionStep[] = []
  for (const [check, ask] of checks) {
    const found = ask(state, turn, now, budgets)
    steps.push(found?.detail === undefined ? { check, ok: !found } : { check, ok: false, detail: found.detail })
    if (found) return { kind: 'skip', reason: found.reason, effect: found.effect ?? null, steps }
  }
  const arming = armingOf(state)
  if (!arming) return { kind: 'skip', reason: { code: 'nothing-armed' }, effect: null, steps }
  return { kind: 'fire', round: arming.used + 1, text: arming.text, used: arming.used, max: arming.max, steps }
}
