import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { eachTest } from './support/each-test.ts'
import { axeViolations } from './dashboard/support/axe.ts'
import { noBrowser } from './support/browser.ts'
import type { EngineProcess } from './support/engine-process.ts'
import { unless } from '../shared/testing/unless.ts'

describe('the folder of a new terminal', unless(noBrowser), () => {
  let engine: EngineProcess
  let page: Page
  let root = ''
  const each = eachTest()

  beforeEach(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'onward-chosen-')))
    each.ends(() => rmSync(root, { recursive: true, force: true }))
    for (const name of ['api', 'billing/src', 'billing/tests', '.hidden/deep'])
      mkdirSync(join(root, name), { recursive: true })
    writeFileSync(join(root, 'notes.txt'), 'nobody is told')
    engine = await each.engine()
    // The page of an engine that was stopped looks for it again.
    page = await each.page(await engine.dashboard(), {}, /WebSocket connection .* failed|Failed to load resource/)
  })

  const openForm = async () => {
    await page.getByRole('button', { name: 'New terminal' }).first().click()
    return page.getByRole('dialog', { name: 'New terminal' })
  }
  const picker = () => page.getByRole('dialog', { name: 'Choose a folder' })
  const names = () => picker().getByRole('option').allTextContents()
  const line = () => picker().getByRole('option', { selected: true }).textContent()
  const waitForFolder = (path: string) =>
    picker()
      .getByRole('button', { name: `Use “${basename(path)}”` })
      .waitFor()

  it('is chosen with keys alone, kept in the form, and offered again, also by a restarted engine', async () => {
    let form = await openForm()
    await form.getByRole('radio', { name: /command/ }).check()
    await form.getByRole('textbox', { name: 'Command' }).fill('sh -c "pwd; exec sleep 600"')
    await form.getByRole('textbox', { name: /^Name/ }).fill('by keys')
    await form.getByRole('combobox', { name: 'Folder' }).fill(root)
    await form.getByRole('button', { name: 'Choose…' }).focus()
    await page.keyboard.press('Enter')

    await waitForFolder(root)
    expect(await names(), 'no files, nothing hidden').toEqual(['api', 'billing'])
    await picker()
      .getByText(`${basename(root)}: 2 folders`)
      .waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('b')
    expect(await line()).toBe('billing')
    await page.keyboard.press('Enter')
    await waitForFolder('billing')
    await page.keyboard.press('ArrowDown')
    expect(await line()).toBe('tests')
    await page.keyboard.press('Backspace')
    await waitForFolder(root)
    expect(await line(), 'where one comes from').toBe('billing')
    await page.keyboard.press('ArrowRight')
    await waitForFolder('billing')
    await picker().getByRole('button', { name: 'Use “billing”' }).focus()
    await page.keyboard.press('Enter')

    form = page.getByRole('dialog', { name: 'New terminal' })
    const folder = form.getByRole('combobox', { name: 'Folder' })
    expect(await folder.inputValue()).toBe(join(root, 'billing'))
    expect(await form.getByRole('textbox', { name: 'Command' }).inputValue()).toBe('sh -c "pwd; exec sleep 600"')
    expect(await form.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('by keys')
    await form.getByRole('button', { name: 'Open', exact: true }).click()
    await page.locator('.xterm-rows').getByText(join(root, 'billing')).waitFor()

    await engine.stop()
    engine = await engine.restart()
    each.ends(() => engine.stop())
    await page.goto(await engine.dashboard())
    form = await openForm()
    await form.getByRole('combobox', { name: 'Folder' }).click()
    await page.getByRole('option', { name: join(root, 'billing') }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await form.getByRole('combobox', { name: 'Folder' }).inputValue()).toBe(join(root, 'billing'))
    await form.getByRole('combobox', { name: 'Folder' }).fill('')
    await page.keyboard.press('Escape')
    expect(await form.count(), 'Escape closes the list, not the form').toBe(1)
  })

  it('says what is wrong with it, shows hidden ones when asked to, and leads back to the form', async () => {
    const form = await openForm()
    await form.getByRole('radio', { name: /command/ }).check()
    const folder = form.getByRole('combobox', { name: 'Folder' })
    await folder.fill(join(root, 'notes.txt'))
    await form.getByRole('button', { name: 'Choose…' }).click()
    await picker().getByRole('alert').getByText('notes.txt is a file.').waitFor()
    await picker().getByRole('button', { name: 'Back' }).click()
    expect(await folder.inputValue()).toBe(join(root, 'notes.txt'))

    await folder.fill(root)
    await form.getByRole('button', { name: 'Choose…' }).click()
    await waitForFolder(root)
    await picker().getByRole('switch', { name: 'Hidden folders' }).check()
    await expect.poll(names).toEqual(['.hidden', 'api', 'billing'])
    await picker().getByRole('option', { name: '.hidden' }).click()
    await waitForFolder('.hidden')
    expect(await names()).toEqual(['deep'])
    rmSync(join(root, '.hidden/deep'), { recursive: true })
    await picker().getByRole('option', { name: 'deep' }).click()
    await picker().getByRole('alert').getByText('There is no folder').waitFor()
    await picker().getByRole('button', { name: 'The folder above' }).click()
    await waitForFolder(root)
    expect(await picker().getByRole('alert').count(), 'it is over').toBe(0)
    await page.keyboard.press('Escape')
    await form.waitFor()
    expect(await folder.inputValue()).toBe(root)
  })

  it('is completed as it is typed, and an empty list covers nothing', async () => {
    const form = await openForm()
    const folder = form.getByRole('combobox', { name: 'Folder' })
    await folder.fill(join(root, 'bi'))
    await page.getByRole('option', { name: join(root, 'billing') }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await folder.inputValue()).toBe(join(root, 'billing'))
    await folder.press('End')
    await page.keyboard.type('/no')
    await expect.poll(() => page.locator('.recent-folders').filter({ visible: true }).count()).toBe(0)
  })
})
