import type { SessionView, TerminalView } from './state.ts'

/** Its agent asks in a terminal of Onward's own, where the person can answer in the dashboard. */
export function asksInTerminal(
  session: Pick<SessionView, 'say' | 'terminalId'> | undefined,
  terminals: ReadonlyMap<string, Pick<TerminalView, 'home' | 'alive'>>,
): boolean {
  if (session?.say.code !== 'needs-you' || session.terminalId === null) return false
  const terminal = terminals.get(session.terminalId)
  return terminal?.home === 'hosted' && terminal.alive
}
