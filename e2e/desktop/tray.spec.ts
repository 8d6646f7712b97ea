import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { endTerminalHosts } from '../support/hosted-agent-driver.ts'
import { removeHomes } from '../support/engine-process.ts'
import { sessionAt } from '../../electron/shell/window/place.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { noDesktop, onlyDouble, startDesktop, type DesktopApp } from './support/desktop.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'

const askingAgent = resolve(import.meta.dirname, 'support/asking-agent.mjs')
const labels = async (desktop: DesktopApp) =>
  (await desktop.tray()).menu.map((entry) => (entry.type === 'separator' ? '—' : entry.label))

describe('the tray', unless(firstOf(noDesktop, onlyDouble)), () => {
  let desktop: DesktopApp
  beforeAll(async () => {
    desktop = await startDesktop()
  })
  afterAll(async () => {
    await desktop?.close()
    if (desktop) endTerminalHosts(desktop.home)
    removeHomes()
  })

  it('says where the engine is, and holds everything in its menu', async () => {
    expect(await labels(desktop)).toEqual([
      `Engine on 127.0.0.1:${desktop.port}, idle`,
      '—',
      'Pause all',
      'New terminal…',
      'Copy base URL',
      '—',
      'Open dashboard',
      'Settings…',
      'Check for updates',
      '—',
      'Quit',
    ])
    expect((await desktop.tray()).menu[0]?.enabled).toBe(false)
    expect(await desktop.tray()).toMatchObject({ icon: 'idle-light.png', tooltip: 'Onward: idle' })
  })

  it('copies the address agents use', async () => {
    await desktop.choose('Copy base URL')
    expect((await desktop.state()).clipboard).toBe(desktop.baseUrl)
  })

  it('pauses everything and resumes it: engine, dashboard and icon say so', async () => {
    const page = await desktop.page()
    await desktop.choose('Pause all')
    await waitFor('the engine is paused', async () => (await desktop.control.api.status.query()).paused)
    await waitFor('the icon', async () => (await desktop.tray()).icon === 'paused-light.png')
    expect(await desktop.tray()).toMatchObject({ tooltip: 'Onward: all paused' })
    expect((await labels(desktop))[0]).toBe(`Engine on 127.0.0.1:${desktop.port}, all paused`)
    await page.getByText('All automation is paused').first().waitFor()
    await desktop.choose('Resume all')
    await waitFor('the engine goes on', async () => !(await desktop.control.api.status.query()).paused)
    await waitFor('the icon', async () => (await desktop.tray()).icon === 'idle-light.png')
    expect(await labels(desktop)).toContain('Pause all')
  })

  it('opens settings and the dialog for a new terminal', async () => {
    const page = await desktop.page()
    await desktop.choose('Settings…')
    await page.waitForURL('**/#/settings')
    await desktop.choose('New terminal…')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await desktop.choose('New terminal…')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
  })

  it('shows a session that needs you, leads to it, and forgets it when you answered', async () => {
    const page = await desktop.page()
    const terminal = await desktop.control.api.openTerminal.mutate({
      client: 'other',
      args: [process.execPath, askingAgent, 'asking/1'],
      cwd: desktop.home,
    })
    await waitFor('the icon', async () => (await desktop.tray()).icon === 'needs-you-light.png')
    const session = await desktop.control.session((s) => s.shape === 'needs')
    const { tooltip, menu } = await desktop.tray()
    expect(tooltip).toBe('Onward: 1 needs you')
    expect(menu[2]?.label).toBe(`◆ ${session.name}: asks for permission`)
    await desktop.choose(/^◆/)
    await page.waitForURL((url) => sessionAt(url.href) === session.id)
    await desktop.control.api.writeTerminal.mutate({ terminalId: terminal.id, data: '\r' })
    await waitFor('the icon', async () => (await desktop.tray()).icon === 'idle-light.png')
    expect((await labels(desktop)).filter((label) => label.startsWith('◆'))).toEqual([])
  })

  it('shows a broken config as an error, and its mending', async () => {
    const { configPath } = await desktop.control.api.status.query()
    writeFileSync(configPath, '{ "server": { "port": "many" } }')
    await waitFor('the icon', async () => (await desktop.tray()).icon === 'error-light.png')
    writeFileSync(configPath, '{}')
    await waitFor('the icon', async () => (await desktop.tray()).icon === 'idle-light.png')
  })
})
