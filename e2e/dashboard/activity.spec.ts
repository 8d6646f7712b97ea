import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { sceneTurns } from './fake/scene-turns.ts'
import type { TurnRecord } from '../../shared/state.ts'
import { mockMoment, noBrowser } from './support/dashboard.ts'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { unless } from '../../shared/testing/unless.ts'

const chart = (page: Page, name: string) => page.getByRole('slider', { name })
const tip = (page: Page) => page.locator('.ch-tip')
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })
const pane = (page: Page) => page.getByRole('complementary')

describe('activity', unless(noBrowser), () => {
  const dashboard = dashboardForEach()
  const { calls } = dashboard
  const fresh = (over: Partial<TurnRecord>): TurnRecord => {
    const [one] = sceneTurns(mockMoment, 1)
    if (!one) throw new Error('the scene has turns')
    return { ...one, requestId: 'req_live', at: mockMoment, ...over }
  }

  it('shows another range on demand, charts and table', async () => {
    const page = await dashboard.open({ place: 'activity' })
    await chart(page, 'Turns per hour').waitFor()
    await page.getByText('487 turns').waitFor()
    await page.getByText('92% from cache, $18.45').waitFor()
    await page.getByRole('radio', { name: '7 days' }).check()
    await chart(page, 'Turns per 6 hours').waitFor()
    await page.getByRole('radio', { name: '30 days' }).check()
    await chart(page, 'Tokens per day').waitFor()
    await expect.poll(() => calls('activity')).toEqual([24, 168, 720])
    await page.getByRole('link', { name: 'Alarms' }).click()
    await page.getByRole('link', { name: 'Activity' }).click()
    await chart(page, 'Tokens per day').waitFor()
  })

  it('reads a chart by the keyboard: one tab stop each, arrows walk, Escape clears', async () => {
    const page = await dashboard.open({ place: 'activity' })
    const turns = chart(page, 'Turns per hour')
    await turns.waitFor()
    await page.getByRole('button', { name: 'Export CSV' }).focus()
    await page.keyboard.press('Tab')
    expect(await turns.evaluate((el) => el === document.activeElement)).toBe(true)
    await tip(page).getByText('14:00–15:00').waitFor()
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key)
    await tip(page).getByText('11:00–12:00').waitFor()
    expect(await turns.getAttribute('aria-valuetext')).toBe('11:00–12:00: continued 4, by you 4, failed 4')
    await page.keyboard.press('Home')
    expect(await turns.getAttribute('aria-valuetext')).toBe('15:00–16:00: continued 4, by you 4, failed 0')
    await page.keyboard.press('Escape')
    await expect.poll(() => tip(page).count()).toBe(0)
    await page.keyboard.press('Tab')
    expect(await chart(page, 'Tokens per hour').getAttribute('aria-valuetext')).toMatch(
      /^14:00–15:00: in 414k, of it from cache 92%, out 32\.0k, cost \$0\.59$/,
    )
    await page.keyboard.press('Tab')
    expect(await chart(page, 'Time to first byte').evaluate((el) => el === document.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    expect(
      await page.getByRole('textbox', { name: 'Filter turns' }).evaluate((el) => el === document.activeElement),
    ).toBe(true)
  })

  it('reads a chart by the pointer, inside the window at both ends', async () => {
    const page = await dashboard.open({ place: 'activity', width: 900 })
    const bytes = chart(page, 'Time to first byte')
    const box = await bytes.boundingBox()
    if (!box) throw new Error('the chart is drawn')
    for (const [x, time] of [
      [1, '15:00–16:00'],
      [box.width - 2, '14:00–15:00'],
    ] as const) {
      await page.mouse.move(box.x + x, box.y + 20)
      await tip(page).getByText(time).waitFor()
      const tipBox = await tip(page).boundingBox()
      expect(tipBox && tipBox.x >= box.x - 1 && tipBox.x + tipBox.width <= box.x + box.width + 1).toBe(true)
    }
    await page.mouse.move(box.x, box.y + 400)
    await expect.poll(() => tip(page).count()).toBe(0)
  })

  it('filters by provider and end, and back', async () => {
    const page = await dashboard.open({ place: 'activity' })
    await row(page, /running/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Any provider' }).click()
    await page.getByRole('menuitemradio', { name: 'openrouter' }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    await row(page, /search-indexer.*openrouter\/glm-5.*stop/).waitFor()
    await row(page, /401, next key/).waitFor()
    await page.getByRole('button', { name: 'Any end' }).click()
    await page.getByRole('menuitemradio', { name: 'failed' }).click()
    await page.getByText('No turn fits the filters').waitFor()
    await page.getByRole('button', { name: 'Show all turns' }).click()
    await row(page, /running/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Any provider' }).waitFor()
  })

  it('shows a record: why, what was tried, what was changed', async () => {
    const page = await dashboard.open({ place: 'activity' })
    await row(page, /48\.2k/).click()
    await pane(page).getByRole('heading', { name: 'Turn 41' }).waitFor()
    await pane(page).getByRole('heading', { name: 'Why it went to zai/glm-5' }).waitFor()
    await pane(page).getByText('Messages to Chat, and back.').waitFor()
    expect(await pane(page).locator('code').allInnerTexts()).toEqual(['cache_control', 'context_management'])
    await pane(page).getByText('not captured').waitFor()
    await row(page, /429, next provider/).click()
    await pane(page).getByRole('heading', { name: 'Tried before' }).waitFor()
    await pane(page).getByText('qwen/qwen3-coder: 429, asked too fast, or a limit is reached (after 0.4 s)').waitFor()
    await pane(page).getByText('Chat both ways').waitFor()
    await row(page, /61\.0k/).click()
    await pane(page)
      .getByText(/^onward turns show req_/)
      .waitFor()
    await pane(page).getByRole('button', { name: 'Copy the record' }).click()
    expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toMatchObject({
      captured: true,
      route: { category: 'thinking' },
    })
  })

  it('goes on while one looks: a turn that ends is there at once, a session that works is on top', async () => {
    const page = await dashboard.open({ place: 'activity' })
    const { api } = dashboard.engine
    await row(page, /billing-service.*running/).waitFor()
    await expect.poll(() => calls('activity').length).toBe(1)
    const asked = calls('turns').length
    api.push({
      type: 'turn',
      record: fresh({ sessionId: 'docs-site-01jd', usage: { input: 77_700, cachedInput: 0, output: 5, reasoning: 0 } }),
    })
    await row(page, /docs-site.*77\.7k/).waitFor()
    await expect.poll(() => calls('activity').length).toBe(2)
    await expect.poll(() => calls('turns')).toHaveLength(asked)
    api.put('docs-site-01jd', { shape: 'idle', say: { code: 'idle' } })
    await expect.poll(() => row(page, /docs-site.*running/).count()).toBe(0)
    await row(page, /billing-service.*running/).click()
    await page.getByRole('heading', { name: 'billing-service' }).waitFor()
  })

  it('exports what is shown', async () => {
    const page = await dashboard.open({ place: 'activity' })
    await row(page, /running/)
      .first()
      .waitFor()
    await page.getByRole('textbox', { name: 'Filter turns' }).fill('pricing-scraper')
    await expect.poll(() => row(page, /billing/).count()).toBe(0)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const [head, first] = (await readFile(await (await download).path(), 'utf8')).split('\r\n')
    expect(head).toContain(',route,provider,routed_model,key,failed_attempts,')
    expect(first).toContain(',pricing-scraper,')
    expect(first).toContain(',default,zai,glm-5,main,1,200,stop,18500,0,900,')
  })

  it('says what could not be loaded, and asks again', async () => {
    dashboard.engine.api.failNext('activity', 'The records are being read.')
    dashboard.engine.api.failNext('turns', 'The records are being read.')
    const page = await dashboard.open({ place: 'activity' })
    await page.getByText('The figures could not be loaded').waitFor()
    await page.getByText('The turns could not be loaded').waitFor()
    await page.getByRole('button', { name: 'Try again' }).last().click()
    await row(page, /48\.2k/).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await chart(page, 'Turns per hour').waitFor()
  })
})
