/** The desktop's picture of its engine, kept by the updates it receives. Pure. */
import type { AlarmView } from '../../../shared/alarms/alarms.ts'
import { withMachine, type MachineView } from '../../../shared/machines.ts'
import type { ProviderView } from '../../../shared/routing.ts'
import type { EngineStatus, EngineUpdate, SessionView, TerminalView } from '../../../shared/state.ts'
import type { Language } from '../../../shared/words.ts'

export interface Picture {
  /** null: there is no engine right now */
  status: EngineStatus | null
  sessions: ReadonlyMap<string, SessionView>
  terminals: ReadonlyMap<string, TerminalView>
  /** next due first; those that ring come before all others */
  alarms: readonly AlarmView[]
  providers: readonly ProviderView[]
  /** other machines with their sessions */
  machines: readonly MachineView[]
  /** outlives the engine, so that its absence is shown in the person's language */
  language: Language
}

export const noPicture = (language: Language): Picture => ({
  status: null,
  sessions: new Map(),
  terminals: new Map(),
  alarms: [],
  providers: [],
  machines: [],
  language,
})

export function pictureAfter(picture: Picture, update: EngineUpdate): Picture {
  switch (update.type) {
    case 'snapshot':
      return {
        status: update.status,
        sessions: new Map(update.sessions.map((s) => [s.id, s])),
        terminals: new Map(update.terminals.map((t) => [t.id, t])),
        alarms: update.alarms?.alarms ?? [],
        providers: update.providers ?? [],
        machines: update.machines ?? [],
        language: update.status.language,
      }
    case 'alarms':
      return { ...picture, alarms: update.alarms.alarms }
    case 'status':
      return { ...picture, status: update.status, language: update.status.language }
    case 'session':
      return { ...picture, sessions: new Map(picture.sessions).set(update.session.id, update.session) }
    case 'session-removed':
      return { ...picture, sessions: without(picture.sessions, update.id) }
    case 'terminal':
      return { ...picture, terminals: new Map(picture.terminals).set(update.terminal.id, update.terminal) }
    case 'terminal-removed':
      return { ...picture, terminals: without(picture.terminals, update.id) }
    case 'providers':
      return { ...picture, providers: update.providers }
    case 'machine':
    case 'machine-removed':
    case 'machine-session':
    case 'machine-session-removed':
      return { ...picture, machines: withMachine(picture.machines, update) }
    case 'turn':
    case 'event':
    case 'notice':
    case 'devices':
    case 'rights':
    case 'windows-signed-out':
      return picture
  }
}

/**
 * Names the agents that would be without a model if the engine ended: those in living terminals, and those at work
 * elsewhere.
 */
export function dependents({ sessions, terminals }: Picture): readonly string[] {
  const alive = Array.from(terminals.values()).filter((t) => t.alive)
  const elsewhere = Array.from(sessions.values()).filter((s) => runs(s) && !alive.some((t) => t.id === s.terminalId))
  return [...alive, ...elsewhere].map((agent) => agent.name)
}

/** Names the sessions with a turn running that would have to go on with the next engine. */
export const atWork = ({ sessions }: Picture): readonly string[] =>
  Array.from(sessions.values())
    .filter((s) => runs(s) && !s.archived)
    .map((s) => s.name)

/** A turn of it is under way, or tried again. */
const runs = ({ shape, say }: SessionView): boolean => shape === 'working' || say.code === 'retrying'

/** The alarm's time has come, and it has not reached its session yet. */
export function isRinging({ alarms, status }: Picture, taskId: string, now: number): boolean {
  // Alarms keep to the time that time servers say.
  const corrected = now + (status?.timeSync?.offsetMs ?? 0)
  return alarms.some((alarm) => alarm.taskId === taskId && alarm.state.kind !== 'delivered' && alarm.dueAt <= corrected)
}

function without<T>(map: ReadonlyMap<string, T>, id: string): ReadonlyMap<string, T> {
  const rest = new Map(map)
  rest.delete(id)
  return rest
}
