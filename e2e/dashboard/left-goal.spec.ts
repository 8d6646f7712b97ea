import { describe, expect, it } from 'vitest'
import { hasLeftGoal } from './fake/scene-goals.ts'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { noBrowser } from './support/dashboard.ts'
import { unless } from '../../shared/testing/unless.ts'

const landing = 'landing-page-01jd'

describe('a goal of the conversation before', unless(noBrowser), () => {
  const dashboard = dashboardForEach()
  const { calls } = dashboard

  it('is carried on from its card', async () => {
    dashboard.engine.api.put(landing, hasLeftGoal())
    const page = await dashboard.open({ place: `session/${landing}` })
    const row = page.getByRole('treeitem', { name: /landing-page/ })
    await row.getByText(/^Carry on here\? The goal “The importer .+” was set in the conversation before$/).waitFor()
    const asked = page.locator('section.card').filter({ hasText: 'Carry on here?' })
    await asked.getByText('6 of 20 rounds are used').waitFor()
    await asked.getByRole('button', { name: 'Carry on here' }).click()
    await expect.poll(() => calls('carryOnStopMessage')).toEqual([landing])
    await asked.waitFor({ state: 'detached' })
    const goal = page.getByRole('region', { name: 'Keep going' })
    await goal.getByText('“The importer reads all three formats, and its tests pass”').waitFor()
    await page.getByText(/^You carried the goal .+ on here: 6 rounds used, 20 rounds$/).waitFor()
  })

  it('is ended below the terminal, and a toast takes that back', async () => {
    dashboard.engine.api.put(landing, hasLeftGoal())
    const page = await dashboard.open({ place: `session/${landing}/terminal` })
    const bar = page.getByRole('complementary', { name: 'Carry on here?' })
    await bar.getByText('“The importer reads all three formats, and its tests pass”').waitFor()
    await bar.getByRole('button', { name: 'End the goal' }).click()
    await expect.poll(() => calls('clearStopMessage')).toEqual([landing])
    await bar.waitFor({ state: 'detached' })
    await page.locator('.toast', { hasText: 'Goal cleared' }).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => calls('rearmStopMessage')).toEqual([landing])
  })
})
