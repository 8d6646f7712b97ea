import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { sessionAt } from '../../electron/shell/window/place.ts'
import { removeHomes } from '../support/engine-process.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { evaluateIn } from './support/double.ts'
import { noDesktop, onlyDouble, startDesktop, type DesktopApp } from './support/desktop.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'

const running: DesktopApp[] = []
afterEach(async () => {
  for (const desktop of running.splice(0)) await desktop.close()
})
afterAll(removeHomes)

const minute = 60_000

/**
 * Its own engine looks around by itself as rarely as it can be told to: what comes at once came by the alarm's timer or
 * by a call.
 */
async function start(args: readonly string[] = ['--hidden']): Promise<DesktopApp> {
  const desktop = await startDesktop({ args, config: { clock: { tickMs: 10 * minute, ntp: { enabled: false } } } })
  running.push(desktop)
  return desktop
}

/** A session whose agent runs nowhere: nothing but its next request takes its alarms. */
async function openSession(desktop: DesktopApp, id: string) {
  const answer = await fetch(`${desktop.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session-id': id },
    body: JSON.stringify({ model: 'simulator', messages: [{ role: 'user', content: 'hello' }] }),
  })
  expect(answer.status).toBe(200)
  return desktop.control.session((s) => s.id === id)
}
const addAlarm = (desktop: DesktopApp, session: string, task: string, inMs: number) =>
  desktop.control.api.addAlarm.mutate({ session, dueAt: Date.now() + inMs, task })
const notification = (desktop: DesktopApp, at: number) =>
  waitFor(`notification ${at}`, async () => (await desktop.state()).notifications[at])
const labels = async (desktop: DesktopApp) => (await desktop.tray()).menu.map((entry) => entry.label)
const trayLine = (desktop: DesktopApp, line: RegExp | string) =>
  waitFor(`the tray’s ${String(line)}`, async () =>
    (await labels(desktop)).some((label) => (typeof line === 'string' ? label === line : line.test(label))),
  )
const waiting = async (desktop: DesktopApp) =>
  (await desktop.control.api.alarms.query()).alarms.filter((alarm) => alarm.state.kind === 'waits')

/** The clock goes on, and no timer runs. */
const sleep = (desktop: DesktopApp, ms: number) =>
  evaluateIn(desktop.app)((_electron, slept) => {
    const now = Date.now
    Date.now = () => now() + slept
  }, ms)
const wakeUp = (desktop: DesktopApp) => evaluateIn(desktop.app)(({ powerMonitor }) => powerMonitor.emit('resume'), null)

describe('an alarm', unless(firstOf(noDesktop, onlyDouble)), () => {
  it('stands in the tray, rings, and is snoozed from its notification', async () => {
    const desktop = await start()
    const { name } = await openSession(desktop, 'billing')
    await addAlarm(desktop, 'billing', 're-run the flaky suite', 1_500)
    await trayLine(desktop, /^Next alarm .*: re-run the flaky suite$/)
    expect(await notification(desktop, 0)).toMatchObject({
      title: `Alarm in ${name}`,
      body: expect.stringContaining('re-run the flaky suite'),
      open: true,
      actions: ['Open', 'Snooze 10 min', 'Cancel'],
    })
    expect((await desktop.control.event('notified', (body) => body.class === 'alarm-due')).body).toMatchObject({
      result: 'shown',
    })
    await desktop.touch(0, 'Snooze 10 min')
    const [snoozed] = await waitFor('the new time', async () => {
      const all = await waiting(desktop)
      return all.some((alarm) => alarm.dueAt > Date.now() + 9 * minute) && all
    })
    expect(snoozed?.dueAt).toBeLessThanOrEqual(Date.now() + 10 * minute)
    expect((await desktop.state()).dialogs).toEqual([])
  })

  it('is cancelled from its notification, and one that is gone by then is said to be', async () => {
    const desktop = await start()
    await openSession(desktop, 'billing')
    await addAlarm(desktop, 'billing', 'first', 500)
    await notification(desktop, 0)
    await desktop.touch(0, 'Cancel')
    await waitFor('the end of it', async () => (await desktop.control.api.alarms.query()).alarms.length === 0)
    const { taskId } = await addAlarm(desktop, 'billing', 'second', 500)
    await notification(desktop, 1)
    await desktop.control.api.cancelAlarm.mutate(taskId)
    await desktop.touch(1, 'Cancel')
    const said = await waitFor('the answer', async () => (await desktop.state()).dialogs[0])
    expect(said.message).toBe('Not done: Cancel')
  })

  it('of a session leads to it', async () => {
    const desktop = await start()
    await openSession(desktop, 'billing')
    await addAlarm(desktop, 'billing', 'look', 500)
    await notification(desktop, 0)
    await desktop.touch(0, 'Open')
    await (await desktop.page()).waitForURL((url) => sessionAt(url.href) === 'billing')
  })

  it('whose time came while the computer slept rings when it wakes up', async () => {
    const desktop = await start()
    await openSession(desktop, 'billing')
    await addAlarm(desktop, 'billing', 're-run the flaky suite', 30 * minute)
    await sleep(desktop, 31 * minute)
    await wakeUp(desktop)
    expect(await notification(desktop, 0)).toMatchObject({ actions: ['Open', 'Snooze 10 min', 'Cancel'] })
  })

  it('that is long over when the computer wakes up is told as missed, which leads to the alarms', async () => {
    const desktop = await start()
    await openSession(desktop, 'billing')
    await addAlarm(desktop, 'billing', 're-run the flaky suite', 30 * minute)
    await sleep(desktop, 60 * minute)
    await wakeUp(desktop)
    expect((await notification(desktop, 0)).title).toMatch(/^Alarm missed in /)
    await trayLine(desktop, '1 missed alarm')
    await desktop.touch(0)
    await (await desktop.page()).waitForURL('**/#/alarms')
  })
})

describe('onward://alarms', unless(noDesktop), () => {
  it('leads to the alarms', async () => {
    const desktop = await start(['onward://alarms'])
    await (await desktop.page()).waitForURL('**/#/alarms')
  })
})
