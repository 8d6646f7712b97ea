import { putNewest } from '../../base/newest.ts'
import type { Turn } from '../turn.ts'
import type { personTexts } from '../../sessions/identify/person-text.ts'

export type BegunBy = 'onward' | 'person'

/**
 * Finds what began the run of requests that a turn belongs to: a person's message, or a followup that Onward delivered.
 */
export interface RunBeginnings {
  /** Called once per request, while its body is still there. */
  note(turn: Turn): void
  /** `person` for a turn that was never noted */
  of(turn: Turn): BegunBy
}

/** How many sessions are remembered; a forgotten one counts as the person's until its next message. */
const mostSessions = 2000

export function createRunBeginnings(personTextsOf: typeof personTexts, limit = mostSessions): RunBeginnings {
  const runs = new Map<string, BegunBy>()
  const turns = new WeakMap<Turn, BegunBy>()
  return {
    note(turn) {
      const { sessionId } = turn.identity
      const begun = beginningOf(turn, personTextsOf)
      // Tool rounds, sub-agents, titles and repeats belong to the current run.
      const by = begun ?? (sessionId === null ? undefined : runs.get(sessionId)) ?? 'person'
      turns.set(turn, by)
      if (begun !== null && sessionId !== null) putNewest(runs, sessionId, begun, limit)
    },
    of: (turn) => turns.get(turn) ?? 'person',
  }
}

/** null: the request begins no run. */
function beginningOf({ identity, draft, receipt }: Turn, personTextsOf: typeof personTexts): BegunBy | null {
  if (identity.kind !== 'turn' || identity.retry) return null
  if (receipt.proves.length > 0) return 'onward'
  const last = draft.lens.lastMessage()
  if (last?.role !== 'user' || last.texts.length === 0) return null
  // A client joins messages in the order they were typed: the last words decide.
  const at = personTextsOf(identity.client, last.texts).findLastIndex((text) => text !== '')
  if (at < 0) return null
  return receipt.ours[at] === true ? 'onward' : 'person'
}
