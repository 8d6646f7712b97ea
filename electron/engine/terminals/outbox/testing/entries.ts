import type { OutboxEntry, Phase } from '../entry.ts'
import { T } from './bench.ts'

let n = 0
export function entryOf(phase: Phase, facts: Partial<OutboxEntry> = {}): OutboxEntry {
  return {
    id: `x${++n}`,
    scope: T,
    sessionId: 's1',
    round: 1,
    group: 'g1',
    text: 'go on',
    source: 'stopMessage',
    writtenBy: 'person',
    createdAt: 1,
    revision: 0,
    skipSettle: false,
    ...facts,
    phase,
  }
}

/** One of each state. `owed`: queued with its text in the composer; `unsent`: failed before anything was typed. */
export const samplePhases = {
  queued: { state: 'queued', hold: null, owedSince: null },
  owed: { state: 'queued', hold: { code: 'dialog-open' }, owedSince: 5 },
  typing: { state: 'typing', typedAt: 5, owed: false },
  submitted: { state: 'submitted', typedAt: 5, submittedAt: 6, extraEnter: false },
  confirmed: { state: 'confirmed', typedAt: 5, submittedAt: 6, confirmedAt: 7, late: false },
  unknown: { state: 'unknown', typedAt: 5, submittedAt: null, at: 6 },
  failed: { state: 'failed', typedAt: 5, submittedAt: null, at: 6, reason: { code: 'not-submitted' } },
  unsent: { state: 'failed', typedAt: null, submittedAt: null, at: 6, reason: { code: 'agent-gone' } },
  cancelled: { state: 'cancelled', typedAt: null, at: 6, by: 'user' },
  superseded: { state: 'superseded', typedAt: null, at: 6, by: 'new-turn' },
  expired: { state: 'expired', typedAt: null, at: 6 },
} as const satisfies Record<string, Phase>

export type Sample = keyof typeof samplePhases
