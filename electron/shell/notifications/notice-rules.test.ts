import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { noticeClasses } from '../../../shared/notice-classes.ts'
import type { Notice } from '../../../shared/state.ts'
import { placeOf, replaces, sessionOf } from './notice-rules.ts'
import { runs } from '../../../shared/testing/runs.ts'

const notice = (more: Partial<Notice> = {}): Notice => ({
  id: 'n',
  class: 'alarm-due',
  sessionId: 's1',
  title: '',
  body: '',
  actions: [],
  ...more,
})
const ids = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd'))
const none = () => false

describe('a notice', () => {
  it.each<[string, Partial<Notice>, ReturnType<typeof placeOf>, string | null]>([
    ['of a due alarm leads to its session', { alarms: ['a', 'b'] }, { kind: 'session', id: 's1' }, 's1'],
    [
      'of another machine leads to its session there, whatever it is about',
      { class: 'alarm-missed', alarms: ['a'], machine: 'box' },
      { kind: 'session', id: 's1', machine: 'box' },
      's1',
    ],
    [
      'of one missed alarm leads to the alarms, and is its session’s',
      { class: 'alarm-missed', alarms: ['a'] },
      { kind: 'alarms' },
      's1',
    ],
    [
      'of several missed alarms belongs to no session',
      { class: 'alarm-missed', alarms: ['a', 'b'] },
      { kind: 'alarms' },
      null,
    ],
    ['of a session leads to it', { class: 'needs-you' }, { kind: 'session', id: 's1' }, 's1'],
    ['of no session leads nowhere in particular', { class: 'proxy-error', sessionId: null }, null, null],
  ])('%s', (_name, more, place, session) => {
    expect(placeOf(notice(more))).toEqual(place)
    expect(sessionOf(notice(more))).toBe(session)
  })
})

describe('a later notice', () => {
  it.each(noticeClasses)('of the same session and class takes the earlier one’s place: %s', (kind) => {
    expect(replaces(notice({ class: kind, alarms: ['b'] }), notice({ class: kind, alarms: ['a'] }), none)).toBe(true)
  })

  it('of another session or class does not', () => {
    expect(replaces(notice({ sessionId: 's2' }), notice(), none)).toBe(false)
    expect(replaces(notice({ class: 'needs-you' }), notice(), none)).toBe(false)
    expect(
      replaces(
        notice({ class: 'alarm-missed', alarms: ['b', 'c'] }),
        notice({ class: 'alarm-missed', alarms: ['a'] }),
        none,
      ),
    ).toBe(false)
  })

  it('leaves no alarm that rings without a button', () => {
    fc.assert(
      fc.property(ids, ids, ids, (earlier, later, ringing) => {
        const gone = replaces(notice({ alarms: later }), notice({ alarms: earlier }), (alarm) =>
          ringing.includes(alarm),
        )
        const lost = earlier.filter((alarm) => ringing.includes(alarm) && !later.includes(alarm))
        expect(gone).toBe(lost.length === 0)
      }),
      runs(100),
    )
  })

  it('of missed alarms takes the earlier one’s place although one of them waits again: their view tells all', () => {
    expect(
      replaces(
        notice({ class: 'alarm-missed', alarms: ['b'] }),
        notice({ class: 'alarm-missed', alarms: ['a'] }),
        () => true,
      ),
    ).toBe(true)
  })
})
