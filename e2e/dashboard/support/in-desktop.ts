import type { Page } from 'playwright'
import type { Installation } from '../../../shared/commands/shell-calls.ts'

/** A Mac where login waits for a person and the command lies where no shell looks: all that the settings can say. */
const installation: Installation = {
  tray: 'shown',
  login: { kind: 'held-back', by: 'system-settings' },
  command: { kind: 'installed', path: '/Users/ada/.local/bin/onward', onPath: false },
}

/** The settings as they are in the desktop app, with what its bridge would answer. */
export async function settingsInDesktop(page: Page): Promise<void> {
  await page.evaluate((now) => {
    const change = async () => ({ now, trouble: null })
    const bridge = {
      installation: async () => now,
      setLogin: change,
      setCommand: change,
      uninstall: async () => undefined,
    }
    Object.assign(window, { onwardShell: bridge })
    window.location.hash = '#/alarms'
  }, installation)
  await page.getByRole('region', { name: 'This machine' }).waitFor({ state: 'detached' })
  await page.evaluate(() => {
    window.location.hash = '#/settings'
  })
  const section = page.getByRole('region', { name: 'This machine' })
  await section.getByRole('button', { name: 'Remove the command' }).waitFor()
  await section.evaluate((shown) => shown.scrollIntoView())
}
