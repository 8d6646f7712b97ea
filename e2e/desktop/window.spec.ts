import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { removeHomes } from '../support/engine-process.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { evaluateIn } from './support/double.ts'
import {
  noDesktop,
  onlyDouble,
  startAgain,
  startDesktop,
  type DesktopApp,
  type DesktopOptions,
} from './support/desktop.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'

const running: DesktopApp[] = []
afterEach(async () => {
  for (const desktop of running.splice(0)) await desktop.close()
})
afterAll(removeHomes)

async function start(options: DesktopOptions = {}): Promise<DesktopApp> {
  const desktop = await startDesktop(options)
  running.push(desktop)
  return desktop
}
const windowOf = async (desktop: DesktopApp) => (await desktop.state()).windows[0]
const shown = async (desktop: DesktopApp) => {
  await (await desktop.page()).locator('.statusbar').waitFor()
  return waitFor('the window', async () => {
    const window = await windowOf(desktop)
    return window?.visible ? window : null
  })
}
/** As the person's mouse does it. */
const closeWindow = (desktop: DesktopApp) =>
  evaluateIn(desktop.app)(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), null)

describe('a second start', unless(noDesktop), () => {
  it('ends at once, brings the first one to the front and opens its deep link there', async () => {
    const desktop = await start()
    const page = await desktop.page()
    await page.locator('.statusbar').waitFor()
    expect(await secondStart(desktop, ['onward://session/ses%2F2'])).toBe(0)
    await page.waitForURL('**/#/session/ses%2F2')
    expect((await desktop.control.api.status.query()).pid).toBe(desktop.pid)
  })
})

describe('the window', unless(firstOf(noDesktop, onlyDouble)), () => {
  it('hides when it is closed, and the tray brings it back as it was left', async () => {
    const desktop = await start()
    const page = await desktop.page()
    await shown(desktop)
    await desktop.choose('Settings…')
    await page.waitForURL('**/#/settings')
    await closeWindow(desktop)
    await waitFor('it is hidden', async () => !(await windowOf(desktop))?.visible)
    expect((await desktop.control.api.status.query()).pid).toBe(desktop.pid)
    await desktop.choose('Open dashboard')
    expect(await windowOf(desktop)).toMatchObject({ visible: true, focused: true })
    expect(page.url()).toMatch(/#\/settings$/)
  })

  it('goes on with a link of its own when all windows are signed out', async () => {
    const desktop = await start()
    const page = await desktop.page()
    await shown(desktop)
    await desktop.choose('Settings…')
    await page.waitForURL('**/#/settings')
    const before = new URL(page.url()).pathname
    await page.getByRole('button', { name: 'Sign out all windows' }).click()
    await waitFor('another link', () => {
      const { pathname } = new URL(page.url())
      return pathname.startsWith('/dashboard/~') && pathname !== before
    })
    await desktop.control.api.pause.mutate(null)
    await page.getByText('All automation is paused').waitFor()
    expect(await page.getByText('does not take this link').count()).toBe(0)
  })

  it('says once per home that closing only hides', async () => {
    const first = await start()
    await shown(first)
    for (let times = 0; times < 2; times++) {
      await closeWindow(first)
      await waitFor('it is hidden', async () => !(await windowOf(first))?.visible)
      await first.choose('Open dashboard')
    }
    expect((await first.state()).notifications.map((n) => n.title)).toEqual(['Onward stays in the tray'])
    await first.close()
    const again = await start({ home: first.home })
    await shown(again)
    await closeWindow(again)
    await waitFor('it is hidden', async () => !(await windowOf(again))?.visible)
    expect((await again.state()).notifications).toEqual([])
  })

  it('opens where and as large as it was, at the next start', async () => {
    const first = await start()
    await shown(first)
    await evaluateIn(first.app)(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setBounds({ x: 210, y: 120, width: 1010, height: 720 }),
      null,
    )
    await first.close()
    const again = await start({ home: first.home })
    expect((await shown(again)).bounds).toEqual({ x: 210, y: 120, width: 1010, height: 720 })
  })

  it('comes to the front for a second start, unless that one is hidden', async () => {
    const desktop = await start()
    await shown(desktop)
    await closeWindow(desktop)
    await waitFor('it is hidden', async () => !(await windowOf(desktop))?.visible)
    expect(await secondStart(desktop, ['--hidden'])).toBe(0)
    expect(await windowOf(desktop)).toMatchObject({ visible: false })
    expect(await secondStart(desktop, [])).toBe(0)
    await waitFor('it is back', async () => (await windowOf(desktop))?.focused)
  })

  it('ignores what is no deep link of ours', async () => {
    const desktop = await start()
    const page = await desktop.page()
    await page.waitForURL('**/#/sessions')
    expect(await secondStart(desktop, ['onward://pause/all', 'https://example.com'])).toBe(0)
    expect(page.url()).toMatch(/#\/sessions$/)
    expect((await desktop.control.api.status.query()).paused).toBe(false)
  })

  it('comes back by itself after its page crashed, once', async () => {
    const desktop = await start()
    await shown(desktop)
    const evaluate = evaluateIn(desktop.app)
    const crash = () =>
      evaluate(({ BrowserWindow }) => {
        void BrowserWindow.getAllWindows()[0]
          ?.webContents.cdp('Page.crash')
          .catch(() => 'its answer crashes, too')
      }, null)
    // Playwright gives a crashed page up, so the window itself is asked; a page that is down fails to answer.
    const isThere = () =>
      evaluate(
        ({ BrowserWindow }) =>
          BrowserWindow.getAllWindows()[0]
            ?.webContents.executeJavaScript('document.querySelector(".statusbar") !== null && !window.old')
            .catch(() => false),
        null,
      )
    await evaluate(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('window.old = true'),
      null,
    )
    await crash()
    await waitFor('the page again', isThere)
    expect((await desktop.state()).dialogs).toEqual([])
    await crash()
    await waitFor('it is told', async () => (await desktop.state()).dialogs.length === 1)
    expect((await desktop.state()).dialogs[0]).toMatchObject({
      message: 'The dashboard could not be shown',
      detail: 'crashed',
    })
    await desktop.choose('Open dashboard')
    await waitFor('the page again', isThere)
  })
})

describe('without a tray', unless(firstOf(noDesktop, onlyDouble)), () => {
  it.each([
    ['the desktop shows none', { ONWARD_TRAY: '', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' }],
    ['it can’t be made', { DOUBLE_NO_TRAY: '1' }],
  ])('the window stays: closing minimises it (%s)', async (_why, env) => {
    const desktop = await start({ env })
    await shown(desktop)
    await closeWindow(desktop)
    await waitFor('it is minimised', async () => (await windowOf(desktop))?.minimized)
    expect(await windowOf(desktop)).toMatchObject({ visible: true })
    const { notifications } = await desktop.state()
    expect(notifications.map(({ title }) => title)).toEqual(['Onward stays in the task bar'])
    expect(await secondStart(desktop, [])).toBe(0)
    await waitFor('it is back', async () => (await windowOf(desktop))?.focused)
    expect(await windowOf(desktop)).toMatchObject({ minimized: false })
  })
})

/** @returns its exit code */
function secondStart(desktop: DesktopApp, args: readonly string[]): Promise<number | null> {
  const child = startAgain(desktop.home, args)
  return new Promise((done, failed) => {
    child.once('exit', (code) => done(code))
    child.once('error', failed)
  })
}
