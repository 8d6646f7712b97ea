import type { MarkerHeldWhy, RecordEvent } from '../../../../shared/events.ts'
import type { Scope } from '../../../../shared/words.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import {
  mostMarkers,
  resolveStopMessage,
  type GoalFileResult,
  type Instruction,
  type RoutingInstruction,
  type StopMessageSet,
} from '../../markers/index.ts'
import { applyRoutingMarker, stickyPart } from '../../router/overrides.ts'
import type { RoutingOverrides } from '../../router/types.ts'

export interface CarryOutDeps {
  /** a goal's text; `terminalId` identifies the folder in which the session works */
  readGoalFile(path: string, terminalId: string | null): Promise<GoalFileResult>
  /** true if a person has let a file's content be a goal before */
  knowsGoal(text: string): boolean
  /** rounds in a row without progress after which a reviewed goal asks; null: never */
  noProgressRounds(): number | null
  /** where a session without a terminal keeps its stopMessage, when reenter is on for it; else null */
  reenterScope(sessionId: string): Scope | null
  arm(scope: Scope, order: { sessionId: string; text: string; max: number | null; review: boolean }): Promise<void>
  clear(scope: Scope): Promise<void>
  alarms: {
    set(sessionId: string, alarm: { dueAtMs: number; task: string }, requestId: string): Promise<void>
    /** @returns how many there were */
    clear(sessionId: string, requestId: string): Promise<number>
  }
  setOverrides(sessionId: string, overrides: RoutingOverrides): Promise<void>
  /** Keeps markers that were not followed, for the person to decide. @returns their ids; null: one can't be kept */
  offer(sessionId: string, held: readonly NewHeldMarker[]): Promise<readonly (string | null)[]>
  record: RecordEvent
}

/** A marker that is not followed; `goal`: the content of the file it names. */
export interface NewHeldMarker {
  marker: string
  why: MarkerHeldWhy
  goal?: string
}

/** The session and terminal that markers are about. */
export interface MarkerPlace {
  sessionId: string | null
  scope: Scope | null
  terminalId: string | null
  requestId: string
  /** why nothing may be armed here at all; null: it may */
  blocked: Refusal | null
  /** why there is no scope, where that is known */
  scopeProblem: Refusal | null
}
export interface Refusal {
  code: string
  message: string
}

export interface CarriedOut {
  /** effects and refusals, as sentences */
  said: readonly string[]
  refused: readonly Refusal[]
  overrides: RoutingOverrides
}

/** Applies what can be applied and records every effect and refusal. */
export async function carryOut(
  place: MarkerPlace,
  overrides: RoutingOverrides,
  instructions: readonly Instruction[],
  deps: CarryOutDeps,
): Promise<CarriedOut> {
  const said: string[] = []
  const refused: Refusal[] = []
  const tell: Tell = {
    refuse(marker, code, message) {
      deps.record(place, { type: 'marker-refused', marker, code, message })
      refused.push({ code, message })
      said.push(message)
    },
    applied(marker, effect) {
      deps.record(place, { type: 'marker-applied', marker, effect })
      said.push(`${effect}.`)
    },
    async held(marker, why, goal) {
      const message = await hold(place, [{ marker, why, ...(goal === undefined ? {} : { goal }) }], deps)
      refused.push(...message.map((one) => ({ code: why, message: one })))
      said.push(...message)
    },
  }
  const ofAlarms: AlarmInstruction[] = []
  const ofRouting: RoutingInstruction[] = []
  const ofGoal: Instruction[] = []
  for (const instruction of instructions) {
    switch (instruction.kind) {
      case 'invalid':
        tell.refuse(instruction.marker, instruction.code, instruction.message)
        break
      case 'clock-set':
      case 'clock-clear':
        ofAlarms.push(instruction)
        break
      case 'routing-allow':
      case 'routing-prefer':
      case 'routing-force':
      case 'routing-disable':
      case 'routing-enable':
        ofRouting.push(instruction)
        break
      case 'clear':
        ofRouting.push(instruction)
        ofGoal.push(instruction)
        break
      case 'stop-message-set':
      case 'stop-message-clear':
        ofGoal.push(instruction)
        break
      default:
        instruction satisfies never
    }
  }
  await alarms(place, deps, ofAlarms, tell)
  const next = await routing(place, overrides, deps, ofRouting, tell)
  await stopMessage(place, deps, ofGoal, tell)
  return { said, refused, overrides: next }
}

