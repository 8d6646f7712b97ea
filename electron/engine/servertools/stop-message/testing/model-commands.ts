import fc from 'fast-check'
import type { Fate } from '../../../terminals/outbox/testing/memory-store.ts'
import type { ReviewDecision } from '../../review/types.ts'

/** How typing goes, as a terminal may have it. `lost`: the link breaks, the text arrived or did not. */
const typings = [
  'submitted',
  'slow',
  'slow',
  'held',
  'owed',
  'owed',
  'failed',
  'lost, arrived',
  'lost, not arrived',
  'hangs, arrived',
  'hangs',
] as const
export type Typing = (typeof typings)[number]
/** The next act of a person, an agent, a terminal or a disk. */
export type Command =
  | { type: 'wait'; ms: number }
  | { type: 'person'; finish: 'stop' | 'length' }
  | { type: 'agent' }
  | { type: 'forget' }
  | { type: 'typing'; how: Typing }
  | { type: 'terminal'; reading: 'ready' | 'busy' | 'dialog' }
  | { type: 'pause' | 'resume' | 'clear' | 'rearm' | 'cancel' | 'edit' | 'send-now' | 'title' | 'kill' }
  | { type: 'arm'; max: number | null; review: boolean }
  /** how the next reviews go */
  | { type: 'reviewer'; ms: number; says: ReviewDecision }
  | { type: 'edit-goal'; n: number }
  /** a person allows or forgets a check */
  | { type: 'checks' }
  /** what the session has used grows, and what may be used is another */
  | { type: 'budgets'; tokens: number | null; used: number }
  /** the agent goes on without a new message, and stops */
  | { type: 'by-itself' }
  | { type: 'say'; n: number }
  /** what stands in the composer is sent or taken out by the person */
  | { type: 'composer'; how: 'sent' | 'erased' }
  | { type: 'disk'; after: number; fate: Fate }

export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      ms: fc.constantFrom(100, 400, 400, 2_000, 30_000, 61_000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('person' as const),
      finish: fc.constantFrom('stop' as const, 'stop' as const, 'length' as const),
    }),
  },
  { weight: 8, arbitrary: fc.constant({ type: 'agent' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'forget' as const }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('typing' as const), how: fc.constantFrom(...typings) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('terminal' as const),
      reading: fc.constantFrom('ready' as const, 'busy' as const, 'dialog' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constantFrom(
        'pause' as const,
        'resume' as const,
        'resume' as const,
        'clear' as const,
        'rearm' as const,
        'cancel' as const,
        'edit' as const,
        'send-now' as const,
        'title' as const,
        'kill' as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('arm' as const),
      max: fc.constantFrom(1, 2, 5, null),
      review: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('reviewer' as const),
      ms: fc.constantFrom(0, 0, 200, 3_000, 10_000),
      says: fc.constantFrom<ReviewDecision>(
        { kind: 'send', text: 'fix it' },
        { kind: 'send', text: 'fix it' },
        { kind: 'failed', why: 'no model' },
        { kind: 'pause', reason: { code: 'checks-unapproved', names: ['tests'] } },
        { kind: 'pause', reason: { code: 'needs-user', text: 'which?' } },
        { kind: 'done', reason: { code: 'goal-reached', checks: 1 } },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('edit-goal' as const), n: fc.integer({ min: 0, max: 3 }) }) },
  { weight: 2, arbitrary: fc.constantFrom<Command>({ type: 'checks' }, { type: 'by-itself' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('budgets' as const),
      tokens: fc.constantFrom(null, 100, 1_000),
      used: fc.constantFrom(0, 50, 500),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('composer' as const),
      how: fc.constantFrom('sent' as const, 'erased' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('say' as const), n: fc.integer({ min: 0, max: 2 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('disk' as const),
      after: fc.integer({ min: 1, max: 4 }),
      fate: fc.constantFrom<Fate>('crash', 'crash-after', 'fail', 'fail-after'),
    }),
  },
)
