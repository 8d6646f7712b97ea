import { describe, expect, it } from 'vitest'
import type { AlarmView } from '../../shared/alarms/alarms.ts'
import type { DeviceRight } from '../../shared/devices.ts'
import type { Notice } from '../../shared/state.ts'
import { wordsOf } from '../testing/words.ts'
import type { ToastNotice } from '../parts/toasts.ts'
import { home, type Place } from '../state/place.ts'
import { alarm, alarmsView, missedAlarm } from '../testing/views.ts'
import { noticeToasts } from './notice-toasts.ts'

const due: Notice = {
  id: 'n',
  class: 'alarm-due',
  sessionId: 'a',
  title: 'Alarm in a',
  body: '14:30  Run it',
  actions: [],
  alarms: ['t1', 't2'],
}
const missed: Notice = { ...due, class: 'alarm-missed' }

function scene({
  place = home,
  focused = true,
  inShell = false,
  rights = null,
}: { place?: Place; focused?: boolean; inShell?: boolean; rights?: readonly DeviceRight[] | null } = {}) {
  const shown: { key: string; notice: ToastNotice }[] = []
  const standing = new Map<string, ToastNotice>()
  const done: unknown[] = []
  const now = { place, view: alarmsView({ alarms: [alarm({ taskId: 't1', task: 'Run it', dueAt: 7 })] }) }
  const { tell, look } = noticeToasts({
    toasts: {
      notice(key, notice) {
        shown.push({ key, notice })
        standing.set(key, notice)
      },
      stands: (key) => standing.has(key),
      withdraw: (key) => void standing.delete(key),
    },
    actions: {
      async putOff(alarms) {
        done.push(['snooze', ...alarms.map(({ taskId, dueAt }) => `${taskId} ${dueAt}`)])
      },
      async cancelAlarms(alarms) {
        done.push(['cancel', ...alarms.map(({ taskId, task }) => `${taskId} ${task}`)])
        return { ok: true, value: undefined }
      },
    },
    words: () => wordsOf('en'),
    engine: () => ({ alarms: now.view, rights }),
    place: () => now.place,
    focused: () => focused,
    now: () => 10,
    inShell,
    openSession: (id) => done.push(['open', id]),
    openMissed: () => done.push(['missed']),
  })
  const offers = () => [...standing.values()].map(({ actions }) => actions.map(({ text }) => text))
  return { tell, look, shown, standing, offers, done, now }
}
const at = (id: string): Place => ({ view: 'sessions', selection: { kind: 'session', id, tab: 'terminal' } })

describe('an alarm that rings', () => {
  it('is shown with what can be done, for every alarm it is about', () => {
    const s = scene()
    s.tell(due)
    expect(
      s.shown.map(({ key, notice }) => [key, notice.title, notice.text, notice.actions.map(({ text }) => text)]),
    ).toEqual([['alarm-due a', 'Alarm in a', '14:30  Run it', ['Open', 'Snooze 10 min', 'Cancel']]])
    for (const action of s.shown[0]?.notice.actions ?? []) action.run()
    expect(s.done).toEqual([
      ['open', 'a'],
      ['snooze', 't1 7', 't2 0'],
      ['cancel', 't1 Run it', 't2 14:30  Run it'],
    ])
  })

  it('offers a paired device what its rights allow', () => {
    const s = scene({ rights: ['look', 'answer'] })
    s.tell(due)
    expect(s.offers()).toEqual([['Open']])
  })

  it('leads to what was missed', () => {
    const s = scene()
    s.tell(missed)
    expect(s.shown.map(({ notice }) => notice.tone)).toEqual(['failed'])
    s.shown[0]?.notice.actions[0]?.run()
    expect(s.done).toEqual([['missed']])
  })

  it.each<[string, Parameters<typeof scene>[0], Notice, number]>([
    ['while its session is looked at', { place: at('a') }, due, 0],
    ['while another session is looked at', { place: at('b') }, due, 1],
    ['while its session is open, but nobody looks', { place: at('a'), focused: false }, due, 1],
    ['in the list of alarms', { place: { view: 'alarms' } }, due, 1],
    ['where missed ones are listed', { place: { view: 'alarms' } }, missed, 0],
    ['in the app, which shows its own', { inShell: true }, due, 0],
    ['of another machine, in the list of all', { place: { view: 'alarms' } }, { ...missed, machine: 'box' }, 0],
    [
      'of another machine, in the list of this',
      { place: { view: 'alarms', machine: 'local' } },
      { ...missed, machine: 'box' },
      1,
    ],
    ['of another class', {}, { ...due, class: 'needs-you' }, 0],
  ])('%s', (_what, how, notice, count) => {
    const s = scene(how)
    s.tell(notice)
    expect(s.shown).toHaveLength(count)
  })

  it('offers no Cancel once it is delivered, and goes when it is put off or over', () => {
    const s = scene()
    const view = (over: Partial<AlarmView>) => alarmsView({ alarms: [alarm({ taskId: 't1', dueAt: 7, ...over })] })
    s.tell(due)
    s.now.view = view({ state: { kind: 'delivered', at: 9 } })
    s.look()
    expect(s.offers()).toEqual([['Open', 'Snooze 10 min']])
    s.now.view = view({ dueAt: 600_000 })
    s.look()
    expect(s.offers()).toEqual([])
    s.now.view = alarmsView({ missed: [missedAlarm({ taskId: 't1' })] })
    s.tell(missed)
    s.now.view = alarmsView()
    s.look()
    expect(s.offers()).toEqual([])
  })

  it('goes when its session is looked at, and does not come back once a person closed it', () => {
    const s = scene()
    s.tell(due)
    s.now.place = at('a')
    s.look()
    expect(s.offers()).toEqual([])
    s.now.place = home
    s.tell(due)
    s.standing.clear()
    s.now.view = alarmsView()
    s.look()
    expect(s.offers()).toEqual([])
  })
})
