import type { MachineView } from '../machines.ts'
import { call } from './operation.ts'

/** The machines that were added (`onward remote`), each with an engine of its own. */
export const machineOperations = {
  /**
   * Reaches those that are not yet, and answers when each of them is there or is known not to be, ten seconds later at
   * the latest. From then on the engine keeps a line to them.
   */
  machines: call.query<readonly MachineView[]>(),
}
