import { describe, expect, it } from 'vitest'
import { turnFailed } from './fake/scene-goals.ts'
import { axeViolations } from './support/axe.ts'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { mockMoment, noBrowser } from './support/dashboard.ts'
import { unless } from '../../shared/testing/unless.ts'

const id = 'pricing-scraper-01jd'

describe('a failed turn', unless(noBrowser), () => {
  const dashboard = dashboardForEach()
  const { calls } = dashboard

  it('is told while the agent retries, and stands among the failed ones when it has given up', async () => {
    const { api } = dashboard.engine
    const since = mockMoment - 8_000
    const { say } = turnFailed(mockMoment)
    if (say.code !== 'turn-failed') throw new Error('it failed')
    api.put(id, { shape: 'needs', say: { ...say, code: 'retrying', since }, queue: [] })
    const page = await dashboard.open({ place: `session/${id}` })
    const row = page.getByRole('treeitem', { name: /pricing-scraper/ })
    await row.getByText('The agent retries: 529 from anthropic, 3 tries').waitFor()
    const outage = page.getByRole('region', { name: 'What needs you' })
    await outage.getByText(/^anthropic fails since /).waitFor()
    await outage.getByText(/^Tried 3 times\. The agent tries again by itself\./).waitFor()
    await outage.getByRole('button', { name: 'Retry now' }).click()
    await expect.poll(() => calls('testProvider')).toHaveLength(2)
    await outage.getByRole('button', { name: 'Tell me when it is back' }).waitFor()
    api.put(id, turnFailed(mockMoment))
    await row.getByText(/^Its last turn failed: 529 from anthropic, since .+$/).waitFor()
    expect(await row.getByRole('button', { name: 'Re-arm' }).count()).toBe(0)
    const card = page.locator('section.card').filter({ hasText: 'The last turn failed: no provider could answer' })
    await card.getByText(/^It has failed since .+, in 3 tries\. The agent does not try again/).waitFor()
    await card
      .getByRole('listitem')
      .filter({ hasText: 'zai/glm-5, key main' })
      .getByText('it can’t be reached')
      .waitFor()
    await card.getByRole('listitem').filter({ hasText: 'anthropic/' }).getByText('529, overloaded').waitFor()
    await card.getByRole('button', { name: 'Go on' }).click()
    await expect.poll(() => calls('startStopMessage')).toEqual([id])
  })

  it('goes on by itself when its provider answers, unless a person says no', async () => {
    const goesOn = { targets: ['zai.glm-5', 'anthropic.claude-sonnet-4-5'], tryAt: null, tries: 0 }
    dashboard.engine.api.put(id, { ...turnFailed(mockMoment, goesOn), recovers: true })
    const page = await dashboard.open({ place: `session/${id}` })
    await page
      .getByRole('treeitem', { name: /pricing-scraper/ })
      .getByText(/Goes on by itself when zai answers, or another of its route$/)
      .waitFor()
    const card = page.locator('section.card').filter({ hasText: 'no provider could answer' })
    await card.getByText(/Goes on by itself when zai answers, or another of its route\.$/).waitFor()
    await card.getByRole('button', { name: 'Don’t go on by itself' }).click()
    await expect.poll(() => calls('setRecover')).toEqual([{ session: id, on: false }])
    expect(await axeViolations(page)).toEqual([])
  })

  it.each([1440, 900])('names who fails whole, at %i px', async (width) => {
    dashboard.engine.api.put(id, turnFailed(mockMoment))
    const page = await dashboard.open({ place: `session/${id}` })
    await page.setViewportSize({ width, height: 900 })
    const said = [
      page.getByRole('contentinfo').getByRole('button', { name: 'qwen fails' }).locator('.cut'),
      page.getByRole('listitem').filter({ hasText: 'anthropic/' }).getByText('529, overloaded'),
    ]
    for (const one of said) {
      await one.waitFor()
      const { room, wanted, lines } = await one.evaluate((element) => ({
        room: element.clientWidth,
        wanted: element.scrollWidth,
        lines: element.getClientRects().length,
      }))
      expect(wanted).toBeLessThanOrEqual(room)
      expect(lines).toBe(1)
    }
  })

  it.each([
    [
      'en',
      1440,
      'light',
      'Tell me when it is back',
      /^Use \S+\/\S+ until it answers$/,
      'Use another model until it answers',
    ],
    ['zh-CN', 900, 'dark', '恢复了告诉我', /^先用 .+，直到它又能回答$/, '先用别的模型'],
  ] as const)('offers another model and word of the return, in %s', async (locale, width, theme, tell, use, others) => {
    dashboard.engine.api.put(id, turnFailed(mockMoment))
    const page = await dashboard.open({ place: `session/${id}`, locale, width, theme })
    const card = page.locator('section.card').filter({ has: page.getByRole('button', { name: tell }) })
    const failed = ['zai.glm-5', 'anthropic.claude-sonnet-4-5']
    await card.getByRole('button', { name: tell, pressed: false }).focus()
    await page.keyboard.press('Enter')
    await card.getByRole('button', { name: tell, pressed: true }).waitFor()
    expect(await card.getByRole('button', { name: tell }).evaluate((one) => one === document.activeElement)).toBe(true)
    await card.getByRole('button', { name: use, pressed: false }).click()
    await card.getByRole('button', { name: use, pressed: true }).waitFor()
    const [, chosen] = calls('setOutage') as { standIn: string | null }[]
    expect(failed).not.toContain(chosen?.standIn)
    await card.getByRole('button', { name: others }).click()
    await page.getByRole('menuitem', { name: use }).first().click()
    await expect.poll(() => calls('setOutage').length).toBe(3)
    const outage = page.getByRole('region', { name: locale === 'en' ? 'Until it answers again' : '等它又能回答' })
    await outage.waitFor()
    expect(await axeViolations(page)).toEqual([])
    await outage.getByRole('button').click()
    await outage.waitFor({ state: 'detached' })
    expect(calls('setOutage').at(-1)).toEqual({ session: id, tell: false, standIn: null })
  })
})
