import type { RecordEvent } from '../../../shared/events.ts'
import type { ClientKind, Language, Scope } from '../../../shared/words.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import {
  isPureCommand,
  parseMarkers,
  resolveStopMessage,
  type GoalFileResult,
  type Instruction,
  type KnownTargets,
  type StopMessageSet,
} from '../markers/index.ts'
import { applyRoutingMarker, stickyPart } from '../router/overrides.ts'
import type { RoutingOverrides } from '../router/types.ts'
import type { Turn } from './turn.ts'

export interface MarkerDeps {
  language(): Language
  targets: KnownTargets
  /** of each text what a person wrote, empty where the client wrote it all (sessions/person-text) */
  personTexts(client: ClientKind, texts: readonly string[]): readonly string[]
  /** a goal's text; `terminalId` tells in which folder the session works */
  readGoalFile(path: string, terminalId: string | null): Promise<GoalFileResult>
  /** where a session without a terminal keeps its stopMessage, when reenter is on for it; else null */
  reenterScope(sessionId: string): Scope | null
  arm(scope: Scope, order: { sessionId: string; text: string; max: number | null; review: boolean }): Promise<void>
  clear(scope: Scope): Promise<void>
  alarms: {
    set(sessionId: string, alarm: { dueAtMs: number; task: string }, requestId: string): Promise<void>
    /** @returns how many there were */
    clear(sessionId: string): Promise<number>
  }
  setOverrides(sessionId: string, overrides: RoutingOverrides): Promise<void>
  record: RecordEvent
}

/**
 * Reads the newest user message for markers and carries them out. Only what a person wrote, only in a first-time
 * `turn`; a retry gets the same answer without anything being applied twice.
 */
export async function readMarkers(turn: Turn, deps: MarkerDeps): Promise<void> {
  const { identity, lens } = turn
  if (identity.kind !== 'turn') return
  const last = lens.lastMessage()
  if (last?.role !== 'user' || last.texts.length === 0) return
  const texts = deps.personTexts(identity.client, last.texts).filter((text, i) => text !== '' && !turn.receipt.ours[i])
  const parsed = texts
    .filter((text) => text.includes('<**'))
    .map((text) => parseMarkers(text, { language: deps.language(), targets: deps.targets }))
  const instructions = parsed.flatMap((p) => p.instructions)
  if (instructions.length === 0 && parsed.every((p) => p.inPaste.length === 0)) return

  const said = identity.retry
    ? []
    : await carryOut(
        turn,
        deps,
        instructions,
        parsed.flatMap((p) => p.inPaste),
      )
  if (isPureCommand(texts, instructions))
    turn.ownAnswer = `Onward: ${said.length > 0 ? said.join(' ') : 'done already.'}`
}

/** Applies what can be applied, records every effect and refusal, and returns what was done as sentences. */
async function carryOut(
  turn: Turn,
  deps: MarkerDeps,
  instructions: readonly Instruction[],
  inPaste: readonly string[],
): Promise<string[]> {
  const { sessionId, scope } = turn.identity
  const where = { sessionId, scope, requestId: turn.call.requestId }
  const said: string[] = []
  const refuse = (marker: string, code: string, message: string) => {
    deps.record(where, { type: 'marker-refused', marker, code, message })
    said.push(message)
  }
  const applied = (marker: string, effect: string, pendingReview = false) => {
    deps.record(where, { type: 'marker-applied', marker, effect, ...(pendingReview ? { pendingReview } : {}) })
    said.push(`${effect}.`)
  }
  for (const marker of inPaste)
    deps.record(where, {
      type: 'marker-refused',
      marker,
      code: 'in-paste',
      message: 'It stood in the middle of pasted text.',
    })
  for (const instruction of instructions) {
    if (instruction.kind === 'invalid') refuse(instruction.marker, instruction.code, instruction.message)
  }
  await alarms(turn, deps, instructions, { refuse, applied })
  await routing(turn, deps, instructions, { refuse, applied })
  await stopMessage(turn, deps, instructions, { refuse, applied })
  return said
}

interface Tell {
  refuse(marker: string, code: string, message: string): void
  applied(marker: string, effect: string, pendingReview?: boolean): void
}

