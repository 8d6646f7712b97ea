/** A hand's width: every action can be reached by a thumb, and nothing moves sideways. */
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Notice } from '../../shared/state.ts'
import { unless } from '../../shared/testing/unless.ts'
import { noBrowser, startDashboard, type Dashboard } from './support/dashboard.ts'

const ringing: Notice = {
  id: 'n1',
  class: 'alarm-due',
  sessionId: 'docs-site-01jd',
  title: 'Alarm in docs-site',
  body: '14:30  look at CI',
  actions: [],
}

/** CSS pixels a thumb finds (WCAG 2.5.5) */
const thumb = 44

const places = [
  'sessions',
  'session/infra-terraform-01jd',
  'session/billing-service-01jd',
  'session/billing-service-01jd/terminal',
  'session/billing-service-01jd/queue',
  'session/billing-service-01jd/alarms',
  'session/billing-service-01jd/details',
  'session/billing-service-01jd/rounds',
  'session/docs-site-01jd/drives',
  'session/search-indexer-01jd',
  'alarms',
  'activity',
  'providers',
  'settings',
]

describe('at 390 px', unless(noBrowser), () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await startDashboard()
  })
  afterEach(() => dashboard.closePages())
  afterAll(() => dashboard?.close())

  it.each(places.flatMap((place) => ['en-GB', 'zh-CN'].map((locale) => [place, locale] as const)))(
    '%s has every action within the screen, for a thumb (%s)',
    async (place, locale) => {
      const page = await dashboard.open({ width: 390, height: 844, place, locale })
      await page.locator('.pane[aria-busy]').waitFor({ state: 'detached' })
      await page.locator('.rail a').first().waitFor()
      expect([...(await outside(page)), ...(await cut(page))]).toEqual([])
    },
  )

  it('a menu’s entries are as large as a thumb, and a notice leaves the views free', async () => {
    const page = await dashboard.open({
      width: 390,
      height: 844,
      place: 'session/billing-service-01jd',
      reducedMotion: true,
    })
    dashboard.engine.api.push({ type: 'notice', notice: ringing })
    const notice = page.locator('.toast')
    await notice.waitFor()
    const bar = await page.locator('.rail').evaluate((one) => one.getBoundingClientRect().top)
    // It slides in from below.
    await expect.poll(() => notice.evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThan(bar)
    await notice.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem').first().waitFor()
    const heights = await page.getByRole('menuitem').evaluateAll((all) => all.map((one) => one.clientHeight))
    expect(heights.length).toBeGreaterThan(8)
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(thumb)
  })

  it('the head of a session has its name and acts in one line, and all facts below', async () => {
    const page = await dashboard.open({ width: 390, height: 844, place: 'session/billing-service-01jd' })
    const pause = await page.locator('.d-head').getByRole('button', { name: 'Pause' }).boundingBox()
    const name = await page.getByRole('heading', { name: 'billing-service' }).boundingBox()
    expect(pause?.y).toBeLessThan((name?.y ?? 0) + (name?.height ?? 0))
    const facts = page.locator('.d-head .facts')
    expect(await facts.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true)
  })

  it('a session’s name can be read in the list', async () => {
    const page = await dashboard.open({ width: 390, height: 844, place: 'sessions' })
    await page.getByRole('treeitem').first().waitFor()
    const names = await page
      .locator('.row-name b')
      .evaluateAll((all) => all.map(({ clientWidth, scrollWidth }) => clientWidth >= Math.min(scrollWidth, 80)))
    expect(names.length).toBeGreaterThan(5)
    expect(names).not.toContain(false)
  })

  it('an alarm is set, a question answered, and what happened exported', async () => {
    const page = await dashboard.open({ width: 390, height: 844, place: 'alarms' })
    await page.getByRole('button', { name: /^New alarm/ }).click()
    await page.getByLabel('When').fill('in 20 min')
    await page.getByLabel('What to tell the agent').fill('check CI')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => dashboard.engine.api.calls.some(({ name }) => name === 'addAlarm')).toBe(true)
    await page.getByRole('link', { name: /^Activity/ }).click()
    await page.getByRole('button', { name: /Export/ }).click({ trial: true })
    await page.getByRole('link', { name: /^Sessions/ }).click()
    await page.getByRole('treeitem', { name: 'infra-terraform' }).click()
    await page.getByRole('button', { name: /Keep the old bucket/ }).click()
    await expect.poll(() => dashboard.engine.api.calls.some(({ name }) => name === 'answerDialog')).toBe(true)
  })
})

/** What lies beside the screen or is too small for a thumb, each with its words and size. */
const outside = (page: Page) =>
  page.evaluate((least) => {
    const all = document.querySelectorAll<HTMLElement>('button, a[href], input, textarea, [role="tab"]')
    const shown = [...all].filter((one) => {
      const { width, height, bottom } = one.getBoundingClientRect()
      const seen = one.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })
      return seen && bottom > 0 && (width > 1 || height > 1) && !one.closest('.sr, .pin, .xterm, [aria-hidden="true"]')
    })
    // a pin of the day line is a row of the list below, too
    const of = (one: HTMLElement) => {
      const { left, right, width, height } = (one.closest('.input, .seg') ?? one).getBoundingClientRect()
      const name = one.ariaLabel ?? (one.textContent ?? '').trim().slice(0, 40)
      return { what: `${one.tagName.toLowerCase()}.${one.className} ${name}`, left, right, width, height }
    }
    const wrong = shown.map(of).flatMap(({ what, left, right, width, height }) => {
      if (left < -1 || right > innerWidth + 1) return [`beside: ${what} ${Math.round(left)}-${Math.round(right)}`]
      return height < least - 0.5 || width < 24 ? [`small: ${what} ${Math.round(width)}x${Math.round(height)}`] : []
    })
    const wide = document.scrollingElement?.scrollWidth ?? 0
    return wide > innerWidth ? [`the page is ${wide} wide`, ...wrong] : wrong
  }, thumb)

/** Words that end at an edge without a sign of it, words without a place, and panes that move sideways. */
const cut = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    const skipped = '.sr, .sign, .xterm, [aria-hidden="true"], .rail, svg, .chart, .day'
    for (const one of document.querySelectorAll<HTMLElement>('.app *')) {
      if (!one.checkVisibility({ checkVisibilityCSS: true }) || one.closest(skipped)) continue
      const style = getComputedStyle(one)
      if (/auto|scroll/.test(style.overflowX) && one.scrollWidth > one.clientWidth + 1)
        found.push(`sideways: ${one.className} ${one.scrollWidth} in ${one.clientWidth}`)
      const words = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
      if (!words) continue
      const { left, right } = one.getBoundingClientRect()
      const text = `${one.className} ${(one.textContent ?? '').trim().slice(0, 40)}`
      if (right - left < 1) found.push(`no place: ${text}`)
      for (let box: HTMLElement | null = one; box && !box.matches('.pane'); box = box.parentElement) {
        const { overflowX, textOverflow } = getComputedStyle(box)
        const edge = box === one ? left + box.clientWidth : box.getBoundingClientRect().right
        const end = box === one ? left + box.scrollWidth : right
        if (overflowX === 'visible') continue
        if (textOverflow !== 'ellipsis' && end > edge + 1) found.push(`cut: ${text}`)
        break
      }
    }
    return found
  })