/** Characters of a marker that the timeline shows. */
const longestShown = 500
/**
 * Records markers that are not followed, and keeps them for the person. @returns sentences for the author of the
 * message, each once
 */
export async function hold(
  place: MarkerPlace,
  held: readonly NewHeldMarker[],
  deps: Pick<CarryOutDeps, 'offer' | 'record'>,
): Promise<readonly string[]> {
  const told = [...new Map(held.map((one) => [one.marker, one])).values()]
  const ids = place.sessionId === null || told.length === 0 ? [] : await deps.offer(place.sessionId, told)
  const said = new Set<string>()
  for (const [i, { marker, why }] of told.entries()) {
    const offered = ids[i] ?? null
    deps.record(place, {
      type: 'marker-held',
      marker: marker.slice(0, longestShown),
      why,
      ...(offered === null ? {} : { offered }),
    })
    said.add(
      `${saidOf[why]}${offered === null ? '.' : ': apply or forget it in the dashboard, or with `onward markers`.'}`,
    )
  }
  return [...said]
}

/** Records that a message has more markers than count. @returns the same as a sentence */
export function tooMany(place: MarkerPlace, { record }: Pick<CarryOutDeps, 'record'>): string {
  const message = `Only the first ${mostMarkers} markers of a message count. The others did nothing.`
  record(place, { type: 'marker-refused', marker: '<**…**>', code: 'too-many', message })
  return message
}

const saidOf: Readonly<Record<MarkerHeldWhy, string>> = {
  'new-file': 'A goal from a file waits until you have looked at it',
  quoted: 'A marker in a quotation or a comment was not followed',
  'in-middle': 'A marker in the middle of several lines was not followed',
  'in-paste': 'A marker inside pasted text was not followed',
  program: 'A goal that another program asks for was not set',
  unproven: 'A marker that nothing shows you typed was not followed',
}

type AlarmInstruction = Extract<Instruction, { kind: `clock-${string}` }>

interface Tell {
  refuse(marker: string, code: string, message: string): void
  applied(marker: string, effect: string): void
  held(marker: string, why: MarkerHeldWhy, goal?: string): Promise<void>
}

async function routing(
  { sessionId }: MarkerPlace,
  before: RoutingOverrides,
  deps: CarryOutDeps,
  instructions: readonly RoutingInstruction[],
  tell: Tell,
): Promise<RoutingOverrides> {
  let overrides = before
  const changes: RoutingInstruction[] = []
  for (const instruction of instructions) {
    const next = applyRoutingMarker(overrides, instruction)
    if (next === overrides) continue
    if (sessionId === null && instruction.kind !== 'routing-force') {
      tell.refuse(instruction.marker, 'no-session', 'This client names no session, so nothing can be kept for it.')
      continue
    }
    overrides = next
    changes.push(instruction)
  }
  try {
    if (sessionId !== null && overrides !== before) await deps.setOverrides(sessionId, stickyPart(overrides))
    for (const change of changes) tell.applied(change.marker, routingEffect(change))
  } catch (error) {
    // This turn goes where the markers sent it; only what should be kept is lost.
    for (const change of changes) tell.refuse(change.marker, ...problemOf(error))
  }
  return overrides
}

