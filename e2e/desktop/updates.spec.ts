/** New versions of the desktop app by the real electron-updater, from a feed on loopback. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ShellState } from '../../shared/commands/shell-calls.ts'
import type { UpdateRequest, UpdateState } from '../../shared/updates.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { newHome, removeHomes } from '../support/engine-process.ts'
import { endTerminalHosts } from '../support/hosted-agent-driver.ts'
import { gate, say, startMockUpstream, type MockUpstream } from '../support/mock-upstream/index.ts'
import { noDesktop, onlyDouble, startDesktop, type DesktopApp } from './support/desktop.ts'
import { installAppImage, oldProgram, startFeed, type Feed, type InstalledAppImage } from './support/update-feed.ts'

const onlyLinux = process.platform === 'linux' ? null : 'an AppImage runs on Linux'
const newer = '9.9.9'
let feed: Feed
let installed: InstalledAppImage
let desktop: DesktopApp

beforeEach(async () => {
  feed = await startFeed()
  installed = installAppImage(feed.url)
})
afterEach(async () => {
  await desktop?.close()
  endTerminalHosts(desktop.home)
  await feed.stop()
  installed.remove()
})
afterAll(removeHomes)

async function start(config: Record<string, unknown> = {}): Promise<Page> {
  desktop = await startDesktop({ main: installed.main, env: installed.env, config })
  const page = await desktop.page()
  await page.locator('.statusbar').waitFor()
  return page
}
const ask = (page: Page, request: UpdateRequest) =>
  page.evaluate(
    (wanted) => (Reflect.get(globalThis, 'onwardShell') as { update(what: string): Promise<void> }).update(wanted),
    request,
  )
const stateOf = async (page: Page): Promise<UpdateState> =>
  (await page.evaluate(() => (Reflect.get(globalThis, 'onwardShell') as { state(): Promise<ShellState> }).state()))
    .update
const settled = (page: Page) =>
  waitFor('the update', async () => {
    const state = await stateOf(page)
    return state.kind === 'checking' || state.kind === 'downloading' ? null : state
  })
const checked = async (page: Page) => {
  await ask(page, 'check')
  return settled(page)
}
const downloaded = async (page: Page) => {
  await checked(page)
  await ask(page, 'download')
  return settled(page)
}
const program = (home: string) => `#!/bin/sh\necho "$$ $@" > ${join(home, 'started')}\n# ${'new '.repeat(5000)}\n`

describe('an AppImage', unless(firstOf(noDesktop, onlyDouble, onlyLinux)), () => {
  it('asks nobody until a person does, and tells nobody who it is', async () => {
    feed.announce({ version: newer, file: 'new' })
    const page = await start()
    expect(await stateOf(page)).toEqual({ kind: 'idle' })
    expect(feed.asked).toEqual([])
    await desktop.choose('Check for updates')
    await page.getByText(`Onward ${newer} is available.`).first().waitFor()
    expect(feed.asked.map(({ path }) => path)).toEqual(['/latest-linux.yml'])
    expect(feed.asked[0]?.headers['x-user-staging-id'] ?? '').toBe('')
  })

  it('shows what is new, downloads it by a click, and is replaced and started by another', async () => {
    const home = newHome()
    const file = program(home)
    feed.announce({ version: newer, notes: '<p>Faster <b>starts</b></p><script>x</script>', file })
    desktop = await startDesktop({ home, main: installed.main, env: installed.env })
    const page = await desktop.page()
    await page.locator('.statusbar').waitFor()
    expect(await checked(page)).toEqual({ kind: 'available', version: newer, notes: 'Faster starts' })
    await waitFor('the tray offers it', async () =>
      (await desktop.tray()).menu.some(({ label }) => label === `Download Onward ${newer}`),
    )
    const banner = page.locator('.banner')
    await banner.getByText('Faster starts').waitFor()
    await banner.getByRole('button', { name: 'Download' }).click()
    await banner.getByText(`Onward ${newer} is ready.`).waitFor()
    expect(installed.content()).toBe(oldProgram)
    await banner.getByRole('button', { name: 'Restart to update' }).click()
    expect(await desktop.gone).toBe(0)
    expect(installed.content()).toBe(file)
    expect(statSync(installed.file).mode & 0o777).toBe(0o755)
    await waitFor('the new program', () => existsSync(join(home, 'started')))
  })

  it.each([
    ['is another one than was announced', { file: 'new '.repeat(5000), sent: 'bad '.repeat(5000) }, 'broken'],
    ['is cut short', { file: 'new '.repeat(5000), sent: 'new '.repeat(2500) }, 'broken'],
    ['breaks off', { file: 'new '.repeat(50_000), breaksOff: true }, 'offline'],
  ] as const)('changes nothing when the download %s, and says so', async (_what, release, why) => {
    feed.announce({ version: newer, ...release })
    const page = await start()
    expect(await downloaded(page)).toMatchObject({ kind: 'failed', why, found: { version: newer } })
    await ask(page, 'restart')
    expect(installed.content()).toBe(oldProgram)
    await desktop.choose('Quit')
    expect(await desktop.gone).toBe(0)
    expect(installed.content()).toBe(oldProgram)
  })

  it('changes nothing when the downloaded file was changed afterwards', async () => {
    feed.announce({ version: newer, file: 'new '.repeat(5000) })
    const page = await start()
    expect((await downloaded(page)).kind).toBe('ready')
    const cached = join(installed.env['XDG_CACHE_HOME'] ?? '', 'onward-updater/pending/Onward-new.AppImage')
    expect(readFileSync(cached, 'utf8')).toContain('new')
    writeFileSync(cached, 'bad '.repeat(5000))
    await ask(page, 'restart')
    expect(await settled(page)).toMatchObject({ kind: 'failed', why: 'broken' })
    expect(installed.content()).toBe(oldProgram)
    expect((await desktop.control.api.status.query()).pid).toBe(desktop.pid)
    await ask(page, 'download')
    expect((await settled(page)).kind).toBe('ready')
  })

  it.each([
    ['an older version', { version: '0.0.9', file: 'old' }, { kind: 'current' }],
    ['its own version', { version: '0.1.0', file: 'same' }, { kind: 'current' }],
    ['what is no version', { version: 'newest', file: 'new' }, { kind: 'failed', why: 'feed' }],
    ['nothing', null, { kind: 'failed', why: 'no-version' }],
  ] as const)('takes %s for nothing newer', async (_what, release, state) => {
    feed.announce(release)
    const page = await start()
    expect(await checked(page)).toMatchObject(state)
    await ask(page, 'download')
    expect(await settled(page)).toMatchObject(state)
    expect(installed.content()).toBe(oldProgram)
  })

  it('is installed at the end only when the person said so', async () => {
    const file = 'new '.repeat(5000)
    feed.announce({ version: newer, file })
    const page = await start()
    expect((await downloaded(page)).kind).toBe('ready')
    await page.locator('.banner').getByRole('button', { name: 'When I quit' }).click()
    await waitFor('it is kept', async () => {
      const state = await stateOf(page)
      return state.kind === 'ready' && state.atQuit
    })
    await desktop.choose('Quit')
    expect(await desktop.gone).toBe(0)
    expect(installed.content()).toBe(file)
  })
})

describe('an update while agents are at work', unless(firstOf(noDesktop, onlyDouble, onlyLinux)), () => {
  const turnAgent = resolve(import.meta.dirname, '../support/turn-agent.mjs')
  const question = {
    message: '1 agent is at work',
    detail: expect.stringMatching(/^talk: their terminals and the agents in them go on\./),
    buttons: ['Later', 'When they are idle', 'Restart now'],
  }
  let mock: MockUpstream
  let answered: ReturnType<typeof gate>
  beforeEach(async () => {
    answered = gate()
    mock = await startMockUpstream()
    mock.otherwise = { ...say('All is well.'), hold: { at: 'head', until: answered } }
  })
  afterEach(() => {
    answered.open()
    return mock.dispose()
  })

  /** A new version is ready, and an agent of this engine waits for its model. */
  async function ready(): Promise<Page> {
    feed.announce({ version: newer, file: 'new '.repeat(5000) })
    const page = await start({
      providers: {
        mock: { type: 'openai-chat', baseUrl: `${mock.baseUrl}/v1`, keys: [{ alias: 'main', value: 'k' }] },
      },
      routes: { default: ['mock.m-1'] },
    })
    const log = join(desktop.home, 'agent.jsonl')
    const { api } = desktop.control
    const terminal = await api.openTerminal.mutate({
      client: 'other',
      args: [process.execPath, turnAgent, '--log', log, '--session', 'talk'],
      cwd: desktop.home,
      name: 'talk',
    })
    const wrote = (what: string) =>
      waitFor(`the agent’s ${what}`, () => existsSync(log) && readFileSync(log, 'utf8').includes(what))
    await wrote('"start"')
    await api.writeTerminal.mutate({ terminalId: terminal.id, data: 'begin' })
    await wrote('"begin"')
    await api.writeTerminal.mutate({ terminalId: terminal.id, data: '\r' })
    await desktop.control.session((session) => session.id === 'talk' && session.shape === 'working')
    expect((await downloaded(page)).kind).toBe('ready')
    // Once around the loop of the app's own process, which follows the same updates.
    await desktop.state()
    return page
  }
  const restart = (page: Page) => page.locator('.banner').getByRole('button', { name: 'Restart to update' }).click()

  it('asks first, by name, and goes on as it is on “Later”', async () => {
    const page = await ready()
    await desktop.answer(0)
    await restart(page)
    const asked = await waitFor('the question', async () => (await desktop.state()).dialogs[0])
    expect(asked).toEqual(question)
    expect(await settled(page)).toMatchObject({ kind: 'ready', atQuit: false, whenIdle: false })
    expect((await desktop.control.api.status.query()).pid).toBe(desktop.pid)
    expect(installed.content()).toBe(oldProgram)
  })

  it('waits for them on “When they are idle”, says so, and restarts once they are', async () => {
    const page = await ready()
    await desktop.answer(1)
    await restart(page)
    const banner = page.locator('.banner')
    await banner.getByText(`Onward ${newer} is installed when no agent is at work.`).waitFor()
    await banner.getByRole('button', { name: 'Don’t wait for that' }).click()
    await restart(page)
    await banner.getByRole('button', { name: 'Restart now' }).waitFor()
    expect(installed.content()).toBe(oldProgram)
    answered.open()
    expect(await desktop.gone).toBe(0)
    expect(installed.content()).toContain('new ')
  })

  it('finishes its answer before it restarts, says so in the tray, and the agent lives on', async () => {
    const page = await ready()
    const agents = (await desktop.control.api.terminals.query()).filter(({ alive }) => alive)
    await desktop.answer(2)
    await restart(page)
    const told = await waitFor('the tray', async () => {
      const { tooltip, menu } = await desktop.tray()
      return tooltip.startsWith('Finishing') && [tooltip, menu[0]?.label]
    })
    expect(told).toEqual(['Finishing 1 answer', 'Finishing 1 answer'])
    answered.open()
    expect(await desktop.gone).toBe(0)
    expect(readFileSync(join(desktop.home, 'agent.jsonl'), 'utf8')).toContain('All is well.')
    expect(installed.content()).toContain('new ')
    const { home, port } = desktop
    desktop = await startDesktop({ home, env: { ONWARD_PORT: String(port) } })
    const known = await waitFor('the agent', async () =>
      (await desktop.control.api.terminals.query()).find(({ id }) => id === agents[0]?.id),
    )
    expect(known.alive).toBe(true)
  })
})

describe('a package without a place for new versions', unless(firstOf(noDesktop, onlyDouble, onlyLinux)), () => {
  it('says how it is updated instead, and asks nobody', async () => {
    installed.remove()
    installed = installAppImage(null)
    const page = await start()
    await desktop.choose('Check for updates')
    await page.getByText('This AppImage names no place with new versions.').waitFor()
    await page.getByText('onward update').first().waitFor()
    expect(feed.asked).toEqual([])
  })
})
