import type { Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unless } from '../../shared/testing/unless.ts'
import { noBrowser, startDashboard, type Dashboard } from './support/dashboard.ts'

/** What the page loads when it is wanted: late, not at all, and in another language. */
describe('parts of the page that come later', unless(noBrowser), () => {
  let dashboard: Dashboard
  let page: Page
  /** loads the page again, and with that every file of it */
  const again = async () => {
    await page.reload()
    await page.locator('.statusbar .num').first().waitFor()
  }

  beforeEach(async () => {
    dashboard = await startDashboard()
    page = await dashboard.open({ place: 'sessions' })
    await page.locator('.statusbar .num').first().waitFor()
  })
  afterEach(async () => {
    // The page is used again by other tests.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await dashboard.close()
  })

  it('opens the palette for keys that were pressed before it was there, letters included', async () => {
    let come: () => void = () => undefined
    const late = new Promise<void>((resolve) => {
      come = resolve
    })
    await page.route(/\/assets\/dialogs-.*\.js$/, async (route) => {
      await late
      await route.continue()
    })
    await again()
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('ala')
    expect(await page.getByRole('dialog').count()).toBe(0)
    come()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('rms')
    expect(await page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('alarms')
    expect(dashboard.complaints()).toEqual([])
  })

  it('opens the filter for a click that came before its choices', async () => {
    let come: () => void = () => undefined
    const late = new Promise<void>((resolve) => {
      come = resolve
    })
    await page.route(/\/assets\/filter-choices-.*\.js$/, async (route) => {
      await late
      await route.continue()
    })
    await again()
    await page.getByRole('button', { name: 'Filter and sort' }).click()
    expect(await page.getByRole('menu').count()).toBe(0)
    come()
    await page.getByRole('menuitemcheckbox', { name: 'Ended' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(dashboard.complaints()).toEqual([])
  })

  it('is loaded again where a file of it is gone, as after an update', async () => {
    let gone = true
    let pages = 0
    await page.route(/\/dashboard\/(\?.*)?$/, (route) => {
      // not where it is only asked for
      if (route.request().isNavigationRequest()) pages++
      return route.continue()
    })
    await page.route(/\/assets\/alarms-view-.*\.js$/, (route) =>
      gone ? route.fulfill({ status: 404 }) : route.continue(),
    )
    await again()
    expect(pages).toBe(1)
    const reloaded = page.waitForEvent('load')
    await page.getByRole('link', { name: /^Alarms/ }).click()
    await reloaded
    gone = false
    expect(pages).toBe(2)
  })

  it('says so where the file stays away, and does not go on loading the page', async () => {
    let pages = 0
    await page.route(/\/assets\/alarms-view-.*\.js$/, (route) => route.fulfill({ status: 404 }))
    await again()
    page.on('load', () => void pages++)
    await page.getByRole('link', { name: /^Alarms/ }).click()
    await page.getByText('This part of the page could not be loaded').waitFor()
    await page.getByRole('link', { name: /^Sessions/ }).click()
    await page.getByRole('link', { name: /^Alarms/ }).click()
    await page.getByText('This part of the page could not be loaded').waitFor()
    expect(pages).toBe(1)
  })

  it('loads the words of one language, and another when it is chosen', async () => {
    const words: string[] = []
    page.on('request', (request) => {
      const name = /\/assets\/(spoken-.+)-[\w-]{8}\.js$/.exec(request.url())?.[1]
      if (name) words.push(name)
    })
    await again()
    await page.getByRole('link', { name: 'Settings' }).click()
    expect(words).toEqual(['spoken-en'])
    await page.getByRole('radio', { name: '简体中文' }).check()
    await page.getByRole('link', { name: '设置' }).waitFor()
    expect(words).toEqual(['spoken-en', 'spoken-zh-CN'])
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN')
    expect(dashboard.complaints()).toEqual([])
  })
})
