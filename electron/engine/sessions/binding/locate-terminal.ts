import type { ClientKind, Scope } from '../../../../shared/words.ts'
import { isHeadless } from '../clients/index.ts'
import { turnMetadata } from '../identify/session-id.ts'
import type { SessionStore } from '../session-store.ts'
import type { CallingProgram, RequestFacts } from '../types.ts'
import type { Terminal } from './terminal.ts'
import type { TerminalsRegistry } from './terminals-registry.ts'

/** Where a request comes from. `registeredOnly`: named by daemon, which never serves stopMessage. */
export type Located =
  | { kind: 'none' }
  | { kind: 'terminal'; terminal: Terminal; registeredOnly: boolean }
  /** a terminal was named and can't be had; `shown`: where the session is listed all the same */
  | { kind: 'refused'; code: string; message: string; shown: Terminal | null }

/** The terminal in which the system shows the calling process. */
export interface ProvenTerminal {
  terminal: Terminal
  /** `$3`; null outside of tmux */
  tmuxSessionId: string | null
}

/**
 * Returns the terminal a request comes from, alive or not: that of its key, else the one its process lives in. A name
 * in a header, a key's suffix or the body proves nothing, because any program that can reach the port can write one; it
 * only has to agree. A name that leads elsewhere, or nowhere, is refused and reported.
 */
export function locateTerminal(
  terminals: TerminalsRegistry,
  facts: RequestFacts,
  proven: ProvenTerminal | null,
): Located {
  if (facts.caller.kind === 'terminal') {
    const terminal = terminals.get(facts.caller.terminalId)
    return terminal
      ? at(terminal)
      : refuse('terminal-unknown', 'The key of this request belongs to a terminal that Onward no longer knows.')
  }
  const { tmux, daemonId } = namedTerminal(facts)
  if (tmux && proven && isCalled(proven, tmux)) return at(proven.terminal)
  if (daemonId) {
    const daemon = terminals.findByDaemon(daemonId)
    if (daemon.kind !== 'found') return { ...daemon, shown: null }
    if (daemon.terminal.terminalId !== proven?.terminal.terminalId) return unproven(`the client ${daemonId}`)
    return { ...at(daemon.terminal), registeredOnly: true }
  }
  if (tmux) {
    const named = terminals.findByTmux(tmux.session, tmux.pane)
    return named.kind === 'found' || proven
      ? unproven(`tmux ${[tmux.session, tmux.pane].filter((part) => part !== null).join(' ')}`)
      : { ...named, shown: null }
  }
  return proven ? at(proven.terminal) : { kind: 'none' }
}

const isCalled = (
  { terminal, tmuxSessionId }: ProvenTerminal,
  { session, pane }: { session: string | null; pane: string | null },
): boolean =>
  (session === null || session === terminal.pane?.tmuxSession || session === tmuxSessionId) &&
  (pane === null || pane === terminal.pane?.paneId)

const unproven = (what: string): Located =>
  refuse(
    'terminal-unproven',
    `This request names ${what}, and nothing shows that it comes from there. Start ` +
      'the agent with "onward", or give it the key that "onward register" prints.',
  )

/** The reasons why a located terminal does not take part in this request's automation. */
export function checkTerminal(
  terminals: TerminalsRegistry,
  located: Located,
  facts: RequestFacts,
  { client, program }: { client: ClientKind; program: CallingProgram },
): Located {
  if (located.kind !== 'terminal') return located
  const { terminal } = located
  const name = terminal.name || terminal.terminalId
  if (!terminals.alive(terminal)) return refuse('terminal-gone', `The terminal ${name} has ended.`, terminal)
  if (program === 'other' || isOtherProgram(terminal, facts))
    return refuse('other-program', `A program other than ${terminal.client} used the key of the terminal ${name}.`)
  if (!hasPlace(terminal))
    return refuse('no-place', `${name} is registered without a terminal, so nothing can be typed into it.`, terminal)
  if (!terminal.headless && isHeadless(client, facts.headers))
    return refuse('not-interactive', `This run of ${client} draws no screen, so nothing can be typed into it.`)
  return located
}

const at = (terminal: Terminal) => ({ kind: 'terminal' as const, terminal, registeredOnly: false })

const refuse = (code: string, message: string, shown: Terminal | null = null): Located => ({
  kind: 'refused',
  code,
  message,
  shown,
})

