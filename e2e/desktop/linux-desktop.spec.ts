/** The app on a Linux desktop of its own: a real session bus, and on it what a test puts there. */
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { joinBus, noBus, showsNotifications, startBus } from '../../electron/shell/testing/session-bus.ts'
import { removeHomes } from '../support/engine-process.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'
import { evaluateIn } from './support/double.ts'
import { noDesktop, onlyDouble, startDesktop } from './support/desktop.ts'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean()
})
afterAll(removeHomes)

async function scene(env: Readonly<Record<string, string>> = {}) {
  const bus = await startBus()
  cleanUp.push(() => bus.stop())
  const start = async (args: readonly string[] = []) => {
    const desktop = await startDesktop({
      args,
      config: { clock: { tickMs: 600_000, ntp: { enabled: false } } },
      env: { DBUS_SESSION_BUS_ADDRESS: bus.address, DOUBLE_BUTTONS: '', ...env },
    })
    cleanUp.push(() => desktop.close())
    return desktop
  }
  return { bus, start }
}

describe('on a Linux desktop', unless(firstOf(noBus, noDesktop, onlyDouble)), () => {
  it('an alarm is snoozed by a button that the desktop itself shows', async () => {
    const { bus, start } = await scene()
    const shows = await showsNotifications(bus.address, ['body', 'actions'])
    cleanUp.push(() => shows.leave())
    // A window would show the session, and put its notice away.
    const desktop = await start(['--hidden'])
    const answer = await fetch(`${desktop.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-session-id': 'billing' },
      body: JSON.stringify({ model: 'simulator', messages: [{ role: 'user', content: 'hello' }] }),
    })
    expect(answer.status).toBe(200)
    await desktop.control.session(({ id }) => id === 'billing')
    await desktop.control.api.addAlarm.mutate({ session: 'billing', dueAt: Date.now() + 500, task: 're-run <it>' })
    const [notice] = await waitFor('the notification', () => shows.shown.length > 0 && shows.shown)
    expect(notice?.actions).toEqual(['default', '', '0', 'Open', '1', 'Snooze 10 min', '2', 'Cancel'])
    expect((await desktop.control.event('notified', (body) => body.class === 'alarm-due')).body).toMatchObject({
      result: 'shown',
    })
    expect((await desktop.state()).notifications, 'Electron’s own').toEqual([])
    shows.invoke(notice?.id ?? 0, '1')
    await waitFor('the new time', async () =>
      (await desktop.control.api.alarms.query()).alarms.some(({ dueAt }) => dueAt > Date.now() + 9 * 60_000),
    )
    await waitFor('that it is put away', () => shows.closed.includes(notice?.id ?? 0))
  })

  it('without a tray the window stays, and it is said why; with one it hides', async () => {
    const { bus, start } = await scene({ ONWARD_TRAY: '', XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' })
    const desktop = await start()
    const page = await desktop.page()
    await waitFor('the window', async () => (await desktop.state()).windows[0]?.visible)
    const closeWindow = () =>
      evaluateIn(desktop.app)(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), null)
    await closeWindow()
    await waitFor('the window in the task bar', async () => (await desktop.state()).windows[0]?.minimized)
    const [said] = await waitFor('what is said', async () => {
      const { notifications } = await desktop.state()
      return notifications.length > 0 && notifications
    })
    expect(said).toMatchObject({ title: 'Onward stays in the task bar', body: expect.stringContaining('AppIndicator') })
    await desktop.choose('Settings…')
    await page
      .getByRole('region', { name: 'This machine' })
      .getByText(/GNOME shows no tray/)
      .waitFor()
    const panel = await joinBus(bus.address, 'org.kde.StatusNotifierWatcher')
    cleanUp.push(() => panel.connection.stream.destroy())
    await closeWindow()
    await waitFor('the hidden window', async () => (await desktop.state()).windows[0]?.visible === false)
  })
})
