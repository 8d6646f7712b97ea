import { describe, expect, it } from 'vitest'
import { OnwardError } from '../../engine/base/errors.ts'
import type { Notice } from '../../../shared/state.ts'
import { createNoticeActions } from './notice-actions.ts'

/** An engine that knows some alarms no more, and what a hand on the buttons did. */
function hands(refused: Readonly<Record<string, string>> = {}) {
  const did: string[] = []
  const attempts: { label: string; doing: Promise<unknown> }[] = []
  const call = async (what: string, id: string) => {
    const why = refused[id]
    if (why !== undefined) throw new OnwardError('alarm-unknown', why)
    did.push(`${what} ${id}`)
  }
  const press = createNoticeActions({
    link: () => ({
      rearm: (session) => call('re-arm', session),
      resume: (session) => call('resume', session ?? 'all'),
      snoozeAlarm: (alarm, minutes) => call(`snooze ${minutes}`, alarm),
      cancelAlarm: (alarm) => call('cancel', alarm),
    }),
    open: (place) => did.push(`open ${JSON.stringify(place)}`),
    attempt: (label, doing) => {
      attempts.push({ label, doing })
    },
  })
  return { press, did, attempts }
}

const alarmActions = [
  { id: 'open', label: 'Open' },
  { id: 'snooze', label: 'Snooze 10 min' },
  { id: 'cancel-alarm', label: 'Cancel' },
]
const due: Notice = {
  id: 'n',
  class: 'alarm-due',
  sessionId: 's1',
  title: '',
  body: '',
  actions: alarmActions,
  alarms: ['a', 'b'],
}

describe('a button of a due alarm', () => {
  it.each([
    ['open', ['open {"kind":"session","id":"s1"}']],
    ['snooze', ['snooze 10 a', 'snooze 10 b']],
    ['cancel-alarm', ['cancel a', 'cancel b']],
  ])('%s is done for each of its alarms', async (action, done) => {
    const { press, did, attempts } = hands()
    press(due, action)
    await Promise.all(attempts.map(({ doing }) => doing))
    expect(did).toEqual(done)
  })

  it('does what can be done, and says what could not, in the button’s own words', async () => {
    const { press, did, attempts } = hands({ a: 'There is no such alarm.' })
    press(due, 'snooze')
    expect(attempts[0]?.label).toBe('Snooze 10 min')
    await expect(attempts[0]?.doing).rejects.toThrow('1/2: There is no such alarm.')
    expect(did).toEqual(['snooze 10 b'])
  })

  it('says once what is true of all of them', async () => {
    const { press, attempts } = hands({ a: 'It is on its way.', b: 'It is on its way.' })
    press(due, 'cancel-alarm')
    await expect(attempts[0]?.doing).rejects.toThrow(/^2\/2: It is on its way\.$/)
  })

  it('counts nothing where there is one', async () => {
    const { press, attempts } = hands({ a: 'It is on its way.' })
    press({ ...due, alarms: ['a'] }, 'cancel-alarm')
    await expect(attempts[0]?.doing).rejects.toThrow(/^It is on its way\.$/)
  })
})

describe('a button of any notice', () => {
  it('re-arms its session', () => {
    const { press, did } = hands()
    press({ ...due, class: 'injection-failed', actions: [{ id: 're-arm', label: 'Re-arm' }] }, 're-arm')
    expect(did).toEqual(['re-arm s1'])
  })

  it('lets a session go on that asked', () => {
    const { press, did } = hands()
    const asks: Notice = { ...due, class: 'budget', actions: [{ id: 'go-on', label: 'Go on' }] }
    press(asks, 'go-on')
    press({ ...asks, sessionId: null }, 'go-on')
    expect(did).toEqual(['resume s1'])
  })

  it('does nothing that the notice does not offer', () => {
    const { press, did, attempts } = hands()
    for (const action of ['re-arm', 'delete-all']) press(due, action)
    press({ ...due, actions: [] }, 'cancel-alarm')
    expect([did, attempts]).toEqual([[], []])
  })

  it('that needs a session does nothing without one', () => {
    const { press, did } = hands()
    press({ ...due, sessionId: null, actions: [{ id: 're-arm', label: 'Re-arm' }] }, 're-arm')
    expect(did).toEqual([])
  })
})
