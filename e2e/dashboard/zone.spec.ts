import { describe, expect, it } from 'vitest'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { noBrowser } from './support/dashboard.ts'
import { unless } from '../../shared/testing/unless.ts'

describe('a browser in another zone than the engine', unless(noBrowser), () => {
  const dashboard = dashboardForEach()
  const times = (texts: readonly string[]) => texts.filter((text) => /^\d\d:\d\d/.test(text))

  it('shows the same times as one beside it, and says whose they are', async () => {
    const seen: string[][] = []
    for (const zone of ['Europe/Berlin', 'Asia/Tokyo']) {
      const page = await dashboard.open({ place: 'session/billing-service-01jd', zone })
      await page.locator('.tl-turn time').first().waitFor()
      seen.push(times(await page.locator('.tl-turn time').allInnerTexts()))
      const said = page.getByRole('contentinfo').getByText('Times of Europe/Berlin')
      if (zone === 'Asia/Tokyo') await said.waitFor()
      else expect(await said.count()).toBe(0)
    }
    expect(seen[0]?.length).toBeGreaterThan(0)
    expect(seen[1]).toEqual(seen[0])
  })
})
