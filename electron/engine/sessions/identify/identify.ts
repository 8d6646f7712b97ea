import { createHash } from 'node:crypto'
import type { ClientKind, RequestKind, Scope } from '../../../../shared/words.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { putNewest } from '../../base/newest.ts'
import {
  checkTerminal,
  locateTerminal,
  type Located,
  type ProvenTerminal,
  namedTerminal,
} from '../binding/locate-terminal.ts'
import type { FoundPane, PaneLookup } from '../binding/pane-lookup.ts'
import type { Peer } from '../binding/peer.ts'
import { conversationFacts, nextConversation } from '../binding/terminal-conversation.ts'
import type { Terminal } from '../binding/terminal.ts'
import type { TerminalsRegistry } from '../binding/terminals-registry.ts'
import { profileOf } from '../clients/index.ts'
import type { CallingProgram, RequestFacts, TurnIdentity } from '../types.ts'
import { requestKind } from './request-kind.ts'
import { sessionIdOf, turnMetadata, type FoundSession } from './session-id.ts'

export interface Identifier {
  /**
   * Looks for the terminal of a hand-started client, and for the calling program; null: nothing to wait for. Wait for
   * it before `identify`, with the same facts object. Never rejects.
   */
  prepare(facts: RequestFacts): Promise<void> | null
  /**
   * Returns the session and terminal a request belongs to, and its kind. Remembers the turn, so call it once per
   * request.
   */
  identify(facts: RequestFacts): TurnIdentity
  /** both of the above */
  resolve(facts: RequestFacts): Promise<TurnIdentity>
  /** The client has a whole answer; `visible`: one with text or a tool call, which no client requests again. */
  answered(answer: { sessionId: string | null; responseId: string | null; visible: boolean }): void
}

export interface IdentifierOptions {
  terminals: TerminalsRegistry
  log: Log
  /** where the system can be asked for panes and peers */
  panes?: PaneLookup
  /** finds the program that calls for a terminal; left out: that is unknown */
  programOf?(terminal: Terminal, peer: Peer | null): Promise<CallingProgram>
  /** the last terminal a session was in, ended or not */
  homeOf?(sessionId: string): Terminal | null
  /** true if a request's history continues this conversation of the terminal; null: not known */
  continues?(scope: Scope, sessionId: string, facts: Pick<RequestFacts, 'history'>): boolean | null
  /** all of this conversation is one turn that failed */
  onlyFailed?(sessionId: string): boolean
}

