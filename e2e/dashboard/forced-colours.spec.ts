/**
 * Forced colours (Windows' contrast themes) take backgrounds away: what only a background showed has to be drawn
 * anew.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright'
import { unless } from '../../shared/testing/unless.ts'
import { noBrowser, startDashboard, type Dashboard } from './support/dashboard.ts'

const places = [
  'sessions',
  'session/infra-terraform-01jd',
  'session/billing-service-01jd',
  'session/billing-service-01jd/queue',
  'session/billing-service-01jd/rounds',
  'session/billing-service-01jd/alarms',
  'alarms',
  'activity',
  'activity/cost',
  'providers',
  'settings',
]

describe('in forced colours', unless(noBrowser), () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await startDashboard()
  })
  afterAll(() => dashboard?.close())

  it.each(places)('no mark of %s goes: bars, swatches, ticks, and what is chosen', async (place) => {
    const page = await dashboard.open({ place })
    await page.locator('.pane[aria-busy]').waitFor({ state: 'detached' })
    await page.locator('.statusbar .num').first().waitFor()
    await page.locator('.skel').first().waitFor({ state: 'detached' })
    await seesMarks(page)
    expect(
      (await page.evaluate(chosenTabs)).filter((chosen) => chosen !== 1),
      'tabs of a row that look chosen',
    ).toEqual([])
    await page.emulateMedia({ forcedColors: 'none' })
    await dashboard.closePages()
  })

  it('no place of a list that is awaited goes', async () => {
    const page = await dashboard.open()
    let held = true
    await page.routeWebSocket(/./, (socket) => (held ? undefined : socket.connectToServer()))
    await page.reload()
    await page.locator('.skel').first().waitFor()
    await seesMarks(page)
    held = false
    await page.emulateMedia({ forcedColors: 'none' })
    await dashboard.closePages()
  })
})

async function seesMarks(page: Page): Promise<void> {
  await page.evaluate(mark)
  await page.emulateMedia({ forcedColors: 'active' })
  expect(await page.evaluate(gone)).toEqual([])
}

/** Runs in the page: marks what has no words and is seen by its background alone, or is chosen. */
function mark(): void {
  const clear = 'rgba(0, 0, 0, 0)'
  for (const one of document.querySelectorAll<HTMLElement>('body *')) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.closest('.xterm, .sr')) continue
    const { width, height } = one.getBoundingClientRect()
    const { backgroundColor } = getComputedStyle(one)
    const wordless = one.textContent === '' && width >= 2 && height >= 2 && width * height < 20_000
    const shown = backgroundColor !== clear && backgroundColor !== getComputedStyle(document.body).backgroundColor
    const chosen = one.matches('[aria-selected="true"], [aria-current]:not([aria-current="false"])')
    if ((wordless && shown && one.childElementCount === 0) || chosen) one.dataset.mark = ''
  }
}

/** Runs in the page: the marks that look like the canvas now. */
function gone(): string[] {
  const canvas = document.createElement('i')
  canvas.style.background = 'Canvas'
  document.body.append(canvas)
  const none = ['rgba(0, 0, 0, 0)', getComputedStyle(canvas).backgroundColor]
  canvas.remove()
  const drawn = (one: Element): boolean => {
    const style = getComputedStyle(one)
    const edge = ['Top', 'Right', 'Bottom', 'Left'].some((side) => {
      const [width, kind, colour] = ['Width', 'Style', 'Color'].map((of) =>
        style.getPropertyValue(`border-${side.toLowerCase()}-${of.toLowerCase()}`),
      )
      return width !== '0px' && kind !== 'none' && !none.includes(colour ?? '')
    })
    return (
      !none.includes(style.backgroundColor) ||
      style.backgroundImage !== 'none' ||
      style.boxShadow !== 'none' ||
      (style.outlineStyle !== 'none' && style.outlineWidth !== '0px') ||
      edge
    )
  }
  const marks = [...document.querySelectorAll('[data-mark]')].filter(
    (one) => !drawn(one) && ![...one.children].some(drawn),
  )
  return [...new Set(marks.map((one) => `${one.tagName} ${one.className} in ${one.parentElement?.className}`))]
}

/** Runs in the page: how many tabs of each row are underlined. */
function chosenTabs(): number[] {
  const plain = getComputedStyle(document.body).backgroundColor
  return [...document.querySelectorAll('.tabs')].map(
    (row) =>
      [...row.querySelectorAll('[role="tab"], .m-tab')].filter(
        (tab) => getComputedStyle(tab).borderBottomColor !== plain,
      ).length,
  )
}