async function routing(turn: Turn, deps: MarkerDeps, instructions: readonly Instruction[], tell: Tell): Promise<void> {
  const { sessionId } = turn.identity
  const before = turn.overrides
  const changes: Instruction[] = []
  for (const instruction of instructions) {
    const next = applyRoutingMarker(turn.overrides, instruction)
    if (next === turn.overrides) continue
    if (sessionId === null && instruction.kind !== 'routing-force') {
      tell.refuse(instruction.marker, 'no-session', 'This client names no session, so nothing can be kept for it.')
      continue
    }
    turn.overrides = next
    changes.push(instruction)
  }
  try {
    if (sessionId !== null && turn.overrides !== before) await deps.setOverrides(sessionId, stickyPart(turn.overrides))
    for (const change of changes) tell.applied(change.marker, routingEffect(change))
  } catch (error) {
    // This turn goes where it was told to; only what should be kept is lost.
    for (const change of changes)
      tell.refuse(change.marker, OnwardError.isInstance(error) ? error.code : 'failed', messageOf(error))
  }
}

/** In the order they stand: an alarm behind a clear stays. Each is on the disk before the request goes on. */
async function alarms(turn: Turn, deps: MarkerDeps, instructions: readonly Instruction[], tell: Tell): Promise<void> {
  const { sessionId } = turn.identity
  for (const instruction of instructions) {
    if (instruction.kind !== 'clock-set' && instruction.kind !== 'clock-clear') continue
    const { marker } = instruction
    if (sessionId === null) {
      tell.refuse(marker, 'no-session', 'This client names no session, so no alarms can be kept for it.')
      continue
    }
    try {
      if (instruction.kind === 'clock-set') {
        await deps.alarms.set(
          sessionId,
          { dueAtMs: instruction.dueAtMs, task: instruction.message },
          turn.call.requestId,
        )
        tell.applied(marker, `Alarm set for ${instruction.time}`)
      } else {
        const removed = await deps.alarms.clear(sessionId)
        tell.applied(
          marker,
          removed === 0 ? 'No alarm was set' : removed === 1 ? '1 alarm cancelled' : `${removed} alarms cancelled`,
        )
      }
    } catch (error) {
      tell.refuse(marker, OnwardError.isInstance(error) ? error.code : 'failed', messageOf(error))
    }
  }
}

function routingEffect(instruction: Instruction): string {
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
    default:
      return 'Routing overrides dropped'
  }
}

async function stopMessage(
  turn: Turn,
  deps: MarkerDeps,
  instructions: readonly Instruction[],
  tell: Tell,
): Promise<void> {
  const decision = resolveStopMessage(instructions)
  if (decision.kind === 'none') return
  const marker = decision.kind === 'set' ? decision.instruction.marker : decision.marker
  const { sessionId } = turn.identity
  const scope = turn.identity.scope ?? (sessionId === null ? null : deps.reenterScope(sessionId))
  const refusal = whyNot(turn, scope)
  if (refusal || scope === null || sessionId === null) {
    // A generic clear without a terminal has nothing to clear; that is not worth a word.
    if (decision.kind === 'set') tell.refuse(marker, refusal?.code ?? 'no-scope', refusal?.message ?? noScope)
    return
  }
  try {
    if (decision.kind === 'clear') {
      await deps.clear(scope)
      tell.applied(marker, 'stopMessage cleared')
      return
    }
    const text = await textOf(decision.instruction, turn, deps)
    if (!text.ok) return tell.refuse(marker, text.code, text.message)
    const { max, review } = decision.instruction
    await deps.arm(scope, { sessionId, text: text.text, max, review })
    tell.applied(
      marker,
      max === null
        ? 'stopMessage armed until the goal is reached'
        : `stopMessage armed, ${max === 1 ? '1 round' : `${max} rounds`}`,
      review,
    )
  } catch (error) {
    tell.refuse(marker, OnwardError.isInstance(error) ? error.code : 'failed', messageOf(error))
  }
}

const noScope = 'No terminal is known for this client. Start it with `onward`, or switch reenter mode on.'

function whyNot(turn: Turn, scope: Scope | null): { code: string; message: string } | null {
  const { identity } = turn
  if (identity.sessionId === null) return { code: 'no-session', message: 'This client names no session.' }
  if (identity.registeredClientOnly)
    return {
      code: 'registered-client',
      message: 'This client is registered for alarms only; stopMessage needs its terminal.',
    }
  return scope === null ? (identity.scopeProblem ?? { code: 'no-scope', message: noScope }) : null
}

async function textOf(instruction: StopMessageSet, turn: Turn, deps: MarkerDeps): Promise<GoalFileResult> {
  return instruction.text.kind === 'file'
    ? deps.readGoalFile(instruction.text.path, turn.identity.terminalId)
    : { ok: true, text: instruction.text.text }
}
