import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { atLimit } from './fake/scene-routing.ts'
import { mockMoment, noBrowser } from './support/dashboard.ts'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { unless } from '../../shared/testing/unless.ts'

const id = 'landing-page-01jd'
const line = (page: Page) => page.getByRole('region', { name: 'Limit' })

describe('a session at its provider’s limit', unless(noBrowser), () => {
  const dashboard = dashboardForEach()
  const { calls } = dashboard

  it('says when it lifts, goes on when told to, and not when that is cancelled', async () => {
    const page = await dashboard.open({ place: `session/${id}` })
    await page.getByRole('heading', { name: 'landing-page' }).waitFor()
    expect(await line(page).count()).toBe(0)
    dashboard.engine.api.put(id, atLimit(mockMoment, false))
    await line(page).getByText('Limit of anthropic reached at 14:10. It lifts at 16:00, in 1 h 48 min').waitFor()
    const row = page.getByRole('treeitem', { selected: true })
    await row.getByText('Limit of anthropic reached at 14:10. It lifts at 16:00, in 1 h 48 min').waitFor()
    await line(page).getByRole('button', { name: 'Go on when it lifts' }).click()
    await line(page).getByText('Goes on at 16:00').waitFor()
    await expect.poll(() => calls('setResumeAtReset')).toEqual([{ session: id, on: true }])
    await line(page).getByRole('button', { name: 'Cancel' }).click()
    await line(page).getByRole('button', { name: 'Go on when it lifts' }).waitFor()
    await expect.poll(() => calls('cancelResume')).toEqual([id])
    await page.getByText('It does not go on by itself this time').waitFor()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await line(page).getByText('Goes on at 16:00').waitFor()
    dashboard.engine.api.put(id, {
      limit: undefined,
      shape: 'working',
      say: { code: 'working', turn: 13, since: mockMoment },
    })
    await expect.poll(() => line(page).count()).toBe(0)
  })

  it('counts on other tabs too, and says why a cancel was refused', async () => {
    dashboard.engine.api.put(id, atLimit(mockMoment, true))
    const page = await dashboard.open({ place: `session/${id}/queue` })
    dashboard.engine.api.failNext('cancelResume', 'No continuation waits in this session.')
    await line(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Not done: No continuation waits in this session.').waitFor()
    await page.getByRole('tab', { name: 'Terminal' }).click()
    await line(page).getByText('Goes on at 16:00').waitFor()
  })

  it('is told by switches under Details, beside the one that keeps bodies', async () => {
    const page = await dashboard.open({ place: `session/${id}/details` })
    const resume = page.getByRole('switch', { name: 'Continue when a limit lifts' })
    const keep = page.getByRole('switch', { name: 'Keep bodies of its turns' })
    await page.getByText('They stay on this machine and may hold secrets.').waitFor()
    await keep.press('Space')
    await expect.poll(() => keep.isChecked()).toBe(true)
    await resume.press('Space')
    await expect.poll(() => resume.isChecked()).toBe(true)
    await resume.press('Space')
    await expect.poll(() => resume.isChecked()).toBe(false)
    await expect.poll(() => calls('setCapture')).toEqual([{ session: id, on: true }])
    await expect
      .poll(() => calls('setResumeAtReset'))
      .toEqual([
        { session: id, on: true },
        { session: id, on: false },
      ])
    dashboard.engine.api.failNext('setCapture', 'The disk is full.')
    await keep.press('Space')
    await page.getByText('Not done: The disk is full.').waitFor()
    expect(await keep.isChecked()).toBe(true)
  })

  it('shows in the status bar, which leads to the providers', async () => {
    const page = await dashboard.open()
    await page.getByRole('button', { name: 'anthropic: limit reached, lifts at 16:00' }).click()
    await expect.poll(() => page.url()).toMatch(/#\/?providers$/)
    dashboard.engine.api.putStatus({
      limits: [
        { provider: 'zai', since: mockMoment, lifts: null, resuming: 0 },
        { provider: 'anthropic', since: mockMoment, lifts: mockMoment + 60_000, resuming: 2 },
      ],
    })
    await page.getByRole('button', { name: 'anthropic: limit reached, lifts at 14:13, and 1 more' }).waitFor()
    dashboard.engine.api.putStatus({ limits: [] })
    await expect.poll(() => page.locator('.statusbar').getByText('limit reached').count()).toBe(0)
  })
})
