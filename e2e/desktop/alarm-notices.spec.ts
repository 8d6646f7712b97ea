import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { OnwardError } from '../../electron/engine/base/errors.ts'
import { sampleAlarm } from '../../electron/engine/control/testing/fake-control-api.ts'
import { sessionAt } from '../../electron/shell/window/place.ts'
import type { AlarmsView, AlarmState } from '../../shared/alarms/alarms.ts'
import type { Notice } from '../../shared/state.ts'
import { removeHomes } from '../support/engine-process.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { noDesktop, onlyDouble, startDesktop, type DesktopApp } from './support/desktop.ts'
import { startScriptedEngine, type ScriptedEngine } from './support/scripted-engine.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'

const running: { desktop: DesktopApp; engine: ScriptedEngine }[] = []
afterEach(async () => {
  for (const { desktop, engine } of running.splice(0)) {
    await desktop.close()
    await engine.stop()
  }
})
afterAll(removeHomes)

/** The desktop on an engine that does what a spec says; `gone`: alarms that it knows no more. */
async function start(gone: readonly string[] = []) {
  const did: string[] = []
  const mustBeThere = (alarm: string) => {
    if (gone.includes(alarm))
      throw new OnwardError('alarm-unknown', 'There is no such alarm any more.', { status: 404 })
  }
  const engine = await startScriptedEngine({
    async snoozeAlarm({ alarm, minutes }) {
      mustBeThere(alarm)
      did.push(`snooze ${alarm} ${minutes}`)
      return sampleAlarm({ taskId: alarm })
    },
    async cancelAlarm(alarm) {
      mustBeThere(alarm)
      did.push(`cancel ${alarm}`)
    },
  })
  const desktop = await startDesktop({ home: engine.home, args: ['--hidden'], env: { ONWARD_PORT: '' } })
  running.push({ desktop, engine })
  return { desktop, engine, did }
}

const actions = [
  { id: 'open', label: 'Open' },
  { id: 'snooze', label: 'Snooze 10 min' },
  { id: 'cancel-alarm', label: 'Cancel' },
]
const due = (alarms: readonly string[], more: Partial<Notice> = {}): { type: 'notice'; notice: Notice } => ({
  type: 'notice',
  notice: {
    id: alarms.join(),
    class: 'alarm-due',
    sessionId: 'billing',
    title: 'Alarm in billing',
    body: alarms.join(),
    actions,
    alarms,
    ...more,
  },
})
const view = (states: Readonly<Record<string, AlarmState>>): AlarmsView => ({
  waiting: 0,
  missed: [],
  missedTotal: 0,
  history: [],
  zone: 'UTC',
  retentionMs: 1_200_000,
  alarms: Object.entries(states).map(([taskId, state]) => sampleAlarm({ taskId, state, dueAt: 0 })),
})
const shown = async (desktop: DesktopApp, count: number) =>
  waitFor(`${count} notifications`, async () => {
    const { notifications } = await desktop.state()
    return notifications.length >= count && notifications
  })
const open = async (desktop: DesktopApp) =>
  (await desktop.state()).notifications.filter((n) => n.open).map((n) => n.body)

describe('the notification of a due alarm', unless(firstOf(noDesktop, onlyDouble)), () => {
  it('has its three actions; Open and a click lead to the session', async () => {
    const { desktop, engine } = await start()
    engine.say(due(['a']))
    expect(await shown(desktop, 1)).toEqual([
      { title: 'Alarm in billing', body: 'a', open: true, actions: ['Open', 'Snooze 10 min', 'Cancel'] },
    ])
    await desktop.touch(0, 'Open')
    await (await desktop.page()).waitForURL((url) => sessionAt(url.href) === 'billing')
    expect(await open(desktop)).toEqual([])
    engine.say(due(['b'], { sessionId: 'api' }))
    await shown(desktop, 2)
    await desktop.touch(1)
    await (await desktop.page()).waitForURL((url) => sessionAt(url.href) === 'api')
  })

  it('snoozes and cancels each alarm it names', async () => {
    const { desktop, engine, did } = await start()
    engine.say(due(['a', 'b']))
    await shown(desktop, 1)
    await desktop.touch(0, 'Snooze 10 min')
    await waitFor('both', () => did.length === 2)
    engine.say(due(['c']))
    await shown(desktop, 2)
    await desktop.touch(1, 'Cancel')
    await waitFor('the cancel', () => did.length === 3)
    expect(did).toEqual(['snooze a 10', 'snooze b 10', 'cancel c'])
    expect((await desktop.state()).dialogs).toEqual([])
  })

  it('says which share could not be done, and does the rest', async () => {
    const { desktop, engine, did } = await start(['a'])
    engine.say(due(['a', 'b']))
    await shown(desktop, 1)
    await desktop.touch(0, 'Snooze 10 min')
    const [said] = await waitFor('the answer', async () => {
      const { dialogs } = await desktop.state()
      return dialogs.length > 0 && dialogs
    })
    expect(said).toMatchObject({
      message: 'Not done: Snooze 10 min',
      detail: '1/2: There is no such alarm any more.',
    })
    expect(did).toEqual(['snooze b 10'])
  })

  it('stays beside the next one while its alarm rings, and makes room when it was delivered', async () => {
    const { desktop, engine, did } = await start()
    engine.say({ type: 'alarms', alarms: view({ a: { kind: 'waits' } }) })
    engine.say(due(['a']))
    engine.say(due(['b']))
    await shown(desktop, 2)
    expect(await open(desktop)).toEqual(['a', 'b'])
    await desktop.touch(0, 'Cancel')
    await waitFor('the cancel', () => did.length === 1)
    expect(did).toEqual(['cancel a'])
    engine.say({ type: 'alarms', alarms: view({ b: { kind: 'delivered', at: 1 }, c: { kind: 'waits' } }) })
    engine.say(due(['c']))
    await shown(desktop, 3)
    expect(await open(desktop)).toEqual(['c'])
  })
})

describe('missed alarms', unless(firstOf(noDesktop, onlyDouble)), () => {
  it('are told once; a click leads to their view', async () => {
    const { desktop, engine } = await start()
    engine.say(due(['a', 'b'], { class: 'alarm-missed', actions: [], title: '2 alarms missed' }))
    expect(await shown(desktop, 1)).toMatchObject([{ title: '2 alarms missed', actions: [] }])
    await desktop.touch(0)
    await (await desktop.page()).waitForURL((url) => url.hash.endsWith('place=alarms'))
  })

  it('stand in the tray beside the next alarm', async () => {
    const { desktop, engine } = await start()
    const at = new Date()
    const labels = async () => (await desktop.tray()).menu.map((entry) => entry.label)
    expect((await labels()).join()).not.toMatch(/alarm/i)
    const next = { sessionId: 'billing', sessionName: 'billing', dueAt: at.getTime(), task: 're-run the flaky suite' }
    engine.say({ type: 'status', status: engine.status({ alarms: { waiting: 1, missed: 2, next } }) })
    await waitFor('the line', async () => (await labels()).includes('2 missed alarms'))
    const clock = `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`
    expect(await labels()).toContain(`Next alarm ${clock}: re-run the flaky suite`)
    await desktop.choose(/^Next alarm/)
    await (await desktop.page()).waitForURL((url) => url.hash.endsWith('place=alarms'))
  })
})
