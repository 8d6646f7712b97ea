import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { NotificationConstructorOptions } from 'electron'
import { virtualClock } from '../../engine/base/testing/virtual-clock.ts'
import type { Notice } from '../../../shared/state.ts'
import { answerWithinMs, createNotifications, type NotificationClass } from './notifications.ts'

type Behaviour = 'shows' | 'fails' | 'says nothing' | 'throws'

/** The system's side: the notices it got, and a way to click on them. */
function system(behaviour: Behaviour = 'shows', supported = true) {
  const given: (NotificationConstructorOptions & { events: EventEmitter; open: boolean })[] = []
  class Fake extends EventEmitter {
    private readonly record: (typeof given)[number]
    constructor(options: NotificationConstructorOptions) {
      super()
      this.record = { ...options, events: this, open: false }
      if (behaviour === 'throws') throw new Error('no notification daemon')
    }
    show() {
      given.push(this.record)
      this.record.open = behaviour === 'shows'
      if (behaviour === 'shows') this.emit('show', {})
      if (behaviour === 'fails') this.emit('failed', {}, 'the app is not signed')
    }
    close() {
      this.record.open = false
      this.emit('close', {})
    }
    static isSupported() {
      return supported
    }
  }
  // Electron's overloads of `on` can't be spelled by an emitter
  return { given, Notification: Fake as unknown as NotificationClass }
}

function notifications(
  behaviour: Behaviour = 'shows',
  more: { supported?: boolean; onScreen?: string | null; ringing?: readonly string[] } = {},
) {
  const { given, Notification } = system(behaviour, more.supported ?? true)
  const clock = virtualClock()
  const did: string[] = []
  const made = createNotifications({
    Notification,
    clock,
    sessionOnScreen: () => more.onScreen ?? null,
    isRinging: (alarm) => more.ringing?.includes(alarm) ?? false,
    open: (place) => did.push(`open ${place?.kind === 'session' ? place.id : place?.kind}`),
    act: (notice, action) => did.push(`${action} ${notice.sessionId}`),
  })
  return { ...made, given, clock, did }
}

const notice = (more: Partial<Notice> = {}): Notice => ({
  id: 'n',
  class: 'needs-you',
  sessionId: 's1',
  title: 'api-gateway needs you',
  body: 'Asks to run “make”',
  actions: [],
  ...more,
})

describe('a notice', () => {
  it('is shown with its words, grouped by session', async () => {
    const { show, given } = notifications()
    expect(await show(notice())).toEqual({ kind: 'shown' })
    expect(given).toHaveLength(1)
    expect(given[0]).toMatchObject({ title: 'api-gateway needs you', body: 'Asks to run “make”', groupId: 's1' })
  })

  it('of no session belongs to no group', async () => {
    const { show, given } = notifications()
    await show(notice({ sessionId: null, class: 'proxy-error' }))
    expect(given[0]?.groupId).toBeUndefined()
  })

  it.each([
    ['the session is on screen', { onScreen: 's1' }],
    ['this desktop shows no notifications', { supported: false }],
  ])('is kept back and says why: %s', async (why, more) => {
    const { show, given } = notifications('shows', more)
    expect(await show(notice())).toEqual({ kind: 'suppressed', why })
    expect(given).toEqual([])
  })

  it('is shown while another session is on screen', async () => {
    expect(await notifications('shows', { onScreen: 's2' }).show(notice())).toEqual({ kind: 'shown' })
  })

  it('without a session is never taken for one on screen', async () => {
    expect(await notifications('shows', { onScreen: null }).show(notice({ sessionId: null }))).toEqual({
      kind: 'shown',
    })
  })

  it.each([
    ['fails', 'the app is not signed'],
    ['throws', 'no notification daemon'],
  ] as const)('that the system refuses says why (%s)', async (behaviour, why) => {
    expect(await notifications(behaviour).show(notice())).toEqual({ kind: 'failed', why })
  })

  it('has a result even where the system says nothing', async () => {
    const { show, clock } = notifications('says nothing')
    const result = show(notice())
    await clock.advance(answerWithinMs)
    expect(await result).toEqual({ kind: 'failed', why: 'the system did not say that it was shown' })
  })

  it('that is put away on its way was not shown, and says why', async () => {
    const { show, seen, clock } = notifications('says nothing')
    const first = show(notice())
    const second = show(notice())
    expect(await first).toEqual({ kind: 'suppressed', why: 'a later notice took its place' })
    seen('s1')
    expect(await second).toEqual({ kind: 'suppressed', why: 'the session is on screen' })
    expect(clock.pending()).toBe(0)
  })

  it('leaves no timer behind once it was shown', async () => {
    const { show, clock } = notifications()
    await show(notice())
    expect(clock.pending()).toBe(0)
  })
})

