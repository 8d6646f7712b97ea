import { asksForHelp, type RecordEvent, type ReviveRest } from '../../../../shared/events.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { OnwardError, problemOf } from '../../base/errors.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import type { TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'
import { agents } from '../../terminals/agents/index.ts'
import type { AgentEnding } from '../../terminals/host/messages.ts'
import { putUnlessPending, takeBack } from '../../terminals/outbox/followups.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'

export interface ReviveDeps {
  clock: Clock
  outboxes: Outboxes
  registry: Pick<TerminalsRegistry, 'get' | 'end' | 'describe'>
  record: RecordEvent
  /** `goal.revive` */
  wanted(): boolean
  /** a goal or a followup is set there that goes on by itself */
  isArmed(scope: Scope): boolean
  /** its last turn did not finish, and nothing else continues it */
  wasCut(sessionId: string): boolean
  /** what tells the agent to go on with a turn that was cut */
  text(): string
  /** terminals that wait for their agent: nothing is typed there meanwhile */
  away: Set<string>
  /** starts it in its hosted terminal. @throws OnwardError `terminal-offline`, or why it can't */
  restart(terminalId: string, conversation: string | null): Promise<{ pid: number }>
  /** it can be typed to again */
  onThere(terminalId: string): void
  /** a person has to see to it */
  ask(terminal: Terminal, why: ReviveRest): void
  onChange(terminalId: string): void
  /** how long it waits before it starts again (milliseconds) */
  waitMs?: number
}

interface End {
  terminalId: string
  exitCode: number | null
  ending: AgentEnding | null
}

/**
 * An agent that crashed, was killed or ran out of memory while a goal was set is started again in its terminal, going
 * on with its conversation. Its terminal has not ended then: goal, queue and alarms stay where they are.
 */
export interface Revive {
  /** The agent in a PTY ended. @returns whether its terminal goes on */
  ended(end: End): boolean
  /** The launcher in the agent's terminal asks what becomes of it. null: it has ended */
  launcherAsks(end: End): { conversation: string | null; waitMs: number } | null
  /** the terminal has ended, or its agent is there again */
  over(terminalId: string): void
  /** a main turn of the session begins, ours or another one */
  began(sessionId: string): void
  dispose(): void
}

/** a machine that ran out of memory has a moment to come to itself */
const WAIT_MS = 2_000
const STARTS_KEPT = 50

export function createRevive(deps: ReviveDeps): Revive {
  const { clock, registry, outboxes, record, away } = deps
  const waitMs = deps.waitMs ?? WAIT_MS
  const waiting = new Map<string, Disposable>()
  const nudges = new Map<string, string>()

  const tellEngine = (sessionId: string | null, error: unknown) =>
    record({ sessionId }, { type: 'engine-problem', ...problemOf(error, 'revive') })
  const rest = (terminal: Terminal, why: ReviveRest) => {
    const asks = asksForHelp(why)
    record(where(terminal), { type: 'revive-refused', why })
    registry.describe(terminal.terminalId, { restsBecause: asks ? why : undefined })
    if (asks) deps.ask(terminal, why)
    deps.onChange(terminal.terminalId)
  }
  /** counted before it is done: an agent that crashes at its start counts too */
  const begin = (terminal: Terminal, { exitCode, ending }: End) => {
    const starts = [...(terminal.startedAgain ?? []), clock.now()].slice(-STARTS_KEPT)
    // a pane shows who is in front of it
    if (terminal.home !== 'pane') away.add(terminal.terminalId)
    registry.describe(terminal.terminalId, { startedAgain: starts, restsBecause: undefined })
    record(where(terminal), { type: 'revived', exitCode, signal: ending?.signal ?? null, times: starts.length })
    deps.onChange(terminal.terminalId)
    const { sessionId } = terminal
    if (sessionId !== null && deps.wasCut(sessionId))
      nudge(terminal, sessionId, `revive:${terminal.terminalId}:${clock.now()}`).catch((error: unknown) =>
        tellEngine(sessionId, error),
      )
  }
  const nudge = async ({ scope }: Terminal, sessionId: string, group: string): Promise<void> => {
    const followup = { sessionId, group, text: deps.text(), source: 'revive' } as const
    const entryId = await putUnlessPending(outboxes, scope, followup)
    // Else the text that is queued there already continues the session.
    if (entryId !== null) nudges.set(sessionId, entryId)
  }
  const end = (terminalId: string, exitCode: number | null) => {
    away.delete(terminalId)
    registry.end(terminalId, exitCode, 'the agent ended').catch((error: unknown) => tellEngine(null, error))
  }
  const restart = async (found: End): Promise<void> => {
    const { terminalId, exitCode } = found
    waiting.delete(terminalId)
    const terminal = registry.get(terminalId)
    if (!terminal || terminal.endedAt !== null) return
    const conversation = conversationOf(terminal)
    // A person may have cleared the goal, or gone on elsewhere.
    if (!deps.wanted() || !deps.isArmed(terminal.scope) || conversation === undefined) return end(terminalId, exitCode)
    try {
      const { pid } = await deps.restart(terminalId, conversation)
      registry.describe(terminalId, { agentPid: pid })
      over(terminalId)
    } catch (error) {
      // Its host reports the outcome when it is connected again.
      if (OnwardError.isInstance(error) && error.code === 'terminal-offline') return void away.delete(terminalId)
      tellEngine(terminal.sessionId, error)
      rest(terminal, 'not-started')
      end(terminalId, exitCode)
    }
  }
  const over = (terminalId: string) => {
    waiting.get(terminalId)?.dispose()
    waiting.delete(terminalId)
    if (!away.delete(terminalId) || registry.get(terminalId)?.endedAt !== null) return
    deps.onThere(terminalId)
  }

  return {
    ended(found) {
      const { terminalId } = found
      const terminal = registry.get(terminalId)
      if (!terminal || terminal.endedAt !== null) return false
      // a host that is connected again reports it once more
      if (away.has(terminalId)) return true
      const decision = decisionOn(deps, terminal, found)
      if (decision?.kind !== 'again') {
        // The launcher in it asks as well, and hears the same.
        if (decision && terminal.home === 'hosted') rest(terminal, decision.why)
        return terminal.home === 'wrapped' && decision !== null
      }
      away.add(terminalId)
      if (terminal.home !== 'hosted') return true
      begin(terminal, found)
      waiting.set(
        terminalId,
        clock.after(waitMs, () => void restart(found)),
      )
      return true
    },
    launcherAsks(found) {
      const terminal = registry.get(found.terminalId)
      if (!terminal || terminal.endedAt !== null || terminal.home === 'hosted') return null
      const decision = decisionOn(deps, terminal, found)
      const conversation = conversationOf(terminal)
      if (decision?.kind === 'again' && conversation !== undefined) {
        begin(terminal, found)
        return { conversation, waitMs }
      }
      if (decision?.kind === 'rests') rest(terminal, decision.why)
      return null
    },
    over,
    began(sessionId) {
      const entryId = nudges.get(sessionId)
      if (entryId === undefined) return
      nudges.delete(sessionId)
      takeBack(outboxes, entryId, 'new-turn').catch((error: unknown) => tellEngine(sessionId, error))
    },
    dispose() {
      for (const timer of waiting.values()) timer.dispose()
      waiting.clear()
    },
  }
}

const decisionOn = (deps: ReviveDeps, terminal: Terminal, { exitCode, ending }: End): ReviveDecision =>
  decideRevive(
    {
      wanted: deps.wanted(),
      armed: deps.isArmed(terminal.scope),
      exitCode,
      ending,
      canResume: agents[terminal.client].resume !== null,
      conversationKnown: conversationOf(terminal) !== undefined,
      starts: terminal.startedAgain ?? [],
    },
    deps.clock.now(),
  )

const where = ({ sessionId, scope }: Terminal) => ({ sessionId, scope })

/** undefined: it is not known */
function conversationOf({ client, sessionId, scope, conversation }: Terminal): string | null | undefined {
  if (agents[client].resume?.known === 'argument')
    // It was started under a name, and left that name if it has had another conversation since.
    return conversation?.n === 1 && !conversation.earlier ? null : undefined
  return sessionId === null || sessionId.startsWith(`${scope}#`) ? undefined : sessionId
}

/** An agent's process ended in a terminal of Onward's. */
export interface EndFacts {
  /** `goal.revive` */
  wanted: boolean
  /** a goal or a followup is set there that goes on by itself */
  armed: boolean
  exitCode: number | null
  /** null: its host or launcher is of an earlier version, and could not start it again */
  ending: AgentEnding | null
  /** the agent can be started so that it goes on with a conversation */
  canResume: boolean
  /** which conversation it was is known */
  conversationKnown: boolean
  /** when it was started again before (epoch ms) */
  starts: readonly number[]
}

/** `null`: not wanted, so nothing is reported either */
type ReviveDecision = { kind: 'again' } | { kind: 'rests'; why: ReviveRest } | null

const HOUR_MS = 3_600_000
const mostPerHour = 3

/**
 * Closing a terminal and pressing an interrupt key send these, or end as the exit codes that a shell would show for
 * them.
 */
const told = new Set<string | number>(['SIGHUP', 'SIGINT', 'SIGQUIT', 129, 130, 131])

/**
 * Decides whether an agent that ended is started again. A person's order counts most, then the process itself: an agent
 * ends with 0 when it was asked to or finished, never when it crashed, was killed or ran out of memory. So an agent
 * that ended with 0 rests, whatever asked it to end: the keys in a pane can't be seen, and an agent that a person quit
 * must not come back.
 */
export function decideRevive(facts: EndFacts, now: number): ReviveDecision {
  const { ending, exitCode } = facts
  if (!facts.wanted || !facts.armed || ending === null) return null
  const rests = (why: ReviveRest): ReviveDecision => ({ kind: 'rests', why })
  if (ending.asked === 'person') return rests('quit')
  if (ending.asked === 'told' || told.has(ending.signal ?? exitCode ?? '')) return rests('told')
  if (exitCode === 0) return rests('ended-well')
  if (!facts.canResume) return rests('no-resume')
  if (!ending.resumes) return rests('arguments')
  if (!facts.conversationKnown) return rests('no-conversation')
  if (lastHour(facts.starts, now).length >= mostPerHour) return rests('too-often')
  return { kind: 'again' }
}

const lastHour = (starts: readonly number[], now: number): readonly number[] =>
  starts.filter((at) => at > now - HOUR_MS)
