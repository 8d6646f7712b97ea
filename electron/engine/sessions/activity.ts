import type { BackgroundWork } from '../../../shared/background.ts'
import type { FinishKind } from '../../../shared/events.ts'
import type { ClientKind } from '../../../shared/words.ts'
import type { Clock } from '../base/clock.ts'
import { backgroundProfiles } from './background/profiles.ts'

/** A tool may run this long between two requests before its session no longer counts as working. */
const TOOL_MS = 30 * 60_000
/** a sub-agent whose tool runs longer than this no longer counts: its client may have ended it */
const SUBAGENT_TOOL_MS = 5 * 60_000

/** idle sessions that are kept all the same, because most come again */
const mostAtRest = 500

/**
 * Knows which sessions work right now: a request is under way, or the agent runs the tools its last answer asked for.
 */
export interface Activity {
  begin(sessionId: string, requestId: string, turn: number | null): void
  /**
   * `finish` of a main turn; null for auxiliary requests, which say nothing of the session's state. `delegates`: its
   * calls set sub-agents to work
   */
  end(sessionId: string, requestId: string, finish: FinishKind | null, delegates?: boolean): void
  /** its screen shows that it came to rest after its last answer, whose tools a person stopped */
  atRest(sessionId: string): void
  of(sessionId: string): { turn: number; since: number } | null
  /** a sub-agent's request is under way, or it runs tools; `subagent`: which one, if its client says */
  subagentBegin(sessionId: string, requestId: string, subagent?: string): void
  subagentEnd(sessionId: string, requestId: string, finish: FinishKind, subagent?: string): void
  /** the agent goes on, which it would not do beside its sub-agents: none of them works any more */
  subagentsOver(sessionId: string): void
  subagents(sessionId: string): boolean
  /** the last calls set a sub-agent to work of which no request was seen since: it only begins */
  subagentDue(sessionId: string): boolean
}

interface Facts {
  running: Set<string>
  turn: number
  since: number
  toolsUntil: number
}

/** `begun`: how many of their requests began; `atTurn`: at the beginning of the last request of the main agent */
interface Subagents {
  working: Map<string, { running: Set<string>; toolsUntil: number }>
  begun: number
  atTurn: number
  due: boolean
}

export function createActivity(clock: Clock, onChange: (sessionId: string) => void): Activity {
  const sessions = new Map<string, Facts>()
  const subagents = new Map<string, Subagents>()
  const subagentsOf = (sessionId: string): Subagents => {
    const facts = subagents.get(sessionId) ?? { working: new Map(), begun: 0, atTurn: 0, due: false }
    subagents.set(sessionId, facts)
    return facts
  }
  const forgetIdle = (sessionId: string, { working, due }: Subagents) => {
    if (working.size === 0 && !due) subagents.delete(sessionId)
  }
  return {
    begin(sessionId, requestId, turn) {
      const helpers = turn === null ? undefined : subagents.get(sessionId)
      if (helpers) helpers.atTurn = helpers.begun
      const facts = sessions.get(sessionId) ?? { running: new Set(), turn: 0, since: clock.now(), toolsUntil: 0 }
      if (turn !== null) {
        facts.turn = turn
        facts.since = clock.now()
        facts.running.add(requestId)
        sessions.set(sessionId, facts)
        onChange(sessionId)
      }
    },
    end(sessionId, requestId, finish, delegates = false) {
      if (finish === 'tool-calls' && (delegates || subagents.has(sessionId))) {
        const helpers = subagentsOf(sessionId)
        helpers.due = delegates && helpers.begun === helpers.atTurn
        forgetIdle(sessionId, helpers)
      }
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
    subagentBegin(sessionId, requestId, subagent = '') {
      const facts = subagentsOf(sessionId)
      facts.begun += 1
      facts.due = false
      const one = facts.working.get(subagent) ?? { running: new Set(), toolsUntil: 0 }
      facts.working.set(subagent, one)
      one.running.add(requestId)
    },
    subagentEnd(sessionId, requestId, finish, subagent = '') {
      const facts = subagents.get(sessionId)
      const one = facts?.working.get(subagent)
      if (!facts || !one) return
      one.running.delete(requestId)
      one.toolsUntil = finish === 'tool-calls' ? clock.now() + SUBAGENT_TOOL_MS : 0
      if (one.running.size === 0 && one.toolsUntil === 0) facts.working.delete(subagent)
      forgetIdle(sessionId, facts)
    },
    subagentsOver(sessionId) {
      subagents.delete(sessionId)
    },
    subagents(sessionId) {
      const working = subagents.get(sessionId)?.working.values() ?? []
      return [...working].some(({ running, toolsUntil }) => running.size > 0 || toolsUntil > clock.now())
    },
    subagentDue: (sessionId) => subagents.get(sessionId)?.due ?? false,
  }
}

/** `id`: as the client names it */
export interface NamedWork extends BackgroundWork {
  id: string
}

/** Work in the background, as a conversation shows it. Work that is in neither list may run or not. */
export interface BackgroundFound {
  running: readonly NamedWork[]
  /** ids of work that it says has ended */
  ended: readonly string[]
  /** this turn started a sub-agent that only shows by its own requests */
  delegated?: true
}

/** True if calls of an answer may start sub-agents that only show by their own requests. */
export const delegates = (client: ClientKind, calls: readonly string[]): boolean => {
  const tools = backgroundProfiles[client].delegates?.tools
  return tools !== undefined && calls.some((name) => tools.includes(plainName(name)))
}

/** Its requests show work that goes on without its turn. Those of a client that is not known show nothing. */
export const showsWork = (client: ClientKind): boolean => backgroundProfiles[client].starts.length > 0

/** Without the namespace that Codex has some of its tools in. */
export const plainName = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** Words of which at least one is in the bytes of whatever such work began with. */
export const backgroundTraces = (client: ClientKind): readonly string[] => backgroundProfiles[client].traces

export const nothingSeen: BackgroundFound = { running: [], ended: [] }

/** Adds sub-agents that only show by their own requests, not in the agent's words. */
export const withSubagents = (
  { running, ended, delegated }: BackgroundFound,
  activity: Pick<Activity, 'subagents' | 'subagentDue'>,
  sessionId: string,
): BackgroundFound => {
  const work = activity.subagents(sessionId) || (delegated && activity.subagentDue(sessionId))
  if (!work) return { running, ended: [...ended, 'subagents'] }
  const named = running.some(({ kind }) => kind === 'agent')
  return named ? { running, ended } : { running: [...running, { id: 'subagents', kind: 'agent', what: null }], ended }
}
