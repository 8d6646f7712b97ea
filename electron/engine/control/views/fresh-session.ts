import { noChoices, type SessionState } from '../../sessions/session-state.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'

/** Before its first turn a terminal stands for the conversation it will have: named as the terminal, with its id. */
export const freshSession = (terminal: Terminal): SessionState => ({
  ...noChoices,
  id: terminal.terminalId,
  name: terminal.name,
  client: terminal.client,
  entry: null,
  cwd: terminal.cwd,
  model: null,
  route: null,
  scope: terminal.scope,
  terminalId: terminal.terminalId,
  daemonId: null,
  turns: 0,
  nth: 1,
  toolList: null,
  usage: { input: 0, cachedInput: 0, output: 0, reasoning: 0 },
  costUsd: null,
  unpricedTokens: 0,
  worthUsd: 0,
  startedAt: terminal.openedAt,
  lastActivityAt: terminal.openedAt,
  failure: null,
})
