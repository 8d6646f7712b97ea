import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { noBrowser } from './support/dashboard.ts'
import { axeViolations } from './support/axe.ts'
import { unless } from '../../shared/testing/unless.ts'

const pictures = resolve(import.meta.dirname, '../.artifacts/dashboard')
const looks = [
  [1440, 'light', 'en-GB', /^More actions$/, 'Delete…', /^Delete$/, /^Keep it$/],
  [900, 'dark', 'zh-CN', /^更多操作$/, '删除…', /^删除$/, /^保留$/],
] as const

describe('a session is deleted', unless(noBrowser), () => {
  const dashboard = dashboardForEach()
  const { calls } = dashboard

  it.each(looks)(
    'after a question, and the list is shown, at %i px, %s, %s',
    async (width, theme, locale, more, del, yes, keep) => {
      const page = await dashboard.open({ place: 'session/landing-page-01jd', width, theme, locale })
      const ask = async () => {
        await page.getByRole('button', { name: more }).click()
        await page.getByRole('menuitem', { name: del }).click()
        await page.getByRole('dialog').waitFor()
      }
      await ask()
      await mkdir(pictures, { recursive: true })
      await page.screenshot({ path: resolve(pictures, `delete-session-${theme}-${width}.png`) })
      expect(await axeViolations(page)).toEqual([])
      // What has the focus harms nobody.
      await page.getByRole('dialog').getByRole('button', { name: keep }).and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(calls('deleteSession')).toEqual([])
      await ask()
      await page.getByRole('dialog').getByRole('button', { name: yes }).click()
      // The address changes without a navigation that the browser would tell of.
      await page.waitForFunction(() => !window.location.hash.includes('landing-page'))
      expect(calls('deleteSession')).toEqual(['landing-page-01jd'])
      await page.getByRole('treeitem', { name: /landing-page/ }).waitFor({ state: 'detached' })
    },
  )

  it('not while something is queued for it, and why is said', async () => {
    const page = await dashboard.open({ place: 'session/data-migration-01jd' })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Something is queued for data-migration.').first().waitFor()
    expect(page.url()).toContain('data-migration')
  })
})
