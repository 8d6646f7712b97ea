/** The dashboard's lists of all machines: two engines, the other one over the system's own ssh. */
import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { axeViolations } from './dashboard/support/axe.ts'
import { noBrowser, openPage, type BrowserPage } from './support/browser.ts'
import { newHome, removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { noSshd, startSshMachine, type SshMachine } from './support/ssh-machine.ts'

const pictures = resolve(import.meta.dirname, '.artifacts/dashboard')

describe('the lists of all machines', unless(firstOf(noSshd, noBrowser)), () => {
  let there: SshMachine
  let mock: MockUpstream
  let far: EngineProcess
  let near: EngineProcess
  let opened: BrowserPage
  let page: Page

  beforeAll(async () => {
    await mkdir(pictures, { recursive: true })
    there = await startSshMachine()
    mock = await startMockUpstream()
    mock.otherwise = say('This part is done now.')
    const config = (id: string) => ({
      providers: {
        [id]: {
          type: 'openai-chat',
          baseUrl: `${mock.baseUrl}/v1`,
          keys: [{ alias: 'main', value: 'mock-key' }],
          models: { 'paid-1': { price: { input: 100_000, output: 1_000_000 } } },
        },
        zai: { type: 'openai-chat', baseUrl: `${mock.baseUrl}/v1`, auth: 'none', models: { 'glm-5': {} } },
      },
    })
    const home = newHome()
    writeFileSync(join(home, 'machines.json'), JSON.stringify({ machines: [{ name: 'devbox', target: 'devbox' }] }))
    far = await startEngine({ home: there.home, config: config('openai') })
    near = await startEngine({ home, env: there.env, config: config('anthropic') })
    await turn(far, 'etl-nightly')
    await turn(far, 'etl-nightly')
    await turn(near, 'billing-api')
    const ring = (engine: EngineProcess, session: string, minutes: number, task: string) =>
      engine.control.api.addAlarm.mutate({ session, dueAt: Date.now() + minutes * 60_000, task })
    await ring(near, 'billing-api', 20, 'Look at the deployment')
    await ring(far, 'etl-nightly', 40, 'Read the evaluation')
    await ring(far, 'etl-nightly', 90, 'Check CI on main')
    await waitFor('it to be there', async () => (await near.control.api.machines.query())[0]?.state.kind === 'there')
    opened = await openPage()
    page = opened.page
    await page.goto(await near.dashboard())
  })
  afterAll(async () => {
    await opened?.close()
    await near?.stop()
    await far?.stop()
    await mock?.dispose()
    await there?.dispose()
    removeHomes()
    expect(opened?.complaints).toEqual([])
  })

  async function turn(engine: EngineProcess, session: string): Promise<void> {
    const answer = await fetch(`${engine.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-session-id': session },
      body: JSON.stringify({ model: 'paid-1', messages: [{ role: 'user', content: 'begin' }] }),
    })
    expect(answer.status).toBe(200)
    await answer.text()
    await waitFor('its record', async () => (await engine.control.api.turns.query(9)).length > 0)
    await engine.control.api.renameSession.mutate({ session, name: session })
  }
  const view = async (name: string, heading = name) => {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click()
    await page.getByRole('main').getByRole('heading', { level: 1, name: heading }).waitFor()
  }
  /** In each width and theme; nothing is pushed out of sight. */
  async function shown(what: string): Promise<void> {
    // no tip of what is under the pointer
    await page.mouse.move(0, 0)
    for (const width of [390, 900, 1440])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await page.screenshot({ path: join(pictures, `machines-all-${what}-${width}-${colorScheme}.png`) })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
        if (width !== 900) expect(await axeViolations(page)).toEqual([])
      }
  }

  it('have the alarms of each, by time or by machine; what is done to one is done there', async () => {
    await view('Alarms')
    const list = page.getByRole('grid', { name: 'Alarms' })
    const rows = list.locator('.a-row')
    const tasks = () => rows.evaluateAll((all) => all.map((row) => row.textContent?.replace(/\s+/g, ' ') ?? ''))
    const row = rows.filter({ hasText: 'Read the evaluation' })
    await row.getByText('devbox').waitFor()
    expect((await tasks()).map((text) => /Look|Read|Check/.exec(text)?.[0])).toEqual(['Look', 'Read', 'Check'])
    await shown('alarms')

    const { api } = far.control
    const dueAt = async () => (await api.alarms.query()).alarms.find(({ task }) => task.startsWith('Read'))?.dueAt
    const before = (await dueAt()) ?? 0
    await row.click()
    await page.keyboard.press('e')
    const form = page.getByRole('form', { name: /^Edit/ })
    await form.getByLabel('When').fill('in 2 h')
    await page.keyboard.press('Enter')
    await waitFor('it to be later there', async () => ((await dueAt()) ?? 0) > before)
    await rows.nth(2).filter({ hasText: 'Read the evaluation' }).waitFor()

    await page.getByLabel('Machines').selectOption({ label: 'All, by machine' })
    await list.getByRole('rowheader', { name: /^devbox/ }).waitFor()
    expect((await tasks()).map((text) => /Look|Read|Check/.exec(text)?.[0])).toEqual(['Look', 'Check', 'Read'])
    await page.getByLabel('Machines').selectOption({ label: 'this computer' })
    await row.waitFor({ state: 'detached' })
    expect(new URL(page.url()).hash).toBe('#/on/local/alarms')
    await page.getByLabel('Machines').selectOption({ label: 'All machines' })

    // a new one is asked where
    await page
      .getByRole('button', { name: /^New alarm/ })
      .first()
      .click()
    await page.getByLabel('When').fill('in 3 h')
    await page.getByLabel('What to tell the agent').fill('Rotate the logs')
    await page.getByLabel('Where').selectOption('devbox')
    await page.screenshot({ path: join(pictures, 'machines-all-alarms-new.png') })
    await page.getByLabel('When').press('Enter')
    await waitFor('the alarm there', async () =>
      (await api.alarms.query()).alarms.some(({ task }) => task === 'Rotate the logs'),
    )
    await rows.filter({ hasText: 'Rotate the logs' }).getByText('devbox').waitFor()
    expect((await near.control.api.alarms.query()).alarms).toHaveLength(1)
  })

  it('have an alarm of another machine that rings, and it is snoozed there', async () => {
    await view('Alarms')
    const { api } = far.control
    const { taskId } = await api.addAlarm.mutate({
      session: 'etl-nightly',
      dueAt: Date.now() + 1_500,
      task: 'Ring the bell',
    })
    const row = page.locator('.a-row').filter({ hasText: 'Ring the bell' })
    await row.getByRole('button', { name: /^Snooze/ }).click()
    await waitFor('it to be put off there', async () => {
      const alarm = (await api.alarms.query()).alarms.find((one) => one.taskId === taskId)
      return alarm?.state.kind === 'waits' && alarm.dueAt > Date.now() + 500_000
    })
    await row.getByText('in 10 min').waitFor()
  })

  it('have the providers of each as its own engine sees them', async () => {
    await view('Providers & routing', 'Providers')
    const row = page.getByRole('listitem', { name: 'zai, on devbox' })
    await row.getByRole('button', { name: 'Test zai' }).click()
    await row.getByText(/^Answered in/).waitFor()
    const health = async (engine: EngineProcess) =>
      (await engine.control.api.providers.query()).find(({ id }) => id === 'zai')?.health.kind
    expect(await health(far)).toBe('healthy')
    expect(await health(near)).toBe('unused')
    await page.getByRole('listitem', { name: 'openai, on devbox' }).waitFor()
    await page.getByRole('listitem', { name: 'anthropic', exact: true }).waitFor()
    await shown('providers')
  })

  it('have turns, costs and reports of each, and sums of both', async () => {
    await view('Activity')
    const table = page.getByRole('grid', { name: 'Turns' })
    await table.getByRole('row').filter({ hasText: 'etl-nightly' }).filter({ hasText: 'devbox' }).first().waitFor()
    await table.getByRole('row').filter({ hasText: 'billing-api' }).filter({ hasText: 'here' }).waitFor()
    await page.getByText('3 turns').first().waitFor()
    await shown('activity')
    await page.getByRole('button', { name: 'Cost', exact: true }).click()
    const machines = page.getByRole('table', { name: 'By machine' })
    const usd = async (name: string) =>
      Number(/\$(\d+\.\d\d)/.exec((await machines.getByRole('row', { name }).textContent()) ?? '')?.[1])
    await machines.getByRole('row', { name: /devbox/ }).waitFor()
    expect(await usd('devbox')).toBeGreaterThan(0)
    expect(await usd('All')).toBeCloseTo((await usd('devbox')) + (await usd('this computer')), 1)
    await shown('cost')
    await page.getByRole('button', { name: 'While you were away' }).click()
    await page.getByRole('region', { name: 'etl-nightly' }).getByText('devbox').waitFor()
    await shown('report')
  })

  it('name a machine that does not answer, with since when, and keep what was known of it', async () => {
    await page.getByRole('button', { name: 'Cost', exact: true }).click()
    await page
      .getByRole('table', { name: 'By machine' })
      .getByRole('row', { name: /devbox/ })
      .waitFor()
    await far.stop()
    const out = page.getByRole('list', { name: 'Not in here' })
    await out.getByText(/devbox has been away since \d\d:\d\d\. What stands here of it is as it was then/).waitFor()
    await shown('away')
    await page.reload()
    await out.getByText(/devbox has been away since .*Nothing of it is in here/).waitFor()
    expect(await page.getByRole('table', { name: 'By machine' }).getByRole('row', { name: 'devbox' }).count()).toBe(0)
    await shown('left-out')
    await view('Alarms')
    await shown('away-alarms')
    expect(await page.locator('.a-row').count()).toBe(1)
  })
})
