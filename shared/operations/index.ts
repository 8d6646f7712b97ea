/**
 * The control API: what dashboard, window, tray and command line can ask of the engine. A new verb is an entry in one
 * of these tables and its handler in `electron/engine/control/api`.
 */
import { alarmOperations } from './alarms.ts'
import { configOperations } from './config.ts'
import { deviceOperations } from './devices.ts'
import { engineOperations, setupOperations } from './engine.ts'
import { goalOperations } from './goals.ts'
import { fleetOperations, machineOperations } from './machines.ts'
import type { AnswerOf, Handlers, InputOf } from './operation.ts'
import { providerOperations } from './providers.ts'
import { recordOperations } from './records.ts'
import { sessionOperations } from './sessions.ts'
import { terminalOperations } from './terminals.ts'

export const operations = {
  ...engineOperations,
  ...recordOperations,
  ...sessionOperations,
  ...goalOperations,
  ...alarmOperations,
  ...terminalOperations,
  ...providerOperations,
  ...configOperations,
  ...setupOperations,
  ...deviceOperations,
  ...machineOperations,
  ...fleetOperations,
}
export type OperationName = keyof typeof operations
export type Input<N extends OperationName> = InputOf<(typeof operations)[N]>
export type Answer<N extends OperationName> = AnswerOf<(typeof operations)[N]>

/**
 * `session` arguments take a session id, its unambiguous beginning, its name, or a terminal id. A terminal that has had
 * no turn yet stands for the conversation it will have: in `session`, `say`, those of stopMessage, checks, rounds,
 * pause and resume, whose SessionView has the terminal's id then. Errors: OnwardError codes.
 */
export type ControlApi = Handlers<typeof operations>
