import { mkdir, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unless } from '../../shared/testing/unless.ts'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { noBrowser } from './support/dashboard.ts'

const dir = resolve(import.meta.dirname, '../.artifacts/readme')

/** Leaves the pictures of the README in `e2e/.artifacts/readme`, as WebP: a quarter of what a PNG weighs. */
describe('the pictures of the README', unless(noBrowser), () => {
  const dashboard = dashboardForEach()

  it.each(['light', 'dark'] as const)('are taken in %s', async (theme) => {
    await mkdir(dir, { recursive: true })
    // Not every machine that takes pictures has a Chinese font.
    dashboard.engine.api.put('周报整理-01jd', { name: 'weekly-report' })
    const page = await dashboard.open({ theme, place: 'session/billing-service-01jd' })
    await page.getByRole('button', { name: /^Why: Fired/ }).click()
    await page.getByText('Not a followup of its own').waitFor()
    await page.mouse.move(1438, 898)
    const browser = await page.context().newCDPSession(page)
    const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 90 })
    await browser.detach()
    const picture = Buffer.from(data, 'base64')
    expect(picture.subarray(8, 12).toString('latin1')).toBe('WEBP')
    await writeFile(`${dir}/dashboard-${theme}.webp`, picture)
  })
})
