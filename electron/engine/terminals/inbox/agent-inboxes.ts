import type { NoInbox } from '../../../../shared/state.ts'
import { messageOf } from '../../base/errors.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import { agents } from '../agents/index.ts'
import { expectedAgent, isNamed } from '../process/foreground.ts'
import type { AgentProgram, ProcReader } from '../process/proc-reader.ts'
import type { AgentInbox } from './codex-queue.ts'
import { inboxTarget, type InboxTarget } from './inbox-target.ts'

/** How a text gets to the agent of a terminal. `away`: it has an inbox that does not answer now. */
export type Way =
  | { kind: 'typing'; why: NoInbox }
  | { kind: 'away'; why: string }
  | { kind: 'inbox'; of(thread: string): InboxTarget; pauseGoal: AgentInbox['pauseGoal'] }

export interface AgentInboxes extends Disposable {
  of(terminal: Terminal): Promise<Way>
  /** as found last, without waiting; null: not looked for yet */
  found(terminalId: string): Way | null
}

export interface AgentInboxesDeps {
  clock: Clock
  /** null, and one that can't tell programs: no agent is known to have one */
  reader: ProcReader | null
  open(program: AgentProgram, clock: Clock): Promise<AgentInbox>
  /** a terminal's way is another one now */
  onFound(terminalId: string): void
}

/** its program is there for so long after the last use (milliseconds) */
const IDLE_MS = 60_000
/** one that did not answer, or took nothing, is asked again after so long, each time after twice as long, at most … */
const AGAIN_MS = 10_000
const AGAIN_AT_MOST_MS = 300_000

interface Opened {
  pid: number
  way: Way
  inbox: AgentInbox | null
  idle: Disposable | null
  at: number
  /** how often in a row it did not answer, or took nothing */
  failures: number
}

/** The inboxes of agents in terminals, each by the very program that runs there. */
export function createAgentInboxes({ clock, reader, open, onFound }: AgentInboxesDeps): AgentInboxes {
  const known = new Map<string, Opened>()

  const close = (opened: Opened | undefined) => {
    opened?.idle?.dispose()
    opened?.inbox?.dispose()
    if (opened) opened.inbox = null
  }
  const keep = (terminalId: string, opened: Opened): Way => {
    const before = known.get(terminalId)
    if (before !== opened) close(before)
    known.set(terminalId, opened)
    opened.idle?.dispose()
    opened.idle = opened.inbox && clock.after(IDLE_MS, () => close(opened))
    if (JSON.stringify(before?.way) !== JSON.stringify(opened.way)) onFound(terminalId)
    return opened.way
  }
  const look = async (terminal: Terminal): Promise<Way> => {
    const { terminalId, client } = terminal
    const facts = agents[client].inbox
    const opened = { pid: 0, inbox: null, idle: null, at: clock.monotonic(), failures: 0 }
    if (!facts) return keep(terminalId, { ...opened, way: { kind: 'typing', why: { code: 'none' } } })
    const agent = await programIn(reader, terminal)
    if (!agent) return keep(terminalId, { ...opened, way: { kind: 'typing', why: { code: 'program-unknown' } } })
    opened.pid = agent.pid
    const there = known.get(terminalId)
    if (there?.pid === agent.pid) {
      const pause = Math.min(AGAIN_MS * 2 ** (there.failures - 1), AGAIN_AT_MOST_MS)
      if (there.way.kind === 'away' && clock.monotonic() - there.at < pause) return there.way
      if (there.way.kind === 'typing' || (there.inbox && !there.inbox.ended())) return keep(terminalId, there)
      opened.failures = there.failures
    }
    const away = (why: string) =>
      keep(terminalId, { ...opened, failures: opened.failures + 1, way: { kind: 'away', why } })
    try {
      const inbox = await open(agent.program, clock)
      const { version } = inbox
      if (version !== null && facts.versions.includes(version)) {
        const way: Way = {
          kind: 'inbox',
          of: (thread) => inboxTarget(inbox, thread, { clock, away }),
          pauseGoal: inbox.pauseGoal,
        }
        return keep(terminalId, { ...opened, inbox, way })
      }
      inbox.dispose()
      return keep(terminalId, { ...opened, way: { kind: 'typing', why: { code: 'version', version } } })
    } catch (error) {
      return away(messageOf(error))
    }
  }
  const asked = new Map<string, Promise<Way>>()
  return {
    of(terminal) {
      const { terminalId } = terminal
      const asking =
        asked.get(terminalId) ??
        look(terminal)
          .catch((error: unknown) =>
            keep(terminalId, {
              pid: 0,
              way: { kind: 'away', why: messageOf(error) },
              inbox: null,
              idle: null,
              at: clock.monotonic(),
              failures: 1,
            }),
          )
          .finally(() => asked.delete(terminalId))
      asked.set(terminalId, asking)
      return asking
    },
    found: (terminalId) => known.get(terminalId)?.way ?? null,
    dispose() {
      for (const opened of known.values()) close(opened)
    },
  }
}

/** The agent's own program among those in front of the terminal, not the script that started it. */
async function programIn(
  reader: ProcReader | null,
  { client, pane, agentPid }: Terminal,
): Promise<{ pid: number; program: AgentProgram } | null> {
  const leader = pane?.panePid ?? agentPid
  const holder = leader === null ? null : await reader?.process(leader)
  if (!reader?.program || !holder || holder.tpgid <= 0) return null
  const agent = expectedAgent(client, [], null)
  for (const one of await reader.group(holder.tpgid)) {
    const program = isNamed(one, agent) ? await reader.program(one.pid) : null
    if (program && agents[client].programs.includes(program.file.split('/').at(-1) ?? ''))
      return { pid: one.pid, program }
  }
  return null
}
