import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, openPage, type BrowserPage } from './support/browser.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { post } from './support/post.ts'
import { unless } from '../shared/testing/unless.ts'

const MINUTE = 60_000

/** The built page on the real engine, and a client that has asked once: its alarms wait for its next request. */
describe('alarms of a running engine, in the dashboard', unless(noBrowser), () => {
  let engine: EngineProcess
  const opened: BrowserPage[] = []
  let name: string
  const session = randomUUID()
  beforeAll(async () => {
    engine = await startEngine()
    const asked = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hello' }] })
    expect(
      (
        await post({ baseUrl: engine.baseUrl, key: 'any' }, '/v1/chat/completions', asked, {
          headers: { 'x-session-id': session },
        })
      ).status,
    ).toBe(200)
    name = (await engine.control.session((s) => s.turns === 1)).name
  })
  afterEach(async () => {
    const pages = opened.splice(0)
    for (const { close } of pages) await close()
    for (const { taskId } of (await alarms()).alarms) await engine.control.api.cancelAlarm.mutate(taskId)
    expect(pages.flatMap(({ complaints }) => complaints)).toEqual([])
  })
  afterAll(async () => {
    await engine?.stop()
    removeHomes()
  })

  const alarms = () => engine.control.api.alarms.query()
  async function open(locale = 'en-GB'): Promise<Page> {
    const made = await openPage({ locale })
    opened.push(made)
    const { page } = made
    await page.goto(await engine.dashboard())
    await page.locator('.statusbar .num').first().waitFor()
    await page.keyboard.press('Control+2')
    return page
  }
  const row = (page: Page, task: RegExp) => page.getByRole('row', { name: task })
  const when = (page: Page) => page.getByRole('textbox', { name: 'When' })
  async function add(page: Page, time: string, task: string): Promise<void> {
    await page.getByRole('button', { name: 'New alarm' }).first().click()
    await when(page).fill(time)
    await page.getByRole('textbox', { name: 'What to tell the agent' }).fill(task)
    await page.getByText(/^Rings (today|tomorrow) at/).waitFor()
    await page.keyboard.press('Enter')
  }

  it('come again with an end, leave out one time, move one time, and end whole', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'New alarm' }).first().click()
    await when(page).fill('every day at 9')
    await page.getByText(/Repeats every day at 9:00 until \w+ \d+ \w+, 30 times\. You said no end/).waitFor()
    await when(page).fill('every 2 hours, 5 times')
    await page.getByText(/Repeats every 2 h until .*, 5 times\.$/).waitFor()
    await page.getByRole('textbox', { name: 'What to tell the agent' }).fill('Triage the inbox')
    await page.keyboard.press('Enter')
    await row(page, /Triage the inbox.*every 2 h, 1 of 5/s).waitFor()
    const [set] = (await alarms()).alarms
    const first = set?.dueAt ?? 0
    expect(set?.repeat).toMatchObject({ rule: { kind: 'interval', ms: 120 * MINUTE }, times: 5, nth: 1 })

    await page.getByRole('button', { name: 'Skip the next time of “Triage the inbox”' }).click()
    await row(page, /every 2 h, 2 of 5/s).waitFor()
    expect((await alarms()).alarms).toMatchObject([{ dueAt: first + 120 * MINUTE }])
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, /every 2 h, 1 of 5/s).waitFor()

    await row(page, /Triage the inbox/)
      .getByRole('button', { name: 'Edit alarm' })
      .click()
    await when(page).fill('in 3 hours')
    await page.getByText(/Only this time moves, the others stay\./).waitFor()
    await page.keyboard.press('Enter')
    await row(page, /every 2 h, 2 of 5/s).waitFor()
    expect((await alarms()).alarms.map(({ repeat }) => repeat?.nth ?? null)).toEqual([null, 2])

    await row(page, /every 2 h, 2 of 5/s)
      .getByRole('button', { name: 'Cancel alarm, all that is to come' })
      .click()
    await expect.poll(async () => (await alarms()).alarms.length).toBe(1)
  })

  it('are set in a person’s words, changed and taken back, and every window shows the same', async () => {
    const [page, other] = [await open(), await open()]
    const before = Date.now()
    await page.getByRole('button', { name: 'New alarm' }).first().click()
    await when(page).fill('whenever')
    await page.getByText('“whenever” is not understood.').waitFor()
    await when(page).fill('every year')
    await page.getByText('“every year” can’t be repeated.').waitFor()
    await when(page).fill('fri 5pm New York')
    await page.getByText(/^Rings .* There it is \d{4}-\d\d-\d\d 17:00, America\/New_York\.$/).waitFor()
    await when(page).fill('in 20 minutes')
    await page
      .getByText(
        new RegExp(`^Rings (today|tomorrow) at \\d\\d:\\d\\d:\\d\\d, ${(await alarms()).zone}, in ${name}\\.$`),
      )
      .waitFor()
    await page.getByRole('textbox', { name: 'What to tell the agent' }).fill('Check CI on main')
    await page.keyboard.press('Enter')
    await row(other, /in 20 min.*Check CI on main.*you/s).waitFor()
    const [set] = (await alarms()).alarms
    expect(set).toMatchObject({ task: 'Check CI on main', setBy: 'user', sessionName: name, state: { kind: 'waits' } })
    expect(Math.abs((set?.dueAt ?? 0) - before - 20 * MINUTE)).toBeLessThan(MINUTE)
    await other
      .locator('.statusbar')
      .getByText(/^Next alarm .*in 20 min$/)
      .waitFor()

    await row(other, /Check CI/)
      .getByRole('button', { name: 'Edit alarm' })
      .click()
    await when(other).fill('tomorrow 9:00')
    await other.getByText(/^Rings tomorrow at 09:00:00/).waitFor()
    await other.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: /^Tomorrow/ }).waitFor()
    await row(page, /09:00.*Check CI/s).waitFor()

    await row(page, /Check CI/)
      .getByRole('button', { name: 'Cancel alarm' })
      .click()
    await other.getByText('No alarm is set').waitFor()
    await other.getByText(`You cancelled “Check CI on main” in ${name}`).waitFor()
    await page.keyboard.press('Control+z')
    await row(other, /09:00.*Check CI/s).waitFor()
    expect((await alarms()).alarms.map(({ taskId }) => taskId)).toEqual([set?.taskId])
  })

  it('are read in Chinese, too', async () => {
    const page = await open('zh-CN')
    await page.getByRole('button', { name: '新建闹钟' }).first().click()
    await page.getByRole('textbox', { name: '什么时候' }).fill('明天 9 点')
    await page.getByText(/^明天 09:00:00 响/).waitFor()
    await page.getByRole('textbox', { name: '告诉代理什么' }).fill('看看 CI')
    await page.keyboard.press('Enter')
    await row(page, /09:00.*看看 CI/s).waitFor()
  })

  it('ring in a toast, are put off from there, and come with the session’s next request', async () => {
    const page = await open()
    await add(page, 'in 2 seconds', 'Stretch')
    const toast = page.locator('.toast.notice')
    await toast.getByText('Stretch').waitFor()
    await row(page, /Stretch/)
      .getByRole('button', { name: /^Snooze/ })
      .waitFor()
    await toast.getByRole('button', { name: 'Snooze 10 min' }).click()
    await row(page, /in 10 min.*Stretch/s).waitFor()
    await add(page, 'in 1 second', 'Look around')
    await toast.getByText('Look around').waitFor()
    await post(
      { baseUrl: engine.baseUrl, key: 'any' },
      '/v1/chat/completions',
      JSON.stringify({
        model: 'any',
        messages: [
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: 'Hi.' },
          { role: 'user', content: 'Go on' },
        ],
      }),
      { headers: { 'x-session-id': session } },
    )
    await row(page, /delivered.*Look around/s).waitFor()
    await page.getByText(`“Look around” sent with the next request of ${name}`).waitFor()
  })
})