describe('several notices', () => {
  it('of the same session and class: the later takes the place of the earlier', async () => {
    const { show, given } = notifications()
    await show(notice({ body: 'first' }))
    await show(notice({ body: 'second' }))
    expect(given.map((n) => [n.body, n.open])).toEqual([
      ['first', false],
      ['second', true],
    ])
  })

  it('of another class or session stand beside each other', async () => {
    const { show, given } = notifications()
    await show(notice())
    await show(notice({ class: 'injection-failed' }))
    await show(notice({ sessionId: 's2' }))
    expect(given.map((n) => n.open)).toEqual([true, true, true])
  })

  it('of alarms stand beside each other while the earlier one rings, in the same group', async () => {
    const { show, given } = notifications('shows', { ringing: ['a', 'b'] })
    await show(notice({ class: 'alarm-due', alarms: ['a'] }))
    await show(notice({ class: 'alarm-due', alarms: ['b'] }))
    expect(given.map((n) => [n.groupId, n.open])).toEqual([
      ['s1', true],
      ['s1', true],
    ])
  })

  it('of alarms: what was delivered makes room for what rings now', async () => {
    const { show, given } = notifications('shows', { ringing: ['b'] })
    await show(notice({ class: 'alarm-due', alarms: ['a'] }))
    await show(notice({ class: 'alarm-due', alarms: ['b'] }))
    expect(given.map((n) => n.open)).toEqual([false, true])
  })

  it('are put away when the person looks at their session, the others stay', async () => {
    const { show, seen, given } = notifications()
    await show(notice())
    await show(notice({ class: 'injection-failed' }))
    await show(notice({ sessionId: 's2' }))
    seen('s1')
    expect(given.map((n) => n.open)).toEqual([false, false, true])
  })

  it('of missed alarms of more than one session is shown, and stays, whichever of them is on screen', async () => {
    const { show, seen, given } = notifications('shows', { onScreen: 's1' })
    expect(await show(notice({ class: 'alarm-missed', alarms: ['a', 'b'] }))).toEqual({ kind: 'shown' })
    seen('s1')
    expect(given.map((n) => [n.groupId, n.open])).toEqual([[undefined, true]])
  })
})

describe('a hand', () => {
  it('on the notification opens its session', async () => {
    const { show, given, did } = notifications()
    await show(notice())
    given[0]?.events.emit('click', {})
    expect(did).toEqual(['open s1'])
    expect(given[0]?.open).toBe(false)
  })

  it('on that of missed alarms opens their view', async () => {
    const { show, given, did } = notifications()
    await show(notice({ class: 'alarm-missed', alarms: ['a'] }))
    given[0]?.events.emit('click', {})
    expect(did).toEqual(['open alarms'])
  })

  it('on Re-arm re-arms, and opens nothing', async () => {
    const { show, given, did } = notifications()
    await show(notice({ class: 'injection-failed', actions: [{ id: 're-arm', label: 'Re-arm' }] }))
    expect(given[0]?.actions).toEqual([{ type: 'button', text: 'Re-arm' }])
    given[0]?.events.emit('action', {}, 0, -1)
    expect(did).toEqual(['re-arm s1'])
  })

  it('on an action that was never offered does nothing', async () => {
    const { show, given, did } = notifications()
    await show(notice())
    given[0]?.events.emit('action', {}, 3, -1)
    expect(did).toEqual([])
  })
})
