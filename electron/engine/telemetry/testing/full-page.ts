import type { TimelineEvent } from '../../../../shared/events.ts'
import { bodies } from '../../../../shared/sentences/testing/variants.ts'
import type { TurnRecord } from '../../../../shared/state.ts'
import { emitter } from '../../base/disposable.ts'
import { startSdk } from '../sdk.ts'
import { targetOf } from '../targets.ts'

const at = Date.UTC(2026, 10, 21, 14)
const turn: TurnRecord = {
  requestId: 'req_1',
  at,
  sessionId: 'session-1',
  scope: null,
  client: 'codex',
  entry: 'responses',
  kind: 'turn',
  model: 'm',
  route: { provider: 'anth', model: 'claude-x', keyAlias: null, category: null, why: [], skipped: [] },
  status: 500,
  finish: 'error',
  usage: { input: 100, cachedInput: 60, output: 20, reasoning: 5 },
  costUsd: 0.25,
  ttfbMs: 500,
  durationMs: 2_000,
  streamed: true,
  bytesIn: 1,
  bytesOut: 1,
  error: null,
  tried: [{ at, provider: 'anth', model: 'claude-x', keyAlias: null, status: 529, code: '529', durationMs: 9 }],
}

/** `/metrics` after everything has happened that is counted. */
export async function fullPage(): Promise<string> {
  const raise = (error: unknown) => {
    throw error
  }
  const records = emitter<TurnRecord>(raise)
  const events = emitter<TimelineEvent>(raise)
  const sdk = startSdk(
    { page: true, collector: null, texts: false },
    {
      onRecord: records.on,
      onEvent: events.on,
      version: '1',
      instance: 'run',
      now: () => at,
      targetOf: () => targetOf('anthropic', 'https://api.anthropic.com'),
      onSent() {},
      look: () => ({
        providers: [
          {
            id: 'anth',
            health: { kind: 'healthy' },
            quotas: [{ window: '5h', usedPercent: 50, resetsAt: null }],
          },
        ],
        waiting: [],
        sessions: [],
        alarms: { waiting: 1, missed: 0 },
        paused: false,
        budgets: { rounds: 100, hours: null, noProgressRounds: null },
      }),
    },
  )
  records.emit(turn)
  for (const [seq, body] of bodies.entries())
    events.emit({ id: `e${seq}`, seq, at, sessionId: 'session-1', scope: null, requestId: null, body })
  const page = await sdk.page()
  await sdk.stop()
  return page
}
