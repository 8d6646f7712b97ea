/** At login, on the PATH, and gone again: the app on a machine of its own, which a folder stands for. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { newHome, removeHomes } from '../support/engine-process.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'
import { evaluateIn } from './support/double.ts'
import { installAppImage, type InstalledAppImage } from './support/update-feed.ts'
import { noDesktop, onlyDouble, startDesktop, type DesktopApp } from './support/desktop.ts'

const onlyLinux = process.platform === 'linux' ? null : 'files of a Linux desktop'

describe('the installed app', unless(firstOf(onlyLinux, noDesktop, onlyDouble)), () => {
  let desktop: DesktopApp | null = null
  const images: InstalledAppImage[] = []
  afterEach(async () => {
    await desktop?.close()
    desktop = null
    for (const image of images.splice(0)) image.remove()
  })
  afterAll(removeHomes)

  async function start(env: Readonly<Record<string, string>> = {}, main?: string) {
    const person = newHome()
    const home = join(person, '.onward')
    mkdirSync(home, { mode: 0o700 })
    const app = await startDesktop({
      home,
      env: { HOME: person, XDG_CONFIG_HOME: '', SHELL: '', ...env },
      ...(main ? { main } : {}),
    })
    desktop = app
    const entry = join(person, '.config/autostart/onward.desktop')
    const settings = async () => {
      const page = await app.page()
      await app.choose('Settings…')
      return page.getByRole('region', { name: 'This machine' })
    }
    return { app, person, home, entry, settings }
  }
  const atLogin = async (app: DesktopApp) =>
    (await app.tray()).menu.find(({ label }) => label === 'Start at login, in the tray')?.checked

  it('is started at login when it was switched on in the tray, and not before', async () => {
    const { app, entry } = await start()
    await waitFor('the entry of the menu', async () => (await atLogin(app)) === false)
    expect(existsSync(entry)).toBe(false)
    await app.choose('Start at login, in the tray')
    await waitFor('the switch', async () => (await atLogin(app)) === true)
    expect(readFileSync(entry, 'utf8')).toMatch(/^Exec=".*" ".*main\.js" "--hidden"$/m)
    await app.choose('Start at login, in the tray')
    await waitFor('the switch', async () => (await atLogin(app)) === false)
    expect(existsSync(dirname(entry))).toBe(false)
  })

  it('says in its settings what the system says, whoever changed it, and why something was not done', async () => {
    const { app, entry, settings } = await start()
    const section = await settings()
    const toggle = section.getByRole('switch', { name: 'Start at login, in the tray' })
    await toggle.click()
    await waitFor('the entry', async () => existsSync(entry) && (await toggle.isChecked()))
    await waitFor('the tray', async () => (await atLogin(app)) === true)
    // As the settings of a desktop do it.
    writeFileSync(entry, readFileSync(entry, 'utf8').replace('-enabled=true', '-enabled=false'))
    const page = await app.page()
    const lookedAt = () => page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await lookedAt()
    await waitFor('the switch', async () => !(await toggle.isChecked()))
    await waitFor('the tray', async () => (await atLogin(app)) === false)
    rmSync(entry)
    rmSync(dirname(entry), { recursive: true })
    writeFileSync(dirname(entry), 'a file where a folder belongs')
    await toggle.click()
    await section
      .getByRole('alert')
      .getByText(/ENOTDIR|EEXIST/)
      .waitFor()
    expect(await toggle.isChecked()).toBe(false)
  })

  it('ends cleanly while it is still told that somebody else switched the start at login', async () => {
    const { app, entry } = await start()
    await waitFor('the entry of the menu', async () => (await atLogin(app)) === false)
    await app.choose('Start at login, in the tray')
    await waitFor('the switch', async () => (await atLogin(app)) === true)
    const ending = evaluateIn(app.app)(({ Tray }, file) => {
      process.getBuiltinModule('node:fs').rmSync(file)
      // It asks again only after a while.
      const real = performance.now.bind(performance)
      performance.now = () => real() + 60_000
      Tray.all[0]?.menu?.emit('menu-will-show')
      process.emit('SIGTERM')
    }, entry)
    // The answer may come behind the app's end.
    await ending.catch(() => undefined)
    expect(await app.gone).toBe(0)
  })

  it('of another home than the usual one is not started at login, and says so', async () => {
    const { app, settings } = await start({ HOME: '/nonexistent' })
    const section = await settings()
    await section.getByText(/Only the usual home is started at login/).waitFor()
    expect(await section.getByRole('switch').isDisabled()).toBe(true)
    expect(await atLogin(app)).toBeUndefined()
  })

  it('of an AppImage installs its command and removes it, in the menu and in the settings', async () => {
    const image = installAppImage(null)
    images.push(image)
    const { app, person, settings } = await start(
      {
        ...image.env,
      },
      image.main,
    )
    const command = join(person, '.local/bin/onward')
    await waitFor('the entry of the menu', () => app.chooseInApp('Install the command'))
    await waitFor('the command', () => existsSync(command))
    await waitFor('what is said', async () => (await app.state()).dialogs.length === 1)
    const [said] = (await app.state()).dialogs
    expect(said).toMatchObject({ message: 'The command is installed' })
    expect(said?.detail).toContain(command)
    expect(said?.detail).toContain('export PATH=')
    const section = await settings()
    await section.getByText(`It is at ${command}.`).waitFor()
    await section.getByRole('button', { name: 'Remove the command' }).click()
    await section.getByRole('button', { name: 'Install the command' }).waitFor()
    expect(existsSync(join(person, '.local'))).toBe(false)
    expect(await app.chooseInApp('Install the command')).toBe(true)
  })

  it('leaves agents working: “Uninstall…” shows what goes, asks, and puts a Codex back to the last byte', async () => {
    const { app, person, entry, settings } = await start()
    const config = join(person, '.codex/config.toml')
    const theirs = '# mine\r\nmodel = "o5"\n'
    mkdirSync(dirname(config))
    writeFileSync(config, theirs)
    const { api } = app.control
    const setup = (await api.agentSetups.query()).find(({ client }) => client === 'codex')
    if (setup?.kind !== 'possible') throw new Error(`not possible: ${JSON.stringify(setup)}`)
    await api.setUpAgent.mutate({ client: 'codex', fingerprint: setup.fingerprint })
    await waitFor('the entry of the menu', async () => (await atLogin(app)) === false)
    await app.choose('Start at login, in the tray')
    await waitFor('the entry', () => existsSync(entry))

    await app.answer(1)
    const section = await settings()
    await section.getByRole('button', { name: 'Uninstall…' }).click()
    await waitFor('the question', async () => (await app.state()).dialogs.length === 1)
    const [asked] = (await app.state()).dialogs
    expect(asked?.buttons).toEqual(['Undo all', 'Cancel'])
    expect(asked?.detail).toContain(`The settings of codex, back as they were before: ~/.codex/config.toml`)
    expect(asked?.detail).toContain(`The start at login: ${entry}`)
    expect(readFileSync(config, 'utf8')).not.toBe(theirs)

    // “Undo all”, and then “Quit Onward”
    await app.answer(0)
    expect(await app.chooseInApp('Uninstall…')).toBe(true)
    expect(await app.gone).toBe(0)
    expect(readFileSync(config, 'utf8')).toBe(theirs)
    expect(existsSync(entry)).toBe(false)
  })
})
