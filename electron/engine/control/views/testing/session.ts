import type { SessionView } from '../../../../../shared/state.ts'

/** The view of an idle session, as far as tests of the ways to viewers look at it. */
export const session = (id: string, turns = 0): SessionView => ({
  id,
  name: id,
  client: 'codex',
  entry: 'responses',
  cwd: null,
  model: null,
  route: null,
  scope: null,
  terminalId: null,
  shape: 'idle',
  say: { code: 'idle' },
  stopMessage: null,
  lastStopMessage: null,
  queue: [],
  turns,
  usage: { input: 0, cachedInput: 0, output: 0, reasoning: 0 },
  costUsd: null,
  startedAt: 0,
  lastActivityAt: 0,
  pinned: false,
  paused: false,
})
