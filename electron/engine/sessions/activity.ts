import type { BackgroundWork } from '../../../shared/background.ts'
import type { FinishKind } from '../../../shared/events.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import type { ClientKind } from '../../../shared/words.ts'
import type { Clock } from '../base/clock.ts'
import { type WorkSign, backgroundProfiles } from './background/profiles.ts'
import type { DriveStep } from './drives/index.ts'
import { isClientWritten } from './identify/person-text.ts'

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

/** Without the namespace that Codex has some of its tools in. */
const plainName = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** Words of which at least one is in the bytes of whatever such work began with. */
export const backgroundTraces = (client: ClientKind): readonly string[] => backgroundProfiles[client].traces

export const nothingSeen: BackgroundFound = { running: [], ended: [] }

const longest = 200

/** The last word on each piece of work counts. `turn`: the part of the steps that belongs to this turn */
export function backgroundOf(
  client: ClientKind,
  steps: readonly DriveStep[],
  turn: readonly DriveStep[],
): BackgroundFound {
  const { starts, ends, delegates: sets } = backgroundProfiles[client]
  if (starts.length === 0) return nothingSeen
  const running = new Map<string, NamedWork>()
  const ended = new Set<string>()
  for (const step of steps) {
    for (const start of starts)
      for (const { id, what } of found(client, start, step)) {
        running.set(id, { id, kind: start.kind, what: what ?? namedIn(step, start.named ?? []) })
        ended.delete(id)
      }
    for (const end of ends)
      for (const { id } of found(client, end, step)) {
        running.delete(id)
        ended.add(id)
      }
  }
  const delegated = turn.some(
    (step) => step.type === 'call' && sets?.tools.includes(plainName(step.name)) && step.result?.match(sets.done),
  )
  return { running: [...running.values()], ended: [...ended], ...(delegated ? { delegated } : {}) }
}

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

function found(client: ClientKind, sign: WorkSign, step: DriveStep): readonly { id: string; what?: string }[] {
  if ('text' in sign)
    return step.type === 'call'
      ? []
      : step.texts
          .filter((text) => text.search(sign.text) >= 0 && (step.type === 'system' || isClientWritten(client, text)))
          .flatMap((text) => [...text.matchAll(sign.text)].flatMap(named))
  if (step.type !== 'call' || step.result === null || !sign.tools.includes(step.name)) return []
  if (sign.id === undefined) return [...step.result.matchAll(sign.result)].flatMap(named)
  const id = argumentsOf(step)[sign.id]
  const isId = typeof id === 'string' || typeof id === 'number'
  return isId && step.result.search(sign.result) >= 0 ? [{ id: String(id) }] : []
}

const named = ({ groups }: RegExpExecArray): { id: string; what?: string }[] =>
  groups?.['id'] === undefined
    ? []
    : [{ id: groups['id'], ...(groups['what'] === undefined ? {} : { what: groups['what'] }) }]

function namedIn(step: DriveStep, members: readonly string[]): string | null {
  if (step.type !== 'call') return null
  const said = argumentsOf(step)
  const what = members.map((member) => said[member]).find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof what === 'string' ? what.trim().replaceAll(/\s+/g, ' ').slice(0, longest) : null
}

/** A model may write invalid JSON; the call is then known by its result alone. */
function argumentsOf({ arguments: json }: Extract<DriveStep, { type: 'call' }>): Readonly<Record<string, unknown>> {
  const value = parseJson(json)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
