import type { SessionStore } from '../session-store.ts'
import type { Terminal } from './terminal.ts'

/**
 * The name a person gave a terminal stays when its first turn makes a session of it. Later
 * conversations in it are others, and are named by their folder.
 */
export async function keepTerminalName(
  sessions: Pick<SessionStore, 'open' | 'choose'>,
  { terminal, before }: { terminal: Terminal; before: string | null },
): Promise<void> {
  if (!terminal.named || before !== null || terminal.sessionId === null) return
  const { id } = await sessions.open(terminal.sessionId, { client: terminal.client })
  await sessions.choose(id, (choices) => (choices.name === '' ? { name: terminal.name } : {}))
}
