import type { ClientKind } from '../../../shared/words.ts'
import { isHeadless, isPlainProgram } from './clients/index.ts'
import { namedTerminal } from './named-terminal.ts'
import type { Terminal } from './terminal.ts'
import type { TerminalsRegistry } from './terminals-registry.ts'
import type { RequestFacts } from './types.ts'

/** Where a request comes from. `registeredOnly`: named by daemon, which never serves stopMessage. */
export type Located =
  | { kind: 'none' }
  | { kind: 'terminal'; terminal: Terminal; registeredOnly: boolean }
  /** a terminal was named and can't be had; `shown`: where the session is listed all the same */
  | { kind: 'refused'; code: string; message: string; shown: Terminal | null }

/**
 * The terminal a request names, alive or not. A name that leads nowhere is refused and reported; nothing else stands
 * in for it but a registered client, and that one for alarms and display only.
 * @param found what asking the system gave for this request
 */
export function locateTerminal(terminals: TerminalsRegistry, facts: RequestFacts, found: Terminal | null): Located {
  if (facts.caller.kind === 'terminal') {
    const terminal = terminals.get(facts.caller.terminalId)
    return terminal
      ? at(terminal)
      : refuse('terminal-unknown', 'The key of this request belongs to a terminal that Onward no longer knows.')
  }
  const named = namedTerminal(facts)
  const daemon = named.daemonId ? terminals.findByDaemon(named.daemonId) : null
  if (named.tmux) {
    const answer = found
      ? { kind: 'found' as const, terminal: found }
      : terminals.findByTmux(named.tmux.session, named.tmux.pane)
    if (answer.kind === 'found') return at(answer.terminal)
    if (daemon?.kind !== 'found') return { ...answer, shown: null }
  }
  if (daemon)
    return daemon.kind === 'found' ? { ...at(daemon.terminal), registeredOnly: true } : { ...daemon, shown: null }
  return found ? at(found) : { kind: 'none' }
}

/** The reasons why a located terminal does not take part in this request's automation. */
export function checkTerminal(
  terminals: TerminalsRegistry,
  located: Located,
  facts: RequestFacts,
  client: ClientKind,
): Located {
  if (located.kind !== 'terminal') return located
  const { terminal } = located
  const name = terminal.name || terminal.terminalId
  if (!terminals.alive(terminal)) return refuse('terminal-gone', `The terminal ${name} has ended.`, terminal)
  if (isOtherProgram(terminal, facts, client))
    return refuse('other-program', `A program other than ${terminal.client} used the key of the terminal ${name}.`)
  if (!hasPlace(terminal))
    return refuse('no-place', `${name} is registered without a terminal, so nothing can be typed into it.`, terminal)
  if (isHeadless(client, facts.headers))
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

/** An agent's own tools inherit its environment, key included; what they send is not the agent's turn. */
const isOtherProgram = (terminal: Terminal, facts: RequestFacts, client: ClientKind): boolean =>
  terminal.client !== 'other' && (client === 'other' ? isPlainProgram(facts.headers) : client !== terminal.client)
