import { describe, expect, it } from 'vitest'
import type { Notice } from '../../shared/state.ts'
import { wordsOf } from '../testing/words.ts'
import type { ToastNotice } from '../parts/toasts.ts'
import { home, type Place } from '../state/place.ts'
import { alarm, alarmsView } from '../testing/views.ts'
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
}: { place?: Place; focused?: boolean; inShell?: boolean } = {}) {
  const shown: { key: string; notice: ToastNotice }[] = []
  const done: unknown[] = []
  const tell = noticeToasts({
    toasts: { notice: (key, notice) => shown.push({ key, notice }) },
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
    engine: () => ({ alarms: alarmsView({ alarms: [alarm({ taskId: 't1', task: 'Run it', dueAt: 7 })] }) }),
    place: () => place,
    focused: () => focused,
    inShell,
    openSession: (id) => done.push(['open', id]),
    openMissed: () => done.push(['missed']),
  })
  return { tell, shown, done }
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
    ['of another class', {}, { ...due, class: 'needs-you' }, 0],
  ])('%s', (_what, how, notice, count) => {
    const s = scene(how)
    s.tell(notice)
    expect(s.shown).toHaveLength(count)
  })
})
