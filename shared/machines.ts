import type { ContractFit } from './control/contract.ts'
import type { Notice, SessionView } from './state.ts'

/** How the engine of another machine is reached from here. */
export type MachineState =
  /** for the first time since this engine follows it */
  | { kind: 'connecting' }
  | { kind: 'there'; since: number; version: string }
  /** tried again at `nextTryAt`; what it does there goes on. `seen`: it was there before, until `since` */
  | { kind: 'away'; since: number; seen: boolean; why: { code: string; message: string }; nextTryAt: number }

/** A machine without what runs on it. */
export interface MachineFacts {
  name: string
  /** what leads to it: for ssh, what ssh goes to */
  target: string
  state: MachineState
  /** its notifications are not shown here */
  quiet?: true
}

/** Another machine and its sessions, as they were when it was last seen. */
export interface MachineView extends MachineFacts {
  /** and terminals that have had no turn yet, each as the session it will have, by the terminal's id */
  sessions: readonly SessionView[]
}

/** What answered when a machine was tried. */
export interface ReachedMachine {
  machine: string
  target: string
  /** until its engine had answered a question, milliseconds */
  ms: number
  /** its engine was started for that, and runs on */
  started: boolean
  /** of the `onward` there, which need not be its engine's */
  version: string
  engine: { pid: number; version: string; host: string; port: number }
  fit: ContractFit
}

/** What changed, in order. Sessions of a machine come one by one, so that a newer state of one stands for an older. */
export type MachineUpdate =
  | { type: 'machine'; machine: MachineFacts }
  | { type: 'machine-removed'; machine: string }
  | { type: 'machine-session'; machine: string; session: SessionView }
  | { type: 'machine-session-removed'; machine: string; id: string }

/** a notification of a machine's own engine */
export type MachineNotice = { type: 'machine-notice'; machine: string; notice: Notice }

/** An operation of shared/operations, its input checked. */
export interface CallThere {
  machine: string
  operation: string
  kind: 'query' | 'mutation'
  input: unknown
}

/** `machines` after an update; the same list where it changes nothing. */
export function withMachine(machines: readonly MachineView[], update: MachineUpdate): readonly MachineView[] {
  if (update.type === 'machine') {
    const { machine } = update
    const sessions = machines.find(({ name }) => name === machine.name)?.sessions ?? []
    const others = machines.filter(({ name }) => name !== machine.name)
    return [...others, { ...machine, sessions }].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }
  if (update.type === 'machine-removed') return machines.filter(({ name }) => name !== update.machine)
  const id = update.type === 'machine-session' ? update.session.id : update.id
  return machines.map((one) => {
    if (one.name !== update.machine) return one
    if (update.type === 'machine-session-removed')
      return { ...one, sessions: one.sessions.filter((session) => session.id !== id) }
    const at = one.sessions.findIndex((session) => session.id === id)
    return { ...one, sessions: at < 0 ? [...one.sessions, update.session] : one.sessions.with(at, update.session) }
  })
}
