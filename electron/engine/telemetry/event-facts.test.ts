import { describe, expect, it } from 'vitest'
import type { EventBody, TimelineEvent } from '../../../shared/events.ts'
import { bodies } from '../../../shared/sentences/testing/variants.ts'
import { eventFacts } from './event-facts.ts'

const at = Date.UTC(2026, 10, 21, 14)
const eventOf = (body: EventBody): TimelineEvent => ({
  id: 'e',
  seq: 1,
  at,
  sessionId: 's1',
  scope: 'tmux:private-name',
  requestId: 'req_1',
  body,
})

/** Members in which people, agents, models and programs have their say, or where they work. */
const words = ['text', 'message', 'what', 'say', 'marker', 'effect', 'choice', 'cwd', 'folder', 'argv', 'file', 'note']
const PRIVATE = 'private words'
const withWords = (value: unknown, inReason = false): unknown => {
  if (Array.isArray(value)) return value.map((one) => withWords(one))
  if (typeof value !== 'object' || value === null) return value
  const isClosing = 'type' in value && value.type === 'terminal-closed'
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      // The extent of a pause has the name of a text.
      const isWord = words.includes(key) && item !== 'session' && item !== 'all' && !('type' in value && isOver(value))
      const isWhy = key === 'why' && (inReason || isClosing)
      return [key, isWord || isWhy ? PRIVATE : withWords(item, key === 'reason')]
    }),
  )
}
const isOver = (value: object): boolean => 'type' in value && value.type === 'over'

describe('an event for a collector', () => {
  it('says no words of anyone, whatever it is', () => {
    const told = bodies.map((body) => eventFacts(eventOf(withWords(body) as EventBody), false))
    expect(told.filter((facts) => JSON.stringify(facts).includes('private'))).toEqual([])
    expect(bodies.some((body) => JSON.stringify(withWords(body)).includes(PRIVATE))).toBe(true)
  })

  it('has the words where texts are switched on', () => {
    const queued: EventBody = { type: 'queued', entryId: 'e1', source: 'stopMessage', text: 'Go on.', round: 2 }
    const without = {
      'gen_ai.conversation.id': 's1',
      'onward.request.id': 'req_1',
      'onward.followup.id': 'e1',
      'onward.followup.source': 'stopMessage',
      'onward.round': 2,
      'onward.text': null,
    }
    expect(eventFacts(eventOf(queued), false)).toEqual({
      name: 'onward.queued',
      severity: 'info',
      attributes: without,
    })
    expect(eventFacts(eventOf(queued), true)?.attributes).toEqual({ ...without, 'onward.text': 'Go on.' })
  })

  it('leaves out what it does not know', () => {
    const more = (body: EventBody) => eventFacts(eventOf(Object.assign({ somethingNew: 'private' }, body)), true)
    expect(bodies.map(more)).toEqual(bodies.map((body) => eventFacts(eventOf(body), true)))
  })

  it('comes of decisions, followups, alarms and recoveries, each by its name', () => {
    const names = new Set(bodies.flatMap((body) => eventFacts(eventOf(body), false)?.name ?? []))
    for (const name of ['matched', 'skipped', 'confirmed', 'alarm_missed', 'recover_waits', 'revived', 'stalled'])
      expect([...names]).toContain(`onward.${name}`)
  })

  it('is no event of what spans tell', () => {
    const kept = bodies.filter((body) => eventFacts(eventOf(body), false) === null).map(({ type }) => type)
    expect(kept).toContain('turn-started')
    expect(kept).toContain('turn-ended')
  })

  it.each([
    ['nothing-armed', false],
    ['client-left', true],
  ] as const)('comes of a decision, but not where nothing was to be decided: %s', (code, comes) => {
    expect(eventFacts(eventOf({ type: 'skipped', reason: { code }, steps: [] }), false) !== null).toBe(comes)
  })

  it('warns of what a person has to see to', () => {
    const missed: EventBody = { type: 'alarm-missed', taskIds: ['t1'], why: 'expired' }
    expect(eventFacts(eventOf(missed), false)).toMatchObject({
      severity: 'warn',
      attributes: { 'onward.alarm.ids': ['t1'], 'onward.alarm.missed': 'expired' },
    })
  })
})
