/** From a wall of 4K to a page at 200 %: lines can be read, and what can be pressed lies on the page. */
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unless } from '../../shared/testing/unless.ts'
import { noBrowser, startDashboard, type Dashboard } from './support/dashboard.ts'

const places = [
  'sessions',
  'session/infra-terraform-01jd',
  'session/billing-service-01jd',
  'session/billing-service-01jd/queue',
  'session/billing-service-01jd/details',
  'session/billing-service-01jd/rounds',
  'alarms',
  'activity',
  'providers',
  'settings',
]

describe('a page of any width', unless(noBrowser), () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await startDashboard()
  })
  afterAll(() => dashboard?.close())

  it.each([
    [3840, 2160],
    [2150, 1343],
    [1440, 900],
    [720, 450],
  ])('of %i × %i has no line that is too long to read, and no button beyond its edge', async (width, height) => {
    const page = await dashboard.open({ width, height })
    for (const place of places) {
      await show(page, place)
      const found = [place, await page.evaluate(longLines), await page.evaluate(beyond)]
      // as text: a message has the whole of it
      expect(JSON.stringify(found)).toBe(JSON.stringify([place, [], []]))
    }
    await dashboard.closePages()
  })

  it.each([
    ['session/infra-terraform-01jd', '.card.asks', '.pane.over'],
    ['settings', '.set-page > :last-child', '.pane'],
    ['alarms', '.a-list', '.pane.alarms'],
  ])('has what is read at %s in the middle of a 4K screen, not in a corner', async (place, what, pane) => {
    const page = await dashboard.open({ width: 3840, height: 2160 })
    await show(page, place)
    const middleOf = async (selector: string) => {
      const { x, width } = (await page.locator(selector).first().boundingBox()) ?? { x: 0, width: 0 }
      return x + width / 2
    }
    expect(Math.abs((await middleOf(what)) - (await middleOf(pane)))).toBeLessThan(160)
    await dashboard.closePages()
  })
})

async function show(page: Page, place: string): Promise<void> {
  await page.evaluate((to) => (location.hash = `#/${to}`), place)
  await page.locator('.pane[aria-busy]').waitFor({ state: 'detached' })
}

/** Runs in the page. Texts with lines of more than 90 characters, of the usual width, as they are shown. */
function longLines(): string[] {
  const canvas = document.createElement('canvas').getContext('2d')
  const sample = 'the quick brown fox jumps over the lazy dog and so on'
  return [...document.querySelectorAll<HTMLElement>('p, li, dd, span, blockquote')]
    .filter((one) => one.checkVisibility() && [...one.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE))
    .filter((one) => {
      const { font, whiteSpace } = getComputedStyle(one)
      if (!canvas || whiteSpace === 'pre') return false
      canvas.font = font
      const range = document.createRange()
      range.selectNodeContents(one)
      const shown = one.getBoundingClientRect().width
      const widest = Math.max(...[...range.getClientRects()].map(({ width }) => Math.min(width, shown)))
      // a few more: letters differ in their width
      return widest > (canvas.measureText(sample).width / sample.length) * 94
    })
    .map((one) => one.textContent ?? '')
}

/** Runs in the page. */
const beyond = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('button, a, input')]
    .filter((one) => one.checkVisibility({ checkVisibilityCSS: true }))
    .filter((one) => {
      const { left, right, width } = one.getBoundingClientRect()
      // what is for a screen reader alone has no width to speak of
      return width > 2 && (left < -1 || right > innerWidth + 1)
    })
    .map((one) => one.ariaLabel ?? one.textContent ?? '')