/** In their order in the message: an alarm after a clear stays. Each is on the disk before the request goes on. */
async function alarms(
  { sessionId, requestId }: MarkerPlace,
  deps: CarryOutDeps,
  instructions: readonly AlarmInstruction[],
  tell: Tell,
): Promise<void> {
  for (const instruction of instructions) {
    const { marker } = instruction
    if (sessionId === null) {
      tell.refuse(marker, 'no-session', 'This client names no session, so no alarms can be kept for it.')
      continue
    }
    try {
      if (instruction.kind === 'clock-set') {
        const { dueAtMs, message, time } = instruction
        await deps.alarms.set(sessionId, { dueAtMs, task: message }, requestId)
        tell.applied(marker, `Alarm set for ${time}`)
      } else {
        const removed = await deps.alarms.clear(sessionId, requestId)
        tell.applied(
          marker,
          removed === 0 ? 'No alarm was set' : removed === 1 ? '1 alarm cancelled' : `${removed} alarms cancelled`,
        )
      }
    } catch (error) {
      tell.refuse(marker, ...problemOf(error))
    }
  }
}

function routingEffect(instruction: RoutingInstruction): string {
  switch (instruction.kind) {
    case 'routing-allow':
      return `Only ${instruction.providers.join(', ')} in this session`
    case 'routing-prefer':
      return `${instruction.provider}.${instruction.model} goes first in this session`
    case 'routing-force':
      return `${instruction.provider}.${instruction.model} for this turn`
    case 'routing-disable':
      return 'Disabled for this session'
    case 'routing-enable':
      return 'Enabled again'
    case 'clear':
      return 'Routing overrides dropped'
  }
}

async function stopMessage(
  place: MarkerPlace,
  deps: CarryOutDeps,
  instructions: readonly Instruction[],
  tell: Tell,
): Promise<void> {
  const decision = resolveStopMessage(instructions)
  if (decision.kind === 'none') return
  const marker = decision.kind === 'set' ? decision.instruction.marker : decision.marker
  const { sessionId } = place
  const scope = place.scope ?? (sessionId === null ? null : deps.reenterScope(sessionId))
  const refusal =
    sessionId === null ? noSession : (place.blocked ?? (scope === null ? (place.scopeProblem ?? noScope) : null))
  if (refusal || scope === null || sessionId === null) {
    // A generic clear without a terminal has nothing to clear, and is not worth a message.
    const { code, message } = refusal ?? noScope
    if (decision.kind === 'set') tell.refuse(marker, code, message)
    return
  }
  try {
    if (decision.kind === 'clear') {
      await deps.clear(scope)
      tell.applied(marker, 'stopMessage cleared')
      return
    }
    const text = await textOf(decision.instruction, place, deps)
    if (!text.ok) return tell.refuse(marker, text.code, text.message)
    // A program that can write files where an agent works must not set its goals unseen.
    if (decision.instruction.text.kind === 'file' && !deps.knowsGoal(text.text))
      return await tell.held(marker, 'new-file', text.text)
    const { max, review } = decision.instruction
    await deps.arm(scope, { sessionId, text: text.text, max, review })
    const rounds = max === null ? ' until the goal is reached' : `, ${max === 1 ? '1 round' : `${max} rounds`}`
    const stuck = review ? deps.noProgressRounds() : null
    tell.applied(
      marker,
      `stopMessage armed${rounds}` + (stuck === null ? '' : `; pauses to ask after ${stuck} rounds without progress`),
    )
  } catch (error) {
    tell.refuse(marker, ...problemOf(error))
  }
}

const noSession: Refusal = { code: 'no-session', message: 'This client names no session.' }
const noScope: Refusal = {
  code: 'no-scope',
  message: 'No terminal is known for this client. Start it with `onward`, or switch reenter mode on.',
}

const problemOf = (error: unknown): [code: string, message: string] => [
  OnwardError.isInstance(error) ? error.code : 'failed',
  messageOf(error),
]

async function textOf(
  { text }: StopMessageSet,
  { terminalId }: MarkerPlace,
  deps: CarryOutDeps,
): Promise<GoalFileResult> {
  return text.kind === 'file' ? deps.readGoalFile(text.path, terminalId) : { ok: true, text: text.text }
}
