import { describe, expect, it } from 'vitest'
import type { HoldReason } from '../../../../../shared/events.ts'
import { lineUp, type ScopeFacts } from './holds.ts'
import { entryOf, samplePhases } from '../testing/entries.ts'

const near: HoldReason = {
  code: 'near-limit',
  provider: 'plan',
  window: '5h',
  usedPercent: 92,
  at: 0,
  until: 3_600_000,
}
const free: ScopeFacts = {
  paused: null,
  running: 0,
  settling: false,
  conversation: 's1',
  nearLimit: () => null,
}
const everything: ScopeFacts = { ...free, paused: 'global', running: 1, settling: true, conversation: 's2' }
const nearLimit: ScopeFacts = { ...free, nearLimit: () => near }

describe('why the first entry waits, in this order', () => {
  it.each<[string, ScopeFacts, HoldReason | null]>([
    ['nothing', free, null],
    ['paused globally', everything, { code: 'paused', by: 'global' }],
    ['paused for the session', { ...everything, paused: 'session' }, { code: 'paused', by: 'session' }],
    ['a response is running', { ...everything, paused: null }, { code: 'response-running' }],
    ['the settle time', { ...everything, paused: null, running: 0 }, { code: 'settling' }],
    [
      'another conversation',
      { ...everything, paused: null, running: 0, settling: false },
      { code: 'other-conversation' },
    ],
    ['no conversation known yet', { ...free, conversation: null }, { code: 'other-conversation' }],
  ])('%s', (_, facts, hold) => {
    const entry = entryOf(samplePhases.queued)
    const line = lineUp([entry], facts)
    expect(line.head).toBe(entry)
    expect(line.holds.get(entry.id) ?? null).toEqual(hold)
  })

  it('only the settle time is skipped by "send now"', () => {
    const entry = entryOf(samplePhases.queued, { skipSettle: true })
    const hold = (facts: ScopeFacts) => lineUp([entry], facts).holds.get(entry.id) ?? null
    expect(hold({ ...free, settling: true })).toBeNull()
    expect(hold({ ...free, running: 1 })).toEqual({ code: 'response-running' })
    expect(hold({ ...free, paused: 'session' })).toEqual({ code: 'paused', by: 'session' })
    expect(hold({ ...free, conversation: 's2' })).toEqual({ code: 'other-conversation' })
  })

  it.each(['stopMessage', 'continue_execution', 'recover', 'revive'] as const)(
    'near a limit: %s waits for the reset, unless a person says "send now"',
    (source) => {
      const hold = (skipSettle: boolean) => {
        const entry = entryOf(samplePhases.queued, { source, skipSettle })
        return lineUp([entry], nearLimit).holds.get(entry.id) ?? null
      }
      expect([hold(false), hold(true)]).toEqual([near, null])
    },
  )

  it.each(['user', 'clock'] as const)('near a limit: what a person or an alarm says does not wait (%s)', (source) => {
    const followup = entryOf(samplePhases.queued, { source: 'stopMessage' })
    const entry = entryOf(samplePhases.queued, { source })
    const line = lineUp([followup, entry], nearLimit)
    expect(line.head).toBe(entry)
    expect(Array.from(line.holds)).toEqual([[followup.id, near]])
  })

  it.each(['typing', 'submitted'] as const)('an entry that is %s goes before it', (sample) => {
    const awaiting = entryOf(samplePhases[sample])
    const entry = entryOf(samplePhases.queued)
    expect(lineUp([awaiting, entry], free).holds.get(entry.id)).toEqual({ code: 'behind', entryId: awaiting.id })
  })

  it('an entry without a session fits every conversation', () => {
    const entry = entryOf(samplePhases.queued, { sessionId: null })
    expect(lineUp([entry], { ...free, conversation: 's9' }).holds.size).toBe(0)
  })
})

describe('whose turn it is', () => {
  it('the first queued one; the others wait behind it', () => {
    const [ended, first, second] = [
      entryOf(samplePhases.confirmed),
      entryOf(samplePhases.queued),
      entryOf(samplePhases.queued),
    ]
    const line = lineUp([ended, first, second], free)
    expect(line.head).toBe(first)
    expect(Array.from(line.holds)).toEqual([[second.id, { code: 'behind', entryId: first.id }]])
  })
  it('an entry of another conversation lets the others pass', () => {
    const other = entryOf(samplePhases.queued, { sessionId: 's2' })
    const ours = entryOf(samplePhases.queued)
    const line = lineUp([other, ours], free)
    expect(line.head).toBe(ours)
    expect(Array.from(line.holds)).toEqual([[other.id, { code: 'other-conversation' }]])
  })
  it('what stands in the composer comes before everything', () => {
    const first = entryOf(samplePhases.queued)
    const owed = entryOf(samplePhases.owed, { sessionId: 's2' })
    const line = lineUp([first, owed], free)
    expect(line.head).toBe(owed)
    expect(line.holds.get(owed.id)).toEqual({ code: 'other-conversation' })
    expect(line.holds.get(first.id)).toEqual({ code: 'behind', entryId: owed.id })
  })
  it('nobody’s, when nothing is queued', () => {
    expect(lineUp([entryOf(samplePhases.submitted)], free)).toEqual({ head: null, holds: new Map() })
  })
})
