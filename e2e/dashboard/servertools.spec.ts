import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { sceneServertools } from './fake/scene-servertools.ts'
import { axeViolations } from './support/axe.ts'
import { noBrowser } from './support/dashboard.ts'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { unless } from '../../shared/testing/unless.ts'

const section = (page: Page) => page.getByRole('region', { name: 'Tools for the model' })
const row = (page: Page, tool: string) =>
  section(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(tool, { exact: true }) })
const toggle = (page: Page, tool: string) => section(page).getByRole('switch', { name: tool, exact: true })

describe('tools of Onward', unless(noBrowser), () => {
  const dashboard = dashboardForEach()
  const { calls } = dashboard
  const open = async (options: Parameters<typeof dashboard.open>[0] = {}): Promise<Page> => {
    const page = await dashboard.open({ place: 'settings', ...options })
    await section(page).waitFor()
    return page
  }

  it('says what each does, whose word counts, and what one lacks', async () => {
    const page = await open()
    await row(page, 'web_fetch').getByText('without the agent’s own permission prompt').waitFor()
    await row(page, 'web_fetch').getByText('from the config').waitFor()
    await row(page, 'clock').getByText('by default').waitFor()
    await row(page, 'web_search').getByText('No search engine is configured').waitFor()
    await row(page, 'build_status').getByText('Tells the model how the last build of the branch went.').waitFor()
    await section(page).getByText('counts for sessions that begin afterwards').waitFor()
    expect(await section(page).getByRole('list', { name: 'By themselves' }).getByRole('switch').count()).toBe(3)
    const dark = await dashboard.open({ place: 'settings', locale: 'zh-CN', theme: 'dark', width: 900 })
    await dark.getByRole('region', { name: '给模型的工具' }).getByText('不经过代理自己的权限询问').waitFor()
  })

  it('switches one, in every window, and back to its default', async () => {
    const [page, other] = [await open(), await open({ theme: 'dark' })]
    await toggle(page, 'clock').press('Space')
    await expect.poll(() => toggle(other, 'clock').isChecked()).toBe(false)
    expect(await toggle(page, 'clock').isChecked()).toBe(false)
    await row(other, 'clock').getByText('from the config').waitFor()
    await other.getByRole('button', { name: 'Back to the default of clock' }).click()
    await expect.poll(() => toggle(page, 'clock').isChecked()).toBe(true)
    await row(page, 'clock').getByText('by default').waitFor()
    await expect
      .poll(() => calls('setServertool'))
      .toEqual([
        { tool: 'clock', on: false },
        { tool: 'clock', on: null },
      ])
  })

  it('switches all of them, and says no more what one lacks while they are off', async () => {
    const page = await open()
    await toggle(page, 'All tools').press('Space')
    await expect.poll(() => toggle(page, 'clock').isDisabled()).toBe(true)
    expect(await section(page).getByText('No search engine is configured').count()).toBe(0)
    await toggle(page, 'All tools').press('Space')
    await expect.poll(() => toggle(page, 'clock').isEnabled()).toBe(true)
    await expect
      .poll(() => calls('setServertool'))
      .toEqual([
        { tool: null, on: false },
        { tool: null, on: null },
      ])
  })

  it('goes back to where it was when the engine refuses, and says why', async () => {
    const page = await open()
    dashboard.engine.api.failNext('setServertool', 'The config was edited meanwhile.')
    await toggle(page, 'clock').press('Space')
    await page.getByText('Not done: The config was edited meanwhile.').waitFor()
    await expect.poll(() => toggle(page, 'clock').isChecked()).toBe(true)
  })

  it.each([
    [true, 'switches them on'],
    [false, 'switches all of them off'],
  ])('leaves the word to ROUTECODEX_SERVER_TOOLS where it is set: %s', async (on, said) => {
    dashboard.engine.api.putStatus({ servertools: { ...sceneServertools, on, by: 'env' } })
    const page = await open()
    await section(page).getByText(said).waitFor()
    expect([
      await toggle(page, 'All tools').isDisabled(),
      await toggle(page, 'All tools').isChecked(),
      await toggle(page, 'clock').isDisabled(),
    ]).toEqual([true, on, !on])
  })

  it('can not be switched without an engine, and are not shown for one that has none', async () => {
    const page = await open()
    dashboard.engine.stop()
    await expect.poll(() => toggle(page, 'clock').isDisabled()).toBe(true)
    dashboard.engine.start()
    dashboard.engine.api.putStatus({ servertools: undefined })
    await expect.poll(() => section(page).count()).toBe(0)
  })

  it.each(['light', 'dark'] as const)('are found in order by axe, %s', async (theme) => {
    const page = await open({ theme, reducedMotion: true })
    expect(await axeViolations(page)).toEqual([])
    dashboard.engine.api.putStatus({ servertools: { ...sceneServertools, on: false, by: 'env' } })
    await section(page).getByText('switches all of them off').waitFor()
    expect(await axeViolations(page)).toEqual([])
  })
})

describe('what tools of Onward did', unless(noBrowser), () => {
  const dashboard = dashboardForEach()
  const billing = 'billing-service-01jd'

  it('reads as one row per call, with time and size beside it, and a failure among the problems', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    const item = (text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text })
    await item('The model called web_fetch: docs.stripe.com').getByText('0.8 s · 18.2 kB').waitFor()
    await item('web_fetch failed: The page answered 404.').getByRole('img', { name: 'Failed' }).waitFor()
    expect(await item('The model called').count()).toBe(2)
    await page.getByRole('button', { name: 'All events' }).click()
    await page.getByRole('menuitemradio', { name: 'Problems only' }).click()
    await expect.poll(() => item('The model called').count()).toBe(0)
    await item('web_fetch failed').waitFor()
  })

  it('is shown while it happens: the call first, then what came of it in the same row', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    const item = (text: string) => page.getByRole('listitem').filter({ hasText: text })
    await item('Turn 42').waitFor()
    const { api } = dashboard.engine
    api.record(billing, { type: 'servertool-called', tool: 'web_search', round: 1 }, 'r42')
    await item('The model called web_search').waitFor()
    api.record(
      billing,
      { type: 'servertool-ran', tool: 'web_search', round: 1, ms: 1_400, bytes: 3_100, note: '8 results' },
      'r42',
    )
    await item('The model called web_search: 8 results').getByText('1.4 s · 3.1 kB').waitFor()
    expect(await item('The model called web_search').count()).toBe(1)
    await page.getByRole('tab', { name: 'Details' }).click()
    await page.getByText(/^\d\d:\d\d:\d\d, web_search$/).waitFor()
  })

  it('stands in the record of its turn', async () => {
    const page = await dashboard.open({ place: 'activity' })
    await page.getByRole('textbox', { name: 'Filter turns' }).fill('web_fetch')
    await page.getByRole('row', { name: /61\.0k/ }).click()
    const pane = page.getByRole('complementary')
    await pane.getByRole('heading', { name: 'Tools of Onward' }).waitFor()
    expect(
      await pane
        .getByRole('listitem')
        .filter({ hasText: /clock|web_fetch/ })
        .allInnerTexts(),
    ).toEqual([
      expect.stringMatching(/^clock\s+round 1, <0\.1 s, 96 B$/),
      expect.stringMatching(/^web_fetch\s+round 1, 0\.8 s, 18\.2 kB$/),
      expect.stringMatching(/^web_fetch The page did not answer within 15 s\.\s+round 2, 15 s$/),
    ])
  })
})
