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
  'machine-has-onward',
  'machine-host-key',
  'machine-host-unknown',
  'machine-install-changed',
  'machine-install-failed',
  'machine-line-lost',
  'machine-no-answer',
  'machine-no-engine',
  'machine-no-node',
  'machine-no-onward',
  'machine-no-ssh',
  'machine-platform',
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

/** What an installation over ssh would do on a machine without Onward. */
export interface InstallPlan {
  machine: string
  target: string
  /** of this Onward, whose own files it gets */
  version: string
  /** there, from the person's home folder */
  folder: string
  command: string
  node: { path: string; version: string }
  /** that are sent */
  bytes: number
  /** packages that npm gets there, since those of here are made for another platform */
  fetches: readonly string[]
  /** what /bin/sh runs there, in this order */
  runs: readonly string[]
  /** a line for a shell here that takes it away again */
  undo: string
  /** of all of this: what is done is what was shown */
  fingerprint: string
}

export type InstallStep =
  | { kind: 'sending'; sent: number; of: number }
  /** it is unpacked, tried and put in its place */
  | { kind: 'checking' }
  | { kind: 'starting' }
  | { kind: 'done'; reached: ReachedMachine }

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
