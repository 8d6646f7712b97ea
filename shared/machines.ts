import type { SessionView } from './state.ts'

/** How the engine of another machine is reached from here. */
export type MachineState =
  /** for the first time since this engine follows it */
  | { kind: 'connecting' }
  | { kind: 'there'; since: number; version: string }
  /** tried again at `nextTryAt`; what it does there goes on */
  | { kind: 'away'; since: number; why: { code: string; message: string }; nextTryAt: number }

/** Another machine and its sessions, as they were when it was last seen. */
export interface MachineView {
  name: string
  /** what ssh goes to */
  target: string
  state: MachineState
  sessions: readonly SessionView[]
}
