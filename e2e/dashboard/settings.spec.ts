import { describe, expect, it } from 'vitest'
import { axeViolations } from './support/axe.ts'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { noBrowser } from './support/dashboard.ts'
import { unless } from '../../shared/testing/unless.ts'

describe('the settings', unless(noBrowser), () => {
  const dashboard = dashboardForEach()

  it.each([
    [1440, 'light'],
    [900, 'dark'],
  ] as const)(
    'have a list of their sections, none of which is longer than two screens, at %i px',
    async (width, theme) => {
      const page = await dashboard.open({ place: 'settings', width, theme })
      const list = page.getByRole('navigation', { name: 'Sections' })
      const security = page.getByRole('region', { name: 'Security' })
      await security.waitFor()
      await list.getByRole('button', { name: 'Security' }).click()
      await expect.poll(() => list.getByRole('button', { name: 'Security' }).getAttribute('aria-current')).toBe('true')
      const tops = await page.locator('.set-page > .scroll').evaluate((scroller) => {
        const from = scroller.getBoundingClientRect().top
        const at = [...scroller.querySelectorAll('.settings > section')]
        return at.map((section) => ({
          name: section.getAttribute('aria-label'),
          top: Math.round(section.getBoundingClientRect().top - from),
          screens: section.getBoundingClientRect().height / window.innerHeight,
        }))
      })
      expect(tops.find(({ name }) => name === 'Security')?.top).toBe(0)
      expect(tops.filter(({ screens }) => screens > 2)).toEqual([])
      expect(await axeViolations(page)).toEqual([])
    },
  )

  it.each([390, 720, 900, 1440].flatMap((width) => ['en-GB', 'zh-CN'].map((locale) => [width, locale] as const)))(
    'have no words under a control, at %i px in %s',
    async (width, locale) => {
      const page = await dashboard.open({ place: 'settings', width, locale })
      await page.locator('.settings .seg').first().waitFor()
      const covered = await page.locator('.setting').evaluateAll((rows) =>
        rows.flatMap((row) => {
          const [words, control] = row.children
          if (!words || !control?.matches('.seg, .field') || !row.checkVisibility()) return []
          const { left, top, bottom } = control.getBoundingClientRect()
          const range = document.createRange()
          range.selectNodeContents(words)
          const under = [...range.getClientRects()].filter(
            (line) => line.right > left + 1 && line.top < bottom - 4 && top < line.bottom - 4,
          )
          return under.length > 0 ? [words.textContent] : []
        }),
      )
      expect(covered).toEqual([])
    },
  )

  it('are found by their words, with the section they are in', async () => {
    const page = await dashboard.open({ place: 'settings' })
    const search = page.getByRole('textbox', { name: 'Search in settings' })
    const names = () =>
      page.locator('.settings > section:visible').evaluateAll((all) => all.map((one) => one.ariaLabel))
    await page.getByRole('region', { name: 'Security' }).waitFor()
    await search.fill('time servers')
    await expect.poll(names).toEqual(['Clock and alarms'])
    await search.fill('no such thing')
    await page.getByText('No setting is called “no such thing”').waitFor()
    await search.press('Escape')
    await expect.poll(async () => (await names()).length).toBeGreaterThan(8)
  })

  it('show switches, selection and edges in forced colours', async () => {
    const page = await dashboard.open({ place: 'settings' })
    await page.emulateMedia({ forcedColors: 'active' })
    const looks = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { backgroundColor, boxShadow, outlineStyle } = getComputedStyle(element)
          return { backgroundColor, boxShadow: boxShadow !== 'none', outlineStyle }
        })
    const on = await looks('.settings .switch :checked + .toggle')
    const off = await looks('.settings .switch :not(:checked) + .toggle')
    expect(on.backgroundColor).not.toBe(off.backgroundColor)
    expect(off.boxShadow).toBe(true)
    expect((await looks('.settings .btn')).outlineStyle).toBe('solid')
    expect((await looks('.settings .input')).outlineStyle).toBe('solid')
    expect((await looks('.set-to[aria-current]')).outlineStyle).toBe('solid')
  })
})
