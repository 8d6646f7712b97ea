import { silentLog } from '../../base/log.ts'
import { createIdentifier } from '../identify.ts'
import { createPaneLookup, type PaneSource } from '../pane-lookup.ts'
import { machine, registryOn } from './machine.ts'

/** An identifier with terminals of a machine of its own; the panes and callers it can find are given. */
export async function office(
  panes?: Partial<PaneSource>,
  peers: {
    find(port: number): Promise<{ pid: number; uid: number; tty: string | null; cwd: null } | null>
  } | null = null,
) {
  const on = machine()
  const { terminals, dead } = await registryOn(on)
  const source: PaneSource = { agentPanes: async () => [], paneOfTty: async () => null, ...panes }
  const lookup = createPaneLookup({
    panes: source,
    peers: peers && { ...peers, userOf: async () => null },
    clock: on.clock,
    log: silentLog,
  })
  return { on, terminals, dead, identifier: createIdentifier({ terminals, log: silentLog, panes: lookup }) }
}
