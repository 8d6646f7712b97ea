import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { eachTest } from './support/each-test.ts'
import { firstRun as zh } from '../renderer/i18n/zh-CN/first-run.ts'
import { axeViolations } from './dashboard/support/axe.ts'
import { codexHome, installAgents } from './support/agents.ts'
import { noBrowser } from './support/browser.ts'
import type { EngineProcess } from './support/engine-process.ts'
import { say, type MockUpstream } from './support/mock-upstream/index.ts'
import { tmuxMissing } from './support/tmux.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { unless } from '../shared/testing/unless.ts'

/** The built page on the real engine, for a person who has nothing yet. */
describe('the first minute', unless(noBrowser), () => {
  const each = eachTest()
  let person: string
  let clicks: number
  let page: Page
  beforeEach(() => {
    person = mkdtempSync(join(tmpdir(), 'onward-person-'))
    each.ends(() => rmSync(person, { recursive: true, force: true }))
    clicks = 0
  })

  const open = async (
    env: Record<string, string> = {},
    browser: BrowserContextOptions = {},
  ): Promise<EngineProcess> => {
    const engine = await each.engine({ env: { HOME: person, SHELL: '/bin/sh', ...env } })
    each.ends(async () => {
      for (const { id, home } of await engine.control.api.terminals.query())
        if (home === 'hosted') await engine.control.api.closeTerminal.mutate(id)
    })
    page = await each.page(await engine.dashboard(), browser)
    return engine
  }
  const click = async (what: Locator) => {
    clicks++
    await what.click()
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const provider = async (): Promise<MockUpstream> => {
    const mock = await each.mock()
    mock.script(() => say('ready'))
    return mock
  }
  /** a program of that name that only tells its version */
  const install = (name: string, more = '') => {
    const bin = join(person, 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, name), `#!/bin/sh\necho 1.2.3\n${more}\n`)
    chmodSync(join(bin, name), 0o755)
    return `${bin}${delimiter}/usr/bin${delimiter}/bin`
  }

  it('leads from nothing to a session that was continued three times and an alarm that rang', async () => {
    const engine = await open()
    await click(button('Set up Onward').first())
    await page.getByText('No sign-in and no key was found on this machine.').waitFor()
    await click(button('Use the simulator'))
    await click(button('Start the demo'))
    expect(clicks).toBeLessThanOrEqual(4)
    await page.getByRole('progressbar', { name: '3 of 3 rounds' }).waitFor()
    const session = await engine.control.session((s) => s.stopMessage?.status.kind === 'done')
    expect(session).toMatchObject({ name: 'Demo', turns: 4, stopMessage: { used: 3, max: 3 } })
    // Left in the middle, it goes on, and is found again as it was.
    await click(button('Open the dashboard'))
    await page.getByRole('treeitem', { name: /Demo/ }).waitFor()
    await page.goBack()
    await page.getByRole('listitem').filter({ hasText: 'An alarm rings' }).getByRole('img', { name: 'done' }).waitFor()
    await click(button('Show its terminal'))
    await page.locator('.xterm-rows').getByText('I heard the alarm.').waitFor()
  })

  it('names a key of the environment without copying it, asks the provider for real, and ends in a route', async () => {
    const mock = await provider()
    const engine = await open({ OPENAI_API_KEY: 'sk-test-0123456789', OPENAI_BASE_URL: `${mock.baseUrl}/v1` })
    await click(button('Set up Onward').first())
    const row = page.getByRole('listitem').filter({ hasText: 'OPENAI_API_KEY' })
    await row.getByText('The variable is named in the config').waitFor()
    await click(row.getByRole('button', { name: /^Use/ }))
    await page.getByText(/answered in .* with /).waitFor()
    await click(button('Start the demo'))
    await page
      .getByRole('progressbar', { name: '1 of 3 rounds' })
      .or(page.getByRole('progressbar', { name: '3 of 3 rounds' }))
      .waitFor()
    expect(clicks).toBeLessThanOrEqual(4)
    const config = readFileSync(join(engine.home, 'config.json'), 'utf8')
    expect(config).toContain('"env": "OPENAI_API_KEY"')
    expect(config).not.toContain('sk-test-0123456789')
    expect(await page.content()).not.toContain('sk-test-0123456789')
    const { routes } = await engine.control.api.routing.query()
    expect(JSON.stringify(routes)).toContain('mock-model')
    // The demo costs nothing: it asks the simulator, whatever is configured.
    expect(mock.turns().filter(({ lastUserText }) => lastUserText?.includes('item'))).toEqual([])
  })

  it('keeps no provider that did not answer, and says why', async () => {
    const engine = await open({ HTTPS_PROXY: 'http://127.0.0.1:9', https_proxy: 'http://127.0.0.1:9' })
    await click(button('Set up Onward').first())
    await click(page.getByRole('radio', { name: /DeepSeek/ }))
    await page.keyboard.insertText('sk-wrong-0123456789')
    await click(button('Test and use'))
    await page
      .getByRole('alert')
      .getByText(/^Not added: /)
      .waitFor()
    expect((await engine.control.api.status.query()).simulator).toBe(true)
  })

  it('sets an agent up for good, line by line, and undoes it to the last byte', async () => {
    const before =
      '{\n  // mine\n  "model": "sonnet",\n  "env": { "ANTHROPIC_AUTH_TOKEN": "glm-0123456789abcdef" }\n}\n'
    mkdirSync(join(person, '.claude'))
    const file = join(person, '.claude/settings.json')
    writeFileSync(file, before)
    const engine = await open({ PATH: install('claude') })
    await click(button('Set up Onward').first())
    await click(button('An agent'))
    await click(button('Set up for good'))
    await page.getByText('"ANTHROPIC_BASE_URL"').waitFor()
    expect(await page.content()).not.toContain('glm-0123456789abcdef')
    await page.getByText(/needs Onward running/).waitFor()
    expect(readFileSync(file, 'utf8')).toBe(before)
    await click(button('Change the file'))
    await button('Undo').waitFor()
    expect(readFileSync(file, 'utf8')).toContain(engine.baseUrl)
    expect(existsSync(join(engine.home, 'agent-setup/claude-1.backup'))).toBe(true)
    await click(button('Undo'))
    await button('Change the file').waitFor()
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it('gives a line for tmux that a shell takes which knows no onward', async (test) => {
    if (tmuxMissing) return test.skip(tmuxMissing)
    const path = install('codex', '[ "$1" = --version ] || sleep 60')
    const engine = await open({ PATH: path })
    await click(button('Set up Onward').first())
    await click(button('An agent'))
    const line = await page
      .locator('.copy code')
      .filter({ hasText: /codex --tmux$/ })
      .textContent()
    const tmux = each.tmux()
    // A tmux of the person's own, and no other one around it.
    const own = { PATH: path, HOME: person, TMUX_TMPDIR: person }
    each.ends(() => spawnSync('tmux', ['kill-server'], { env: own }))
    const pane = tmux.session('person', '/bin/sh', { cwd: person, env: own })
    // tmux takes PATH from its client whatever -e says.
    tmux.type(pane, `unset TMUX; export PATH=${path}; command -v onward || echo "no such" command`)
    tmux.key(pane, 'Enter')
    // A shell that reads before it has drawn its prompt says it behind that.
    await waitFor('that there is no onward', () => tmux.screen(pane).includes('no such command'))
    tmux.type(pane, line ?? '')
    tmux.key(pane, 'Enter')
    await waitFor('Codex in a pane of tmux', async () =>
      (await engine.control.api.terminals.query()).some(({ client, home }) => client === 'codex' && home === 'pane'),
    )
  }, 120_000)

  it('leads to a real Codex that is continued, and is found again after a reload', async () => {
    const since = performance.now()
    const mock = await provider()
    mock.otherwise = say('One part is written.')
    const own = codexHome(person, person)
    const engine = await open({
      ...own,
      PATH: `${installAgents().bin}${delimiter}${process.env['PATH'] ?? ''}`,
      OPENAI_API_KEY: 'sk-test-0123456789',
      OPENAI_BASE_URL: `${mock.baseUrl}/v1`,
    })
    await click(button('Set up Onward').first())
    await click(page.getByRole('listitem').filter({ hasText: 'OPENAI_API_KEY' }).getByRole('button', { name: /^Use/ }))
    await page.getByText(/answered in .* with /).waitFor()
    // What is done stands there again in another window, or after a reload.
    await page.reload()
    await page.getByText(/answered in .* with /).waitFor()
    const codex = page.getByRole('radio', { name: /^codex/i })
    await codex.waitFor({ state: 'attached' })
    if (!(await codex.isChecked())) await click(page.locator('label.ag').filter({ hasText: /^codex/i }))
    await click(button('Start here'))
    await page.locator('.xterm-rows').getByText('›').first().waitFor({ timeout: 60_000 })
    await page.keyboard.insertText('Write the parts. <**stopMessage:"go on with the next part",3**>')
    await page.locator('.xterm-rows').getByText('Write the parts.').waitFor()
    // A person's pause: at once after the last key, Enter counts as part of the paste.
    await page.waitForTimeout(500)
    await page.keyboard.press('Enter')
    const session = await engine.control.session((s) => s.stopMessage?.status.kind === 'done', 90_000)
    expect(session).toMatchObject({ client: 'codex', stopMessage: { used: 3, max: 3 } })
    expect(clicks).toBeLessThanOrEqual(4)
    process.stderr.write(
      `first minute with a real Codex: ${clicks} clicks, one paste, ` +
        `${((performance.now() - since) / 1000).toFixed(1)} s\n`,
    )
  }, 180_000)

  it('is walked by keyboard alone, in dark Chinese', async () => {
    const engine = await open({ LANG: 'zh_CN.UTF-8' }, { locale: 'zh-CN', colorScheme: 'dark' })
    await button(zh.open).first().waitFor()
    const press = async (name: string | RegExp) => {
      for (let tabs = 0; tabs < 60; tabs++) {
        const said = await page.evaluate(() => {
          const at = document.activeElement
          return at instanceof HTMLButtonElement ? (at.getAttribute('aria-label') ?? at.textContent ?? '') : ''
        })
        if (typeof name === 'string' ? said.trim() === name : name.test(said)) return page.keyboard.press('Enter')
        await page.keyboard.press('Tab')
      }
      throw new Error(`no Tab leads to ${String(name)}`)
    }
    await press(zh.open)
    await page.getByRole('heading', { name: zh.title }).waitFor()
    await press(zh.models.simulator)
    await press(zh.demo.start)
    await page.getByRole('progressbar', { name: zh.demo.rounds(3, 3) }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(clicks).toBe(0)
    const session = await engine.control.session((s) => s.stopMessage?.status.kind === 'done')
    expect(session).toMatchObject({ name: '演示', stopMessage: { used: 3 } })
  })

  it('is led to from every empty view, the palette and Settings', async () => {
    await open()
    await button('Set up Onward').first().waitFor()
    for (const view of ['Alarms', 'Activity', 'Providers & routing', 'Settings']) {
      await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click()
      await page.getByRole('main').getByRole('button', { name: 'Set up Onward' }).waitFor()
    }
    await page.keyboard.press('Control+k')
    await page.keyboard.type('set up')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your agents stop. Onward makes them go on.' }).waitFor()
    await button('Leave for now').click()
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  })
})
