import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { eachTest } from './support/each-test.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { unless } from '../shared/testing/unless.ts'
import { noBrowser } from './support/browser.ts'
import type { EngineProcess } from './support/engine-process.ts'

const written = `// mine
{
  "server": {
    "keys": ["local-test-key"] // for CI
  },
  "clock": {
    "retentionMs": 900000, // a quarter of an hour
    "ntp": { "enabled": false }
  }
}
`

/** The built page on the real engine: single settings and keys of callers, with the config file looked at beside it. */
describe('settings that are changed in the dashboard', unless(noBrowser), () => {
  let engine: EngineProcess
  let page: Page
  const each = eachTest()
  const file = () => join(engine.home, 'config.json')
  const text = () => readFileSync(file(), 'utf8')
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  const asked = (key: string) =>
    fetch(`http://127.0.0.1:${engine.port}/v1/models`, { headers: { 'x-api-key': key } }).then(({ status }) => status)

  beforeEach(async () => {
    engine = await each.engine()
    writeFileSync(file(), written)
    await waitFor('the config', async () =>
      (await engine.control.api.settings.query()).settings.some(
        ({ name, value }) => name === 'clock.retentionMs' && value === 900_000,
      ),
    )
    page = await each.page(await engine.dashboard())
    await page.locator('.statusbar .num').first().waitFor()
    await page.evaluate(() => (location.hash = '#/settings'))
  })

  it('refuses a number outside of its bounds in words, writes one inside, and undoes it to the byte', async () => {
    const late = region('Clock and alarms').getByRole('textbox', { name: 'Ring late by up to' })
    await expect.poll(() => late.inputValue()).toBe('15')
    await late.fill('0')
    await late.press('Enter')
    await region('Clock and alarms').getByText('From 1 to 10080 min.').waitFor()
    expect(text()).toBe(written)
    await late.fill('60')
    await late.press('Enter')
    await expect.poll(text).toBe(written.replace('900000', '3600000'))
    await page.getByText('Ring late by up to: 60 min').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('body').click({ position: { x: 2, y: 2 } })
    await page.keyboard.press('Control+z')
    await expect.poll(text).toBe(written)
    await expect.poll(() => late.inputValue()).toBe('15')
    await page.getByRole('button', { name: 'Back to the default of Ring late by up to' }).click()
    await expect.poll(() => late.inputValue()).toBe('20')
    expect(text()).toContain('// mine')
    expect(text()).not.toContain('retentionMs')
  })

  it('sets the reviewer and the limits of tools', async () => {
    const reviewer = region('Reviewer')
    const model = reviewer.getByRole('textbox', { name: 'Model of the reviewer' })
    await model.fill('nobody')
    await model.press('Enter')
    await reviewer.getByText('Write provider.model, or nothing for the route.').waitFor()
    await model.press('Escape')
    await reviewer.getByRole('radio', { name: 'A command' }).check()
    const command = reviewer.getByRole('textbox', { name: 'Command of the reviewer' })
    await command.fill("codex exec 'two words' -")
    await command.press('Enter')
    await expect.poll(text).toContain('"codex"')
    const tools = region('Tools for the model')
    const places = tools.getByRole('textbox', { name: 'web_fetch: private places' })
    await places.fill('docs.internal 192.168.1.0/24')
    await places.press('Enter')
    const valueOf = async (wanted: string) =>
      (await engine.control.api.settings.query()).settings.find(({ name }) => name === wanted)?.value
    await expect.poll(() => valueOf('servertools.webFetch.allow')).toEqual(['docs.internal', '192.168.1.0/24'])
    expect(await valueOf('stopMessage.review.command')).toEqual(['codex', 'exec', 'two words', '-'])
    expect(text()).toContain('// mine')
  })

  it('takes any words to go on with after a failure, and shows those it comes with', async () => {
    const row = page.getByRole('textbox', { name: 'Say then' })
    await expect.poll(() => row.inputValue()).toBe('Continue where you left off.')
    await page.getByText('Default: Continue where you left off.').waitFor()
    await row.fill('Keep going')
    await row.press('Enter')
    await expect.poll(text).toContain('"text": "Keep going"')
    await page.getByRole('button', { name: 'Back to the default of Say then' }).click()
    await expect.poll(() => row.inputValue()).toBe('Continue where you left off.')
    expect(text()).not.toContain('Keep going')
  })

  it('makes a key with the keyboard alone, shows it once, and takes it away until that is undone', async () => {
    const security = region('Security')
    await security.getByText('stands in the config as text').waitFor()
    await security.getByRole('button', { name: 'Add a key' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name, who it is for' }).waitFor()
    await page.keyboard.type('laptop')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('it is shown this once').waitFor()
    const key = await dialog.locator('code').innerText()
    expect(key).toMatch(/^owk_/)
    expect([await asked(key), await asked(`${key}x`)]).toEqual([200, 401])
    await dialog.getByRole('button', { name: 'I have it' }).press('Enter')
    const row = security.getByRole('listitem').filter({ hasText: 'laptop' })
    await row.getByText(`…${key.slice(-4)}`).waitFor()
    expect(text()).not.toContain(key)
    expect(text()).toContain('// for CI')
    expect(await page.content()).not.toContain(key)

    await row.getByRole('button', { name: 'Remove the key of laptop' }).press('Enter')
    await expect.poll(() => row.count()).toBe(0)
    expect(await asked(key)).toBe(401)
    await page.getByText('Key of laptop removed').waitFor()
    await page.keyboard.press('Control+z')
    await row.waitFor()
    expect(await asked(key)).toBe(200)
  })

  it('says what has to be so before other machines can call, and when that counts', async () => {
    const security = region('Security')
    const address = security.getByRole('combobox', { name: 'Listens on' })
    await security.getByRole('button', { name: 'Remove the key of without a name' }).click()
    await security.getByText('None:', { exact: false }).waitFor()
    await address.selectOption('0.0.0.0')
    await security.getByText('Add a key first').waitFor()
    expect(text()).not.toContain('0.0.0.0')
    await page.keyboard.press('Control+z')
    await security.getByText('stands in the config as text').waitFor()
    await address.selectOption('0.0.0.0')
    await security.getByText('Nothing is encrypted on the way').waitFor()
    await security.getByText('it listens on 127.0.0.1 until then.').waitFor()
    await expect.poll(text).toContain('"host": "0.0.0.0"')
  })
})
