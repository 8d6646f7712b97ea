import type { LastStopMessage, StopMessageStatusView, StopMessageView } from '../../../../shared/state.ts'
import { armingOf, type ScopeState } from './state.ts'

export interface StopMessageViews {
  stopMessage: StopMessageView | null
  lastStopMessage: LastStopMessage | null
  /** the conversation it was set in; null: none, or for whichever the terminal shows */
  sessionId: string | null
}

/** What viewers see of a scope. Done and failed are shown with what they were, until the next setting or turn. */
export function viewOf(scope: ScopeState | null): StopMessageViews {
  if (!scope) return { stopMessage: null, lastStopMessage: null, sessionId: null }
  const { state, last } = scope
  const shown = armingOf(state) ?? (state.kind === 'none' ? null : last)
  const lastStopMessage: LastStopMessage | null = last && {
    text: last.text, used: last.used, max: last.max, review: last.review, clearedAt: last.clearedAt, clearedBy: last.clearedBy,
  }
  const status = statusOf(scope)
  if (!shown || !status) return { stopMessage: null, lastStopMessage, sessionId: last?.sessionId ?? null }
  const { text, used, max, review, armedAt, lastUsedAt } = shown
  return { stopMessage: { text, used, max, review, status, armedAt, lastUsedAt }, lastStopMessage, sessionId: shown.sessionId }
}

function statusOf({ state }: ScopeState): StopMessageStatusView | null {
  switch (state.kind) {
    case 'none': return null
    case 'armed': return { kind: 'armed' }
    case 'reviewing': return { kind: 'reviewing', since: state.since, round: state.round }
    case 'injecting': return { kind: 'injecting', entryId: state.entryId }
    case 'paused': return { kind: 'paused', reason: state.reason, at: state.at }
    case 'done': return { kind: 'done', reason: state.reason, at: state.at }
    case 'failed': return { kind: 'failed', reason: state.reason, at: state.at }
  }
}
