import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, openPage, type BrowserPage } from './support/browser.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { onward } from './support/onward-cli.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { unless } from '../shared/testing/unless.ts'
import { mockProvider } from './support/entries.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

/** Two models at one provider: one with a price in the config, one whose price nobody knows. */
describe('what was spent, on a running engine', unless(noBrowser), () => {
  let mock: MockUpstream
  let engine: EngineProcess
  let opened: BrowserPage
  let page: Page

  beforeAll(async () => {
    mock = await startMockUpstream()
    mock.otherwise = say('This part is done now.')
    engine = await startEngine({
      config: {
        providers: {
          chat: mockProvider(mock, {
            models: { 'paid-1': { price: { input: 100_000, output: 1_000_000 } }, 'unheard-of': {} },
          }),
        },
      },
    })
    await turn('paid-1')
    await turn('paid-1')
    await turn('unheard-of')
    await waitFor('three records', async () => ((await engine.control.api.turns.query(10)).length === 3 ? true : null))
    opened = await openPage()
    page = opened.page
    await page.goto(await engine.dashboard())
    await page.getByRole('link', { name: 'Activity' }).click()
  })
  afterAll(async () => {
    await opened?.close()
    await engine?.stop()
    await mock?.dispose()
    removeHomes()
    expect(opened?.complaints).toEqual([])
  })

  async function turn(model: string): Promise<void> {
    const answer = await fetch(`${engine.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-session-id': `of-${model}` },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'begin' }] }),
    })
    expect(answer.status).toBe(200)
    await answer.text()
  }
  const table = (name: string) => page.getByRole('table', { name })
  const dollars = (text: string | null | undefined): number => Number(/\$(\d+\.\d\d)/.exec(text ?? '')?.[1])

  it('is shown by day, model, session and provider; every sum is the same and names a missing price', async () => {
    await page.getByRole('button', { name: 'Cost', exact: true }).click()
    const paid = table('By model').getByRole('row', { name: /chat\/paid-1/ })
    await paid.waitFor()
    await table('By model')
      .getByRole('row', { name: /chat\/unheard-of.*no price known/ })
      .waitFor()
    const records = await engine.control.api.turns.query(10)
    const sum = records.reduce((all, record) => all + (record.costUsd ?? 0), 0)
    expect(sum).toBeGreaterThan(0)
    expect(dollars(await paid.textContent())).toBeCloseTo(sum, 2)
    for (const name of ['By model', 'By session', 'By provider']) {
      const total = await table(name).getByRole('row', { name: /^All/ }).textContent()
      expect(total).toContain('≥ $')
      expect(dollars(total)).toBeCloseTo(sum, 2)
    }
    expect(await page.locator('.cost-chart .fig').textContent()).toBe(`≥ $${sum.toFixed(2)}`)
    const chart = page.getByRole('slider', { name: 'Cost per day' })
    expect(dollars(await chart.getAttribute('aria-valuetext'))).toBeCloseTo(sum, 2)
    await page.getByRole('radio', { name: 'Today' }).check()
    await page.getByRole('slider', { name: 'Cost today, per hour' }).waitFor()
    await page.getByRole('radio', { name: 'By model' }).check()
    await page
      .locator('.cost-chart .legend')
      .getByText(/chat\/paid-1/)
      .waitFor()
  })

  it('is the same in a terminal', async () => {
    const cost = async (...words: string[]) => {
      const run = await onward(['cost', ...words, '--home', engine.home])
      expect(run).toMatchObject({ code: 0, err: '' })
      return run.out
    }
    const data: unknown = JSON.parse(await cost('--days', '30', '--by', 'provider', '--json'))
    const records = await engine.control.api.turns.query(10)
    const sum = records.reduce((all, record) => all + (record.costUsd ?? 0), 0)
    expect(data).toMatchObject({
      rows: [{ provider: 'chat', requests: 3 }],
      total: { costUsd: expect.closeTo(sum, 9), unpricedTokens: expect.any(Number) },
    })
    const table = await cost()
    expect(table).toMatch(new RegExp(`^chat/paid-1 .*\\$${sum.toFixed(2)}$`, 'm'))
    expect(table).toMatch(/^chat\/unheard-of .* no price$/m)
    expect(table).toMatch(/^all .*≥ \$/m)
  })

  it('goes out as a file, a line for each session and model', async () => {
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const [head, ...lines] = (await readFile(await (await file).path(), 'utf8')).trim().split('\r\n')
    expect(head).toMatch(
      /^session,name,provider,model,requests,.*,cost_usd,price,.*,worth_usd,cold_tokens,cold_usd,warm_usd$/,
    )
    expect(lines.some((line) => line.includes(',chat,paid-1,') && line.includes(',config,0,0'))).toBe(true)
    expect(lines.some((line) => line.includes(',chat,unheard-of,'))).toBe(true)
  })

  it('says of a turn where its price comes from', async () => {
    await page.getByRole('button', { name: 'Turns', exact: true }).click()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page
      .getByRole('row', { name: /unheard-of.*no price/ })
      .first()
      .waitFor()
    await page
      .getByRole('row', { name: /paid-1.*\$\d+\.\d\d/ })
      .first()
      .waitFor()
    await page
      .getByRole('row', { name: /paid-1/ })
      .first()
      .click()
    await page
      .getByRole('complementary')
      .getByText(/\$\d+\.\d\d, your price/)
      .waitFor()
    await page
      .getByRole('row', { name: /unheard-of/ })
      .first()
      .click()
    await page.getByRole('complementary').getByText('no price known').waitFor()
  })

  it('stands beside the tokens of a session, its turns and today, and is never $0 where it is not known', async () => {
    const sessions = await engine.control.api.sessions.query()
    const named = async (model: string) => {
      const session = sessions.find((one) => one.model === model)
      if (!session) throw new Error(`no session of ${model}`)
      await page.evaluate((id) => {
        location.hash = `#/session/${id}`
      }, session.id)
      return page.getByRole('main').locator('header')
    }
    const unknown = await named('unheard-of')
    await unknown.getByText('no price', { exact: true }).waitFor()
    await page
      .locator('.tl-side')
      .getByText(/ out · .*no price/)
      .first()
      .waitFor()
    const paid = await named('paid-1')
    await paid.getByText(/^\$\d+\.\d\d$/).waitFor()
    await page
      .locator('.tl-side')
      .getByText(/ out · .*\$\d+\.\d\d/)
      .first()
      .waitFor()
    await page.getByText(/^Today .* tokens, ≥ \$\d+\.\d\d$/).waitFor()
  })
})
