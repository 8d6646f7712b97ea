import type { FinishKind } from '../../../shared/events.ts'
import type { Clock } from '../base/clock.ts'

/** A tool may run this long between two requests before its session no longer counts as working. */
const TOOL_MS = 30 * 60_000
/** a sub-agent whose tool runs longer than this is not waited for: its client may have ended it */
const SUBAGENT_TOOL_MS = 5 * 60_000

/** sessions that do nothing and are kept all the same: most come again */
const mostAtRest = 500

/** Which sessions work right now: a request is under way, or the agent runs the tools its last answer asked for. */
export interface Activity {
  begin(sessionId: string, requestId: string, turn: number | null): void
  /** `finish` of a main turn; null for auxiliary requests, which say nothing of the session's state */
  end(sessionId: string, requestId: string, finish: FinishKind | null): void
  /** its screen shows that it came to rest after its last answer, whose tools a person stopped */
  atRest(sessionId: string): void
  of(sessionId: string): { turn: number; since: number } | null
  /** a sub-agent's request is under way, or it runs tools: the agent comes back by itself */
  subagentBegin(sessionId: string, requestId: string): void
  subagentEnd(sessionId: string, requestId: string, finish: FinishKind): void
  /** the agent goes on, and would not beside its sub-agents: none of them works any more */
  subagentsOver(sessionId: string): void
  subagents(sessionId: string): boolean
}

interface Facts {
  running: Set<string>
  turn: number
  since: number
  toolsUntil: number
}

export function createActivity(clock: Clock, onChange: (sessionId: string) => void): Activity {
  const sessions = new Map<string, Facts>()
  const subagents = new Map<string, { running: Set<string>; toolsUntil: number }>()
  return {
    begin(sessionId, requestId, turn) {
      const facts = sessions.get(sessionId) ?? { running: new Set(), turn: 0, since: clock.now(), toolsUntil: 0 }
      if (turn !== null) {
        facts.turn = turn
        facts.since = clock.now()
        facts.running.add(requestId)
        sessions.set(sessionId, facts)
        onChange(sessionId)
      }
    },
    end(sessionId, requestId, finish) {
      const facts = sessions.get(sessionId)
      if (!facts) return
      facts.running.delete(requestId)
      if (finish !== null)
        facts.toolsUntil = finish === 'tool-calls' || finish === 'pause-turn' ? clock.now() + TOOL_MS : 0
      if (facts.running.size === 0 && facts.toolsUntil === 0 && sessions.size > mostAtRest) sessions.delete(sessionId)
      onChange(sessionId)
    },
    atRest(sessionId) {
      const facts = sessions.get(sessionId)
      if (!facts || facts.running.size > 0 || facts.toolsUntil === 0) return
      facts.toolsUntil = 0
      onChange(sessionId)
    },
    of(sessionId) {
      const facts = sessions.get(sessionId)
      if (!facts || (facts.running.size === 0 && facts.toolsUntil < clock.now())) return null
      return { turn: facts.turn, since: facts.since }
    },
    subagentBegin(sessionId, requestId) {
      const facts = subagents.get(sessionId) ?? { running: new Set(), toolsUntil: 0 }
      subagents.set(sessionId, facts)
      facts.running.add(requestId)
    },
    subagentEnd(sessionId, requestId, finish) {
      const facts = subagents.get(sessionId)
      if (!facts) return
      facts.running.delete(requestId)
      facts.toolsUntil = finish === 'tool-calls' ? clock.now() + SUBAGENT_TOOL_MS : 0
      if (facts.running.size === 0 && facts.toolsUntil === 0) subagents.delete(sessionId)
    },
    subagentsOver(sessionId) {
      subagents.delete(sessionId)
    },
    subagents(sessionId) {
      const facts = subagents.get(sessionId)
      return facts !== undefined && (facts.running.size > 0 || facts.toolsUntil > clock.now())
    },
  }
}
