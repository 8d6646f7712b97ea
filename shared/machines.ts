import type { ContractFit } from './control/contract.ts'
import type { MachineUpdate, MachineView, Notice } from './state.ts'

export type { MachineFacts, MachineState, MachineUpdate, MachineView } from './state.ts'

/** Why a machine is away, where a page says it in words of its own. */
export const machineTroubles = [
  'fleet-engine-away',
  'fleet-hub-away',
  'machine-auth-refused',
  'machine-contract',
  'machine-engine-ended',
  'machine-engine-silent',
  'machine-host-key',
  'machine-host-unknown',
  'machine-line-lost',
  'machine-no-answer',
  'machine-no-engine',
  'machine-no-onward',
  'machine-no-ssh',
  'machine-silent',
  'machine-ssh-failed',
  'machine-unreachable',
] as const

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

/** a notification of a machine's own engine */
export type MachineNotice = { type: 'machine-notice'; machine: string; notice: Notice }

/** An operation of shared/operations, its input checked. */
export interface CallThere {
  machine: string
  operation: string
  kind: 'query' | 'mutation'
  input: unknown
}

/** `machines` after an update. */
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
