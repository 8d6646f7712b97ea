import type { AdoptablePane } from '../../../shared/setup/adopting.ts'
import type { ControlApi } from '../../../shared/operations/index.ts'
import type { SessionView, TerminalView } from '../../../shared/state.ts'

/** Agents in tmux that were started without Onward. */
export const sceneAdoptable: readonly AdoptablePane[] = [
  {
    socket: '/tmp/tmux-1000/default',
    paneId: '%7',
    pid: 41_207,
    client: 'claude',
    tmuxSession: 'docs',
    cwd: '/home/me/code/docs-site',
    command: 'claude',
  },
  {
    socket: '/tmp/tmux-1000/default',
    paneId: '%9',
    pid: 41_377,
    client: 'codex',
    tmuxSession: 'search-index',
    cwd: '/home/me/code/search-index',
    command: 'codex',
  },
]

interface Around {
  scene: { adoptable: readonly AdoptablePane[] }
  refuse(code: string, message: string): never
  putTerminal(terminal: TerminalView): void
  freshOf(terminal: TerminalView): SessionView
}

export function fakeAdopting({ scene, refuse, putTerminal, freshOf }: Around, now: () => number) {
  return {
    async adoptablePanes() {
      return scene.adoptable
    },
    async adoptPane({ socket, paneId, pid }) {
      const found = scene.adoptable.find((pane) => pane.socket === socket && pane.paneId === paneId)
      if (!found) return refuse('pane-no-agent', `No agent is in front in the tmux pane ${paneId} now.`)
      scene.adoptable = scene.adoptable.filter((pane) => pane !== found)
      const terminal: TerminalView = {
        id: `tmux-${pid}`,
        scope: `tmux:${found.tmuxSession}`,
        kind: 'tmux',
        home: 'pane',
        client: found.client,
        name: found.tmuxSession,
        cwd: found.cwd,
        command: found.command,
        alive: true,
        openedAt: now(),
        sessionId: null,
        hold: null,
        exitCode: null,
        pane: { socket, paneId },
        cols: 120,
        rows: 40,
      }
      const adopted = { ...terminal, fresh: freshOf(terminal) }
      putTerminal(adopted)
      return adopted
    },
  } satisfies Partial<ControlApi>
}
