import { chmodSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeHomes } from '../support/engine-process.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'
import { evaluateIn } from './support/double.ts'
import { noDesktop, onlyDouble, startDesktop, type DesktopApp } from './support/desktop.ts'

describe('files and folders on the desktop', unless(firstOf(noDesktop, onlyDouble)), () => {
  let desktop: DesktopApp
  beforeAll(async () => {
    desktop = await startDesktop()
  })
  afterAll(async () => {
    await desktop?.close()
    removeHomes()
  })
  const ask = async (file: unknown) =>
    (await desktop.page()).evaluate(
      (wanted) => (Reflect.get(globalThis, 'onwardShell') as { open(file: unknown): Promise<boolean> }).open(wanted),
      file,
    )
  const files = () => evaluateIn(desktop.app)(({ shell }) => [shell.files, shell.revealed], null)

  it('takes the folder of a new terminal from the system’s own dialog', async () => {
    const page = await desktop.page()
    await page.locator('.statusbar').waitFor()
    const folder = realpathSync(desktop.home)
    await page.getByRole('button', { name: 'New terminal' }).first().click()
    const form = page.getByRole('dialog', { name: 'New terminal' })
    const field = form.getByRole('combobox', { name: 'Folder' })
    await field.fill(folder)
    await form.getByRole('button', { name: 'Choose…' }).click()
    const asked = () => evaluateIn(desktop.app)(({ dialog }) => dialog.folderAsked, null)
    await waitFor('the dialog', async () => (await asked()).length === 1)
    expect((await asked())[0]).toMatchObject({ defaultPath: folder })
    expect(await field.inputValue(), 'none was chosen').toBe(folder)
    await evaluateIn(desktop.app)(({ dialog }) => {
      dialog.folder = '/chosen/by/hand'
    }, null)
    await form.getByRole('button', { name: 'Choose…' }).click()
    await waitFor('the folder', async () => (await field.inputValue()) === '/chosen/by/hand')
    await page.keyboard.press('Escape')
  })

  it('opens what the engine named, nothing else, and starts nothing', async () => {
    const home = realpathSync(desktop.home)
    expect(await ask('home')).toBe(true)
    expect(await files()).toEqual([[home], []])
    for (const wanted of ['/etc/passwd', { path: '/etc/passwd' }, { folderOf: '/etc' }, null])
      expect(await ask(wanted)).toBe(false)
    expect(await files()).toEqual([[home], []])
    const config = join(home, 'config.json')
    writeFileSync(config, '{}')
    expect(await ask('config')).toBe(true)
    chmodSync(config, 0o755)
    expect(await ask('config')).toBe(true)
    expect(await files()).toEqual([[home, config], [config]])
  })
})
