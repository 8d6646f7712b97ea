import { describe, expect, it } from 'vitest'
import { turnFailed } from '../../renderer/dev/scene-goals.ts'
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
    api.put(id, {
      shape: 'working',
      say: { code: 'retrying', provider: 'anthropic', status: 529, tries: 3, since },
      queue: [],
    })
    const page = await dashboard.open({ place: `session/${id}` })
    const row = page.getByRole('treeitem', { name: /pricing-scraper/ })
    await row.getByText('The agent retries: 529 from anthropic, 3 tries').waitFor()
    api.put(id, turnFailed(mockMoment))
    await row.getByText(/^Its last turn failed: 529 from anthropic, at .+$/).waitFor()
    expect(await row.getByRole('button', { name: 'Re-arm' }).count()).toBe(0)
    const card = page.locator('section.card').filter({ hasText: 'The last turn failed' })
    await card.getByText('Tried: anthropic.claude-sonnet-4-5: 529.').waitFor()
    await card.getByRole('button', { name: 'Go on' }).click()
    await expect.poll(() => calls('startStopMessage')).toEqual([id])
  })
})
