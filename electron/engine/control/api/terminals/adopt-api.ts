import type { AdoptablePane } from '../../../../../shared/setup/adopting.ts'
import type { ControlApi } from '../../../../../shared/operations/index.ts'
import type { TerminalView } from '../../../../../shared/state.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { FoundPane } from '../../../sessions/binding/pane-lookup.ts'
import type { Terminal } from '../../../sessions/binding/terminal.ts'
import type { TerminalsRegistry } from '../../../sessions/binding/terminals-registry.ts'
import type { TmuxPanes } from '../../../terminals/tmux/index.ts'

export interface AdoptApiDeps {
  registry: Pick<TerminalsRegistry, 'list' | 'adopt'>
  tmux: Pick<TmuxPanes, 'agents' | 'agentOf'>
  view(terminalId: string): TerminalView
}

/** Panes of agents that were started by hand: which there are, and registering one at a person's word. */
export function adoptApi({ registry, tmux, view }: AdoptApiDeps) {
  const knownAs = (found: FoundPane) => registry.list().find((terminal) => holds(terminal, found)) ?? null
  return {
    async adoptablePanes({ sockets }) {
      const known = registry.list().flatMap(({ endedAt, pane }) => (endedAt === null && pane ? [pane.socket] : []))
      const found = await tmux.agents([...sockets, ...known])
      return found.filter((pane) => knownAs(pane) === null).map(listed)
    },
    async adoptPane({ socket, paneId, pid }) {
      const found = await tmux.agentOf({ socket, paneId, pid })
      if (found === null)
        throw new OnwardError(
          'pane-no-agent',
          `No agent is in front in the tmux pane ${paneId} now. Start one there, or bring it to the front.`,
          { details: { paneId }, status: 409 },
        )
      const { tmuxSessionId: _session, ...fresh } = found
      const { terminalId } = knownAs(found) ?? (await registry.adopt(fresh))
      return view(terminalId)
    },
  } satisfies Partial<ControlApi>
}

/** Registered for this very pane; what was found there by itself counts only for the agent it was found with. */
const holds = ({ endedAt, origin, client, pane }: Terminal, found: FoundPane): boolean =>
  endedAt === null &&
  pane !== null &&
  pane.socket === found.pane.socket &&
  pane.paneId === found.pane.paneId &&
  (pane.panePid === null || pane.panePid === found.pane.panePid) &&
  (origin === 'launched' || client === found.client)

const listed = ({ pane, client, cwd, command }: FoundPane): AdoptablePane => ({
  socket: pane.socket,
  paneId: pane.paneId,
  pid: pane.panePid ?? 0,
  client,
  tmuxSession: pane.tmuxSession,
  cwd,
  command,
})