export function createIdentifier(options: IdentifierOptions): Identifier {
  const { terminals, log, panes, programOf, homeOf } = options
  const responses = responseMemory()
  const retries = retryMemory()
  const tools = toolMemory()
  /** what `prepare` found for requests that are not identified yet */
  const prepared = new WeakMap<RequestFacts, { proven: ProvenTerminal | null; program: CallingProgram }>()

  const ask = async (terminal: Terminal, { callingProcess }: RequestFacts): Promise<CallingProgram> =>
    callingProcess && programOf ? programOf(terminal, await callingProcess()) : 'untold'

  /** Requests for a conversation that was in a terminal count from there alone: any program can write its name. */
  const isElsewhere = (session: FoundSession | null, located: Located): Terminal | null => {
    const home = session && located.kind !== 'terminal' ? homeOf?.(session.id) : null
    const there = located.kind === 'refused' ? located.shown : null
    return home && home.terminalId !== there?.terminalId ? home : null
  }

  const identifier: Identifier = {
    prepare(facts) {
      const { caller } = facts
      const known = caller.kind === 'terminal' ? terminals.get(caller.terminalId) : null
      if (known)
        return ask(known, facts).then(
          (program) => void prepared.set(facts, { proven: null, program }),
          (error: unknown) => log.warn({ why: messageOf(error) }, 'the program that calls could not be looked at'),
        )
      const finding = panes ? findPane(panes, terminals, facts) : null
      return (
        finding &&
        finding
          .then(async (pane) => {
            if (!pane) return
            const { tmuxSessionId, ...found } = pane
            const terminal = await terminals.adopt(found)
            prepared.set(facts, { proven: { terminal, tmuxSessionId }, program: await ask(terminal, facts) })
          })
          .catch((error: unknown) =>
            log.warn({ why: messageOf(error) }, 'a hand-started terminal could not be registered'),
          )
      )
    },

    identify(facts) {
      const { proven = null, program: asked = 'untold' } = prepared.get(facts) ?? {}
      const place = locateTerminal(terminals, facts, proven)
      const client = facts.recognised ?? 'other'
      const named = sessionIdOf(facts, responses.sessionOf)
      const of = named?.id ?? (place.kind === 'terminal' ? place.terminal.terminalId : null)
      const conversation = of === null ? null : `${client} ${of}`
      const { kind, ownThread, fromInbox } = requestKind(
        facts,
        client,
        () => conversation !== null && tools.lacks(conversation, facts),
      )
      const located = checkTerminal(terminals, place, facts, { client, program: asked })
      const terminal = located.kind === 'terminal' ? located.terminal : null
      const program = place.kind === 'terminal' ? asked : 'agent'
      // any program may begin a conversation of a daemon (`claude --bg`); a person goes on in it
      const isBegun = program === 'daemon' && conversationFacts(facts, client, kind, unknown).restarted()
      const elsewhere = isElsewhere(named, located)
      const session = ownThread
        ? shownIn(terminal)
        : elsewhere && terminals.alive(elsewhere)
          ? null
          : (named ?? (terminal && ofTerminal(options, terminal, facts, client, kind)))
      if (kind === 'turn' && session !== null && conversation !== null) tools.note(conversation, facts)
      const registeredClientOnly = located.kind === 'terminal' && located.registeredOnly
      // a registered client's word does not prove what runs in the terminal
      if (terminal && session && kind === 'turn' && !registeredClientOnly)
        terminals.setSession(terminal.terminalId, session.id)
      const turn = kind === 'turn' && session !== null ? turnName(facts.lastUserTexts(), facts.historyDigest) : null
      return {
        sessionId: session?.id ?? null,
        sessionSource: session?.source ?? null,
        client,
        kind,
        ...(kind === 'subagent' ? subagentOf(facts, client) : {}),
        terminalId: (located.kind === 'refused' ? located.shown : terminal)?.terminalId ?? null,
        scope: terminal?.scope ?? null,
        scopeProblem: located.kind === 'refused' ? { code: located.code, message: located.message } : null,
        ...markersOf(program, fromInbox || isBegun || elsewhere !== null),
        registeredClientOnly,
        retry: session !== null && turn !== null && retries.seen(session.id, turn),
        turn,
      }
    },

    async resolve(facts) {
      await identifier.prepare(facts)
      return identifier.identify(facts)
    },

    answered({ sessionId, responseId, visible }) {
      if (sessionId && responseId) responses.remember(responseId, sessionId)
      if (sessionId && visible) retries.answered(sessionId)
    },
  }
  return identifier
}

function subagentOf(facts: RequestFacts, client: ClientKind): { subagent?: string } {
  const told = profileOf(client).subagent
  const name = told && ('header' in told ? facts.headers[told.header] : turnMetadata(facts)?.[told.turnMetadata])
  return typeof name === 'string' && name !== '' ? { subagent: name } : {}
}

function markersOf(program: CallingProgram, isForeign: boolean): Pick<TurnIdentity, 'markers'> {
  if (program === 'other') return { markers: 'none' }
  return program === 'untold' || isForeign ? { markers: 'typed' } : {}
}

/** A request in a thread of an agent's own belongs to the conversation its terminal shows, or to none. */
const shownIn = (terminal: Terminal | null): FoundSession | null =>
  terminal?.sessionId ? { id: terminal.sessionId, source: 'terminal' } : null

const unknown = { continues: () => null, failed: () => false }