/** Registered with its output in a pipe or a file, or by a daemon: there is nothing to type into. */
const hasPlace = (terminal: Terminal) => terminal.home !== 'wrapped' || terminal.hostId !== null

/**
 * True for another program than the terminal's agent. An agent's own tools inherit its environment, key included, but
 * their requests are not the agent's turns. Each known agent has signs of its own on all its requests.
 */
const isOtherProgram = (terminal: Terminal, { recognised }: RequestFacts): boolean =>
  terminal.client !== 'other' && recognised !== terminal.client

/** A hand-started client's words about its terminal. `pane` is set when an exact pane id was given with it. */
export interface NamedTerminal {
  tmux: { session: string | null; pane: string | null; source: string } | null
  daemonId: string | null
}

const tmuxHeaders = [
  'x-tmux-session-id',
  'x-routecodex-tmux-session-id',
  'x-rcc-tmux-session-id',
  'x-routecodex-client-tmux-session-id',
  'x-rcc-client-tmux-session-id',
] as const
const turnFields = ['tmuxSessionId', 'tmux_session_id'] as const
const bodyFields = ['clientTmuxSessionId', 'tmuxSessionId', 'tmux_session_id'] as const
/** tmux allows almost anything in a session's name, but no client needs more than this */
const longest = 256

/** Returns the terminal a request names: in a header, else in its key, else in its body. Nothing is checked here. */
export function namedTerminal(facts: RequestFacts): NamedTerminal {
  const suffix = facts.caller.kind === 'local' ? facts.caller.suffix : null
  return {
    tmux: fromHeaders(facts) ?? place(suffix?.tmuxSessionId, 'key suffix') ?? fromBody(facts),
    daemonId: suffix?.daemonId || null,
  }
}

function fromHeaders(facts: RequestFacts) {
  for (const header of tmuxHeaders) {
    const named = facts.headers[header]
    const found = named === undefined ? null : place(named, `header ${header}`)
    if (found) return found
  }
  return null
}

function fromBody(facts: RequestFacts) {
  const metadata = turnMetadata(facts)
  if (metadata)
    for (const field of turnFields) {
      const found = place(metadata[field], `x-codex-turn-metadata ${field}`)
      if (found) return found
    }
  for (const field of bodyFields) {
    const named = facts.value(field)
    const found = named === undefined ? null : place(named, `body ${field}`)
    if (found) return found
    const beside = facts.value('metadata', field)
    const within = beside === undefined ? null : place(beside, `body metadata.${field}`)
    if (within) return within
  }
  return null
}

/** `main`, `$3`, `%7`, or `main:%7`. */
function place(value: unknown, source: string): NamedTerminal['tmux'] {
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (text === '' || text.length > longest) return null
  const exact = /^(?:(.+):)?(%\d+)$/.exec(text)
  return exact ? { session: exact[1] ?? null, pane: exact[2] ?? null, source } : { session: text, pane: null, source }
}

/** The terminal a session is in, and the folder where that works. */
export interface SessionTerminals {
  /** the last one it was in, ended or not; if another took over what is bound to that, the other */
  of(sessionId: string): Terminal | null
  /** null: none of its terminals lives */
  livingOf(sessionId: string): Terminal | null
  lives(terminalId: string): boolean
  /** absolute; null: not known */
  folderOf(sessionId: string): string | null
  folderOfTerminal(terminalId: string): string | null
  folderOfScope(scope: Scope): string | null
}

export function createSessionTerminals(
  sessions: Pick<SessionStore, 'get'>,
  registry: Pick<TerminalsRegistry, 'get' | 'holderOf' | 'alive' | 'byScope'>,
): SessionTerminals {
  const of = (sessionId: string) => registry.holderOf(sessions.get(sessionId)?.terminalId ?? null)
  const living = (terminal: Terminal | null) => (terminal && registry.alive(terminal) ? terminal : null)
  return {
    of,
    livingOf: (sessionId) => living(of(sessionId)),
    lives: (terminalId) => living(registry.get(terminalId)) !== null,
    folderOf: (sessionId) => of(sessionId)?.cwd ?? null,
    folderOfTerminal: (terminalId) => registry.get(terminalId)?.cwd ?? null,
    folderOfScope: (scope) => registry.byScope(scope)?.cwd ?? null,
  }
}
