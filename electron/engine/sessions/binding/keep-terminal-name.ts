import type { SessionStore } from '../session-store.ts'
import type { Terminal } from './terminal.ts'

/**
 * Gives the name that a person gave a terminal to the session of its first turn. Later conversations in it are others,
 * and are named by their folder.
 */
export async function keepTerminalName(
  sessions: Pick<SessionStore, 'open' | 'choose'>,
  { terminal, before }: { terminal: Terminal; before: string | null },
): Promise<void> {
  if (!terminal.named || before !== null || terminal.sessionId === null) return
  const { id } = await sessions.open(terminal.sessionId, { client: terminal.client })
  await sessions.choose(id, (choices) => (choices.name === '' ? { name: terminal.name } : {}))
}
