import type { BackgroundWork } from '../../../../shared/background.ts'
import { parseJson } from '../../../../shared/parse-json.ts'
import type { ClientKind } from '../../../../shared/words.ts'
import { isClientWritten } from '../identify/person-text.ts'
import type { Activity } from '../activity.ts'
import type { DriveStep } from '../drives/index.ts'
import { type WorkSign, backgroundProfiles } from './profiles.ts'

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