/** The current conversation of a terminal whose client names none. */
function ofTerminal(
  { terminals, continues, onlyFailed }: IdentifierOptions,
  terminal: Terminal,
  facts: RequestFacts,
  client: ClientKind,
  kind: RequestKind,
): FoundSession | null {
  const { conversation: known, scope } = terminal
  const history = {
    continues: (n: number) => continues?.(scope, `${scope}#${n}`, facts) ?? null,
    failed: (n: number) => onlyFailed?.(`${scope}#${n}`) ?? false,
  }
  const conversation = nextConversation(known, conversationFacts(facts, client, kind, history))
  if (conversation) terminals.setConversation(terminal.terminalId, conversation)
  return conversation && { id: `${terminal.scope}#${conversation.n}`, source: 'terminal' }
}

function findPane(
  panes: PaneLookup,
  terminals: TerminalsRegistry,
  facts: RequestFacts,
): Promise<FoundPane | null> | null {
  if (facts.caller.kind !== 'local' || facts.callingProcess === null) return null
  const { tmux, daemonId } = namedTerminal(facts)
  const isNamed = tmux !== null || daemonId !== null
  // without a named terminal only an agent's own requests are worth a search: a program's come by the thousand
  if (!isNamed && (facts.endpoint !== 'generate' || facts.recognised === null)) return null
  const sockets = terminals.list().flatMap(({ endedAt, pane }) => (endedAt === null && pane ? [pane.socket] : []))
  return panes.ofProcess(facts.callingProcess, [...new Set(sockets)])
}

/** The tools that the turns of conversations carry: the longest list seen with each. */
interface ToolMemory {
  /** it has fewer tools, and none of those */
  lacks(conversation: string, facts: RequestFacts): boolean
  note(conversation: string, facts: RequestFacts): void
}

function toolMemory(limit = 2000): ToolMemory {
  const longest = new Map<string, ReadonlySet<string>>()
  const countOf = (facts: RequestFacts): number => facts.toolCount() ?? 0
  return {
    lacks(conversation, facts) {
      const known = longest.get(conversation)
      const count = countOf(facts)
      if (!known || count >= known.size) return false
      return count === 0 || !facts.toolNames().some((name) => known.has(name))
    },
    note(conversation, facts) {
      if (countOf(facts) > (longest.get(conversation)?.size ?? 0))
        putNewest(longest, conversation, new Set(facts.toolNames()), limit)
    },
  }
}

/**
 * Remembers the session of each answer, for requests that only name the answer before them. Bounded: the oldest goes.
 */
export interface ResponseMemory {
  remember(responseId: string, sessionId: string): void
  sessionOf(responseId: string): string | null
}

export function responseMemory(limit = 5000): ResponseMemory {
  const sessions = new Map<string, string>()
  return {
    remember: (responseId, sessionId) => putNewest(sessions, responseId, sessionId, limit),
    sessionOf: (responseId) => sessions.get(responseId) ?? null,
  }
}

/**
 * Clients repeat a request without saying so. Same session, same last user message, same history before it: the same
 * turn again. Only the last turn of a session can come again; sessions are bounded.
 */
export interface RetryMemory {
  /** true when this turn was seen already */
  seen(sessionId: string, turn: string): boolean
  /** the client has the whole, visible answer: the same words again are a new turn */
  answered(sessionId: string): void
}

/** A short message is kept as it is, which costs less than its digest. */
const shortText = 200

function inShort(texts: readonly string[]): string {
  const [only = ''] = texts
  if (texts.length === 1 && only.length <= shortText) return `= ${only}`
  const hash = createHash('sha1')
  for (const text of texts) hash.update(`${text.length}:${text}`)
  return hash.digest('base64')
}

/** Names a turn within its session. Null for a tool round, which is never a retry. */
const turnName = (lastUserTexts: readonly string[] | null, historyDigest: () => string): string | null =>
  lastUserTexts === null ? null : `${historyDigest()} ${inShort(lastUserTexts)}`

function retryMemory(limit = 5000): RetryMemory {
  /** null: it was answered */
  const last = new Map<string, string | null>()
  return {
    seen(sessionId, turn) {
      const again = last.get(sessionId) === turn
      putNewest(last, sessionId, turn, limit)
      return again
    },
    answered(sessionId) {
      if (last.has(sessionId)) last.set(sessionId, null)
    },
  }
}
