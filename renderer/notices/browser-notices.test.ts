import { describe, expect, it } from 'vitest'
import type { Notice } from '../../shared/state.ts'
import { wordsOf } from '../testing/words.ts'
import type { ToastNotice } from '../parts/toasts.ts'
import { home, type Place } from '../state/place.ts'
import { session, status, terminal } from '../testing/views.ts'
import { browserNotices } from './browser-notices.ts'
import { leadsTo } from './leads-to.ts'

const notice: Notice = {
  id: 'n1',
  class: 'needs-you',
  sessionId: 'api',
  title: 'api needs you',
  body: 'Asks to run “ls”',
  actions: [],
}
const asking = session({ id: 'api', shape: 'needs', say: { code: 'needs-you', what: 'permission: ls' } })
const sessions = new Map([['api', asking]])
const hosted = new Map([['api', terminal({ id: 'api', home: 'hosted' })]])
const atQuestion: Place = { view: 'sessions', selection: { kind: 'session', id: 'api', tab: 'timeline' } }

function scene({
  permission = 'granted',
  focused = false,
  place = home,
  inShell = false,
  desktop = false,
  kept = new Map<string, string>(),
}: {
  permission?: NotificationPermission
  focused?: boolean
  place?: Place
  inShell?: boolean
  desktop?: boolean
  kept?: Map<string, string>
} = {}) {
  const shown: { title: string; tag: string; onclick: ((event: Event) => unknown) | null }[] = []
  const toasts: ToastNotice[] = []
  const opened: Place[] = []
  const now = { permission, asked: 0 }
  class Notification {
    static get permission() {
      return now.permission
    }
    static async requestPermission() {
      now.asked++
      now.permission = 'granted'
      return now.permission
    }
    title: string
    tag: string
    onclick: ((event: Event) => unknown) | null = null
    constructor(title: string, { tag }: { tag: string }) {
      this.title = title
      this.tag = tag
      shown.push(this)
    }
    close() {}
  }
  const tell = browserNotices({
    notification: () => Notification,
    engine: () => ({ sessions, terminals: hosted, status: status(desktop ? { desktop: true } : {}) }),
    place: () => place,
    focused: () => focused,
    inShell,
    storage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
    toasts: { notice: (_key, toast) => toasts.push(toast) },
    words: () => wordsOf('en'),
    open: (where) => opened.push(where),
  })
  return { tell, shown, toasts, opened, now, kept }
}

describe('a notice in a browser', () => {
  it('is shown once for all tabs, and a click leads to the question', () => {
    const { tell, shown, opened } = scene()
    tell(notice)
    expect(shown).toMatchObject([{ title: 'api needs you', tag: 'n1' }])
    shown[0]?.onclick?.(new Event('click'))
    expect(opened).toEqual([atQuestion])
  })

  it.each([
    ['the desktop app has shown it', { desktop: true }],
    ['the page runs in the desktop app', { inShell: true }],
    ['the session is before the person’s eyes', { focused: true, place: atQuestion }],
    ['the person said no', { permission: 'denied' as const }],
  ])('is not shown where %s', (_why, how) => {
    const { tell, shown, toasts } = scene(how)
    tell(notice)
    expect([shown, toasts]).toEqual([[], []])
  })

  it('is asked for once, when a session needs somebody who looks at the page', () => {
    const { tell, shown, toasts, now, kept } = scene({ permission: 'default', focused: true })
    tell({ ...notice, class: 'goal-reached' })
    expect(toasts).toEqual([])
    tell(notice)
    tell({ ...notice, id: 'n2' })
    expect(toasts.map(({ actions }) => actions.map(({ text }) => text))).toEqual([['Notify me', 'Not now']])
    expect([shown, now.asked]).toEqual([[], 0])
    toasts[0]?.actions[0]?.run()
    expect(now.asked).toBe(1)
    tell({ ...notice, id: 'n3' })
    expect(shown).toMatchObject([{ tag: 'n3' }])
    // Another page of this browser, later.
    const later = scene({ permission: 'default', focused: true, kept })
    later.tell(notice)
    expect(later.toasts).toEqual([])
  })

  it('is not asked for while nobody looks', () => {
    const { tell, toasts, kept } = scene({ permission: 'default' })
    tell(notice)
    expect([toasts, kept.size]).toEqual([[], 0])
  })
})

describe('a click leads', () => {
  const timeline: Place = { view: 'sessions', selection: { kind: 'session', id: 'api', tab: 'timeline' } }
  it.each([
    ['to the question, in whatever terminal it is asked', notice, hosted, timeline],
    [
      'to the session for other news of it',
      { ...notice, sessionId: 'other' },
      hosted,
      { ...timeline, selection: { kind: 'session', id: 'other', tab: 'timeline' } },
    ],
    [
      'to the terminal that has had no turn yet',
      { ...notice, sessionId: 'fresh' },
      new Map([['fresh', terminal({ id: 'fresh', sessionId: null })]]),
      { view: 'sessions', selection: { kind: 'terminal', id: 'fresh' } },
    ],
    [
      'to the session that the terminal has by now',
      { ...notice, sessionId: 'fresh' },
      new Map([['fresh', terminal({ id: 'fresh', sessionId: 'other' })]]),
      { ...timeline, selection: { kind: 'session', id: 'other', tab: 'timeline' } },
    ],
    ['to the providers for news of one', { ...notice, class: 'limit', sessionId: null }, hosted, { view: 'providers' }],
    [
      'to the alarms for missed ones',
      { ...notice, class: 'alarm-missed', alarms: ['a', 'b'] },
      hosted,
      { view: 'alarms' },
    ],
  ] as const)('%s', (_where, about, terminals, place) => {
    expect(leadsTo(about, { sessions, terminals })).toEqual(place)
  })
})
