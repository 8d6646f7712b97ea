import type { ClientKind } from '../../../../shared/words.ts'
import type { Peer } from '../../sessions/binding/peer.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import type { CallingProgram } from '../../sessions/types.ts'
import { agents } from '../agents/index.ts'
import { expectedAgent, isNamed } from './foreground.ts'
import type { ProcessFact, ProcReader } from './proc-reader.ts'

/**
 * Decides whether a process that calls for a terminal is the agent in it. All agents start their tools in sessions of
 * their own (setsid; seen with Claude Code 2.1.332, Codex 0.171.0, opencode 1.18.33, Gemini CLI 0.61.0, Qwen Code
 * 0.24.4, Kimi Code 2.1.0 and Copilot CLI 1.0.102), and send their requests from the session that the terminal was
 * opened with; without a screen, from that of their run. Other processes in that session (hooks, MCP servers) are
 * recognised by their names, and by not being the process that called first.
 */
export function agentProcesses(
  reader: ProcReader | null,
): (terminal: Terminal, peer: Peer | null) => Promise<CallingProgram> {
  const callers = new Map<string, { pid: number; startedAt: number | null; pgid: number }>()
  return async ({ terminalId, client, command, pane, agentPid, headless }, peer) => {
    const leader = pane?.panePid ?? agentPid
    if (!reader || !peer || leader === null) return 'untold'
    const known = callers.get(terminalId)
    if (known?.pid === peer.pid && known.startedAt === peer.startedAt) return 'agent'
    const agent = expectedAgent(client, command.split(' '), agentPid)
    const caller = await reader.process(peer.pid)
    const isRun = headless && peer.session !== null && (await reader.process(peer.session))?.ppid === leader
    if (!isRun && peer.session !== leader) return (await isBelowDaemon(reader, client, caller)) ? 'daemon' : 'other'
    if (!caller || (client !== 'other' && !isNamed(caller, agent))) return 'other'
    // An agent may be started again in its terminal, but not in its own process group while it lives.
    if (known?.pgid === caller.pgid && (await reader.process(known.pid))) return 'other'
    callers.set(terminalId, { pid: peer.pid, startedAt: peer.startedAt, pgid: caller.pgid })
    return 'agent'
  }
}

/** True if only processes of the agent stand between the caller and its daemon: a tool has a shell in between. */
async function isBelowDaemon(reader: ProcReader, client: ClientKind, caller: ProcessFact | null): Promise<boolean> {
  const { daemon } = agents[client]
  if (!daemon) return false
  const agent = expectedAgent(client, [], null)
  for (let at = caller, up = 0; at && isNamed(at, agent) && up < 5; up++) {
    if (daemon.test(at.argv.join(' '))) return true
    at = at.ppid ? await reader.process(at.ppid) : null
  }
  return false
}
