import { noChoices, type SessionState } from '../../sessions/session-state.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'

/** Shows a terminal before its first turn as the conversation it will have, with the terminal's name and id. */
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
  cold: null,
  cacheUntil: null,
  startedAt: terminal.openedAt,
  lastActivityAt: terminal.openedAt,
  failure: null,
  drives: [],
  driven: null,
})
