import type { RecordEvent } from '../../../../shared/events.ts'
import type { Language } from '../../../../shared/words.ts'
import type { ConfigHandle } from '../../config/types.ts'
import { OnwardError } from '../../base/errors.ts'
import { parseMarkers, readGoalFile, writeGoal, type KnownTargets } from '../../markers/index.ts'
import type { KnownGoals } from '../../markers/goals/known-goals.ts'
import { carryOut, type CarryOutDeps } from '../../pipeline/request/carry-out-markers.ts'
import type { HeldMarkers } from '../../sessions/held-markers.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'

/** A person's decision about markers that were not followed. */
export interface MarkerOrders {
  /**
   * Carries it out as if it had been followed. @throws `marker-unknown`, `one-turn`, `goal-changed`, or the reason for
   * a refusal; then it still waits
   */
  apply(sessionId: string, id: string): Promise<void>
  /**
   * another program asks for a goal, which waits as one that was not followed. @throws `goal-not-asked` where it can't
   * be kept
   */
  ask(sessionId: string, goal: { text: string; max: number | null; review: boolean }): Promise<void>
  /** @throws `marker-unknown` */
  forget(sessionId: string, id: string): Promise<void>
}

export interface MarkerOrdersDeps {
  held: HeldMarkers
  goals: KnownGoals
  sessions: Pick<SessionStore, 'get'>
  registry: Pick<TerminalsRegistry, 'holderOf' | 'alive'>
  markers: CarryOutDeps & { language(): Language; targets: KnownTargets }
  record: RecordEvent
}

/** The effects of markers, whether in a message or when a person applies them. */
export function markerEffects(parts: {
  home: string
  config: Pick<ConfigHandle, 'current'>
  sessions: Pick<SessionStore, 'choose'>
  language(): Language
  targets: KnownTargets
  folderOf(terminalId: string): string | null
  held: HeldMarkers
  goals: KnownGoals
  alarms: CarryOutDeps['alarms']
  arm: CarryOutDeps['arm']
  clear: CarryOutDeps['clear']
  record: RecordEvent
}): MarkerOrdersDeps['markers'] {
  const { home, config, sessions, held, goals } = parts
  return {
    language: parts.language,
    targets: parts.targets,
    readGoalFile: (path, terminalId) =>
      readGoalFile({ home, session: terminalId === null ? null : parts.folderOf(terminalId) }, path),
    knowsGoal: goals.has,
    noProgressRounds: () => config.current().stopMessage.budgets.noProgressRounds,
    reenterScope: (sessionId) => (config.current().stopMessage.delivery === 'reenter' ? `session:${sessionId}` : null),
    arm: parts.arm,
    clear: parts.clear,
    alarms: parts.alarms,
    async setOverrides(sessionId, { allow, prefer, disabled }) {
      await sessions.choose(sessionId, () => ({ routing: { allow, prefer, disabled } }))
    },
    offer: held.add,
    record: parts.record,
  }
}

export function createMarkerOrders(deps: MarkerOrdersDeps): MarkerOrders {
  const { held, sessions, registry, markers } = deps
  /** two windows, or a double click: an alarm must not be set twice */
  const underWay = new Set<string>()

  const placeOf = (sessionId: string, id: string) => {
    const terminal = registry.holderOf(sessions.get(sessionId)?.terminalId ?? null)
    const terminalId = terminal?.terminalId ?? null
    const living = terminal && registry.alive(terminal) ? terminal : null
    const elsewhere = living !== null && living.sessionId !== null && living.sessionId !== sessionId
    return {
      sessionId,
      scope: living && !elsewhere ? living.scope : null,
      terminalId,
      requestId: `marker-${id}`,
      blocked: null,
      scopeProblem: elsewhere
        ? { code: 'other-conversation', message: 'Its terminal shows another conversation now.' }
        : null,
    }
  }
  const apply = async (sessionId: string, id: string) => {
    const { marker, goal } = held.get(sessionId, id)
    const { instructions } = parseMarkers(marker, {
      language: markers.language(),
      targets: markers.targets,
      anywhere: true,
    })
    if (instructions.some(({ kind }) => kind === 'routing-force'))
      throw new OnwardError('one-turn', 'It is for one turn only, which is over. Type it with your next message.', {
        status: 409,
      })
    // The person has seen this content; the file may hold another by now.
    if (goal !== undefined) await deps.goals.add(goal)
    const routing = sessions.get(sessionId)?.routing ?? { allow: null, prefer: null, disabled: [] }
    const { refused } = await carryOut(placeOf(sessionId, id), { ...routing, force: null }, instructions, markers)
    const [first] = refused
    if (first?.code === 'new-file')
      throw goal === undefined
        ? new OnwardError('goal-unseen', 'Look at the goal in the file first; then apply it.', { status: 409 })
        : new OnwardError('goal-changed', 'The file reads otherwise by now. Look at it, then apply it.', {
            status: 409,
          })
    if (first) throw new OnwardError(first.code, first.message, { status: 409 })
    await held.remove(sessionId, id)
  }

  return {
    async apply(sessionId, id) {
      held.get(sessionId, id)
      if (underWay.has(id)) throw new OnwardError('marker-unknown', 'It is being applied already.', { status: 409 })
      underWay.add(id)
      try {
        await apply(sessionId, id)
      } finally {
        underWay.delete(id)
      }
    },
    async ask(sessionId, goal) {
      const marker = writeGoal(goal)
      const { language, targets } = markers
      const { instructions } = parseMarkers(marker, { language: language(), targets, anywhere: true })
      const [read] = instructions
      const isRead =
        instructions.length === 1 &&
        read?.kind === 'stop-message-set' &&
        read.text.kind === 'text' &&
        read.text.text === goal.text &&
        read.max === goal.max &&
        read.review === goal.review
      const [offered = null] = isRead ? await held.add(sessionId, [{ marker, why: 'program' }]) : []
      if (offered === null)
        throw new OnwardError('goal-not-asked', 'This goal can’t be kept for a person to look at: write it shorter.', {
          status: 409,
        })
      deps.record({ sessionId }, { type: 'marker-held', marker: marker.slice(0, 500), why: 'program', offered })
    },
    async forget(sessionId, id) {
      const { marker } = held.get(sessionId, id)
      await held.remove(sessionId, id)
      deps.record({ sessionId }, { type: 'marker-forgotten', marker: marker.slice(0, 500) })
    },
  }
}
