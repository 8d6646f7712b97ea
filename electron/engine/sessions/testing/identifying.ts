import { silentLog } from '../../base/log.ts'
import { createIdentifier, type IdentifierOptions } from '../identify/identify.ts'
import { createPaneLookup, type PaneSource } from '../binding/pane-lookup.ts'
import type { FindProcess } from '../types.ts'
import { machine, registryOn } from './machine.ts'

/** An identifier with terminals of a machine of its own; the panes it can find are given. */
export async function identifying(panes?: Partial<PaneSource>, more: Partial<IdentifierOptions> = {}) {
  const on = machine()
  const { terminals, dead } = await registryOn(on)
  const source: PaneSource = { paneOfTty: async () => null, ...panes }
  const lookup = createPaneLookup({ panes: source, clock: on.clock, log: silentLog })
  return { on, terminals, dead, identifier: createIdentifier({ terminals, log: silentLog, panes: lookup, ...more }) }
}

/** A process that calls from this terminal device. */
export const from =
  (tty: string | null): FindProcess =>
  async () => ({ pid: 7, uid: 1000, tty, cwd: null, session: 6, startedAt: 1 })
