import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { eachTest } from './support/each-test.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { unless } from '../shared/testing/unless.ts'
import { noBrowser } from './support/browser.ts'
import type { EngineProcess } from './support/engine-process.ts'

const good = `// mine
{
  "server": { "keys": ["local-test-key"] },
  // order matters
  "providers": {
    "chat": { "type": "openai-chat", "baseUrl": "http://127.0.0.1:9/v1", "auth": "none", "models": { "glm-5": {} } }
  },
  "routes": { "default": ["chat.glm-5"] }, // one is enough
  "clock": { "ntp": { "enabled": false } }
}
`
const broken = good.replace('"chat.glm-5"', '"nobody.glm-5"')

const pictures = resolve(import.meta.dirname, '.artifacts/dashboard')

/** The built page on the real engine, and a config that is edited by hand beside it. */
describe('a config that is broken and mended', unless(noBrowser), () => {
  let engine: EngineProcess
  let page: Page
  const each = eachTest()
  const file = () => join(engine.home, 'config.json')
  const text = () => readFileSync(file(), 'utf8')
  const banner = () => page.getByRole('alert').filter({ hasText: 'The config file was not taken over.' })
  const editor = () => page.getByRole('textbox', { name: 'Config file' })
  const status = () => engine.control.api.status.query()

  beforeEach(async () => {
    engine = await each.engine()
    writeFileSync(file(), good)
    await waitFor('the config', async () => (await status()).providers.some(({ id }) => id === 'chat'))
    page = await each.page(await engine.dashboard())
    await page.locator('.statusbar .num').first().waitFor()
  })
  const selected = () => editor().evaluate(() => getSelection()?.toString() ?? '')
  /** The lines as they stand there; all of so short a text are drawn. */
  const written = async () =>
    (await editor().locator('.cm-line').allInnerTexts()).map((line) => line.replace(/\n$/, '')).join('\n')
  const write = async (whole: string) => {
    await editor().press('Control+a')
    await page.keyboard.insertText(whole)
  }

  /**
   * CodeMirror gives the keyboard to a list of completions 75 ms after it opened: before that, Enter is a line break.
   */
  const listTakesKeys = () => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))

  it('is said once, shown at its line, and gone when it is mended in the editor', async () => {
    writeFileSync(file(), broken)
    await banner().waitFor()
    expect(await banner().innerText()).toContain('Line 8, column 27')
    expect(await banner().innerText()).toContain('nothing has stopped')
    expect(await page.getByText('which is not configured').count()).toBe(1)
    await banner().getByRole('button', { name: 'Show line 8' }).click()
    await expect.poll(selected).toBe('  "routes": { "default": ["nobody.glm-5"] }, // one is enough')
    await page.locator('.code-wrong-number', { hasText: '8' }).waitFor()

    await page.keyboard.type('  "routes": { "default": ["chat.g')
    await page.getByRole('listbox', { name: 'Completion' }).getByRole('option', { name: 'chat.glm-5' }).waitFor()
    await listTakesKeys()
    await page.keyboard.press('Enter')
    await page.keyboard.type('] },')
    await page.getByText('In order').waitFor()
    await page.keyboard.press('Control+s')
    await expect.poll(text).toBe(good.replace(' // one is enough', ''))
    await expect.poll(() => banner().count()).toBe(0)
    expect((await status()).configProblem).toBeNull()
    await page.getByText('Saved. It runs now.').waitFor()
  })

  it('stands in the log, which is followed, filtered by level and words, and copied by the line', async () => {
    await page.evaluate(() => (location.hash = '#/settings/logs'))
    const log = page.getByRole('region', { name: 'Log, newest first' })
    await log.getByText('Config loaded.').first().waitFor()
    await page
      .getByText(join(engine.home, 'logs', 'engine.log'))
      .first()
      .waitFor()
    await page.getByRole('radio', { name: 'Warnings' }).check()
    await expect.poll(() => log.getByText('Config loaded.').count()).toBe(0)
    await page.getByRole('textbox', { name: 'Filter by words' }).fill('NOBODY configured')
    expect(await log.getByRole('listitem').count()).toBe(0)
    writeFileSync(file(), broken)
    await log.getByRole('listitem').filter({ hasText: 'which is not configured' }).first().waitFor()
    await page.getByRole('tab', { name: 'Logs' }).press('ArrowRight')
    await editor().waitFor()
  })

  it('is told in Chinese to who reads Chinese: above, in the editor and where a switch is refused', async () => {
    const chinese = await each.page(await engine.dashboard(), {
      locale: 'zh-CN',
      viewport: { width: 900, height: 700 },
      colorScheme: 'dark',
    })
    writeFileSync(file(), broken)
    const why = '路由 default 用到提供方“nobody”，而配置里没有它。添加它，或从路由里去掉。'
    const above = chinese.getByRole('alert').filter({ hasText: '配置文件没有采用。' })
    await above.getByText(why).waitFor()
    await above.getByRole('button', { name: '查看第 8 行' }).click()
    const problems = chinese.getByRole('list', { name: '哪里有错' })
    await problems.getByText(why).waitFor()
    await mkdir(pictures, { recursive: true })
    await chinese.screenshot({ path: join(pictures, 'config-problem-zh-dark-900.png') })

    await chinese.evaluate(() => (location.hash = '#/settings'))
    await chinese.getByRole('switch', { name: '额度' }).first().press('Space')
    await chinese.getByText(`配置文件里有错，先改好它。第 8 行第 27 列（routes.default.0）：${why}`).waitFor()
    expect(text()).toBe(broken)
  })

  it('keeps its comments when a setting is switched', async () => {
    await page.evaluate(() => (location.hash = '#/settings'))
    const limit = page.getByRole('region', { name: 'Notifications' }).getByRole('switch', { name: 'Limit' })
    await limit.press('Space')
    await expect.poll(async () => (await status()).notifications?.limit).toBe(false)
    await expect.poll(() => limit.isChecked()).toBe(false)
    const notes = ['// mine', '// order matters', '// one is enough']
    expect(notes.filter((note) => !text().includes(note))).toEqual([])
    expect(text()).toContain('"limit": false')
  })

  it('is searched, folded and taken a step back in its editor', async () => {
    await page.evaluate(() => (location.hash = '#/settings/config'))
    await editor().press('Control+f')
    await page.getByRole('textbox', { name: 'Find' }).pressSequentially('glm-5')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect.poll(selected).toBe('glm-5')
    await editor().press('Control+End')
    await page.keyboard.type('x')
    await page.getByText('1 place is wrong').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('not saved').waitFor({ state: 'detached' })
    expect(await written()).toBe(good)
    await page.getByTitle('Fold', { exact: true }).nth(1).click()
    await expect.poll(written).not.toContain('openai-chat')
    // CodeMirror keeps one more, unseen, for the width of the column.
    await page.getByTitle('Unfold', { exact: true }).last().click()
    await expect.poll(written).toBe(good)
    expect(text()).toBe(good)
  })

  it('is put back by a click, and the text that was wrong is kept', async () => {
    writeFileSync(file(), broken)
    await banner().getByRole('button', { name: 'Undo last edit' }).click()
    await expect.poll(() => banner().count()).toBe(0)
    expect(text()).toBe(good)
    const kept = readdirSync(engine.home).filter((name) => name.startsWith('config.broken-'))
    expect(kept.map((name) => readFileSync(join(engine.home, name), 'utf8'))).toEqual([broken])
    await page.getByText(kept[0] ?? '').waitFor()
  })

  it('is refused while it is wrong, and the file stays', async () => {
    await banner()
      .waitFor({ state: 'detached' })
      .then(() => page.evaluate(() => (location.hash = '#/settings/config')))
    await editor().waitFor()
    await write(broken)
    await page.getByText('1 place is wrong').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Not saved: the text is not right yet').waitFor()
    expect(text()).toBe(good)
    await page.getByRole('list', { name: 'What is wrong' }).getByRole('button').click()
    await expect.poll(selected).toContain('nobody.glm-5')
  })

  it('is not written over what another program wrote meanwhile', async () => {
    await page.evaluate(() => (location.hash = '#/settings/config'))
    await editor().waitFor()
    const mine = good.replace('// mine', '// mine, edited here')
    await write(mine)
    const theirs = good.replace('// mine', '// theirs')
    writeFileSync(file(), theirs)
    await page.getByText('The file was changed by another program meanwhile.').waitFor()
    await page.keyboard.press('Control+s')
    await waitFor('nothing to be written', () => text() === theirs)
    // what is not saved yet outlives a look elsewhere
    await page.getByRole('button', { name: 'Back to settings' }).click()
    await page.getByRole('button', { name: 'Edit the config' }).click()
    expect(await written()).toBe(mine)
    await page.getByRole('button', { name: 'Go on with mine' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(text).toBe(mine)
  })
})
