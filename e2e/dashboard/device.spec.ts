/** A paired device's page: it offers what its rights allow, and nothing else. */
import type { Page } from 'playwright'
import { afterEach, describe, expect, it } from 'vitest'
import { deviceRights, type DeviceRight } from '../../shared/devices.ts'
import { rightOf } from '../../shared/operations/rights.ts'
import { unless } from '../../shared/testing/unless.ts'
import { scene } from './fake/scene.ts'
import { noBrowser, startDashboard, type Dashboard } from './support/dashboard.ts'

const places = [
  'sessions',
  'session/infra-terraform-01jd',
  'session/billing-service-01jd',
  'session/billing-service-01jd/terminal',
  'session/billing-service-01jd/queue',
  'session/billing-service-01jd/alarms',
  'session/billing-service-01jd/details',
  'session/search-indexer-01jd',
  'alarms',
  'activity',
  'providers',
  'settings',
]
describe('a paired device', unless(noBrowser), () => {
  let dashboard: Dashboard | null = null
  const start = async (rights: readonly DeviceRight[]) =>
    (dashboard = await startDashboard({ makeScene: (now) => ({ ...scene(now), rights }) }))
  afterEach(() => dashboard?.close())

  it.each([[['look'] as const], [deviceRights]])(
    'with %j is offered nothing that its engine would refuse, whatever is pressed',
    async (rights) => {
      const { engine, open } = await start(rights)
      const page = await open({ width: 390, height: 844 })
      for (const place of places) await pressAll(page, place)
      await pressKeys(page)
      const refused = engine.api.calls.filter(({ name }) => !rights.some((right) => right === rightOf(name)))
      expect(refused.map(({ name }) => name)).toEqual([])
    },
  )

  it.each(['new-terminal', 'setup'])(
    'is told at %s, by a link, that it can’t do that, and asks for nothing',
    async (to) => {
      const { engine, open } = await start(deviceRights)
      const page = await open({ width: 390, height: 844 })
      await page.evaluate((place) => (location.hash = `#/${place}`), to)
      await page.getByText('A paired device can’t do this. Do it at the computer.').waitFor()
      expect(await page.getByRole('textbox').count()).toBe(0)
      const refused = engine.api.calls.filter(({ name }) => !deviceRights.some((right) => right === rightOf(name)))
      expect(refused.map(({ name }) => name)).toEqual([])
    },
  )

  it.each(['settings/config', 'settings/logs'])('finds at %s the settings that it has', async (to) => {
    const { engine, open } = await start(deviceRights)
    const page = await open({ width: 390, height: 844 })
    await page.evaluate((place) => (location.hash = `#/${place}`), to)
    await page
      .getByRole('searchbox', { name: 'Search in settings' })
      .or(page.getByPlaceholder('Search in settings'))
      .first()
      .waitFor()
    expect(engine.api.calls.filter(({ name }) => name === 'configText' || name === 'logPage')).toEqual([])
  })
})

/** Everything on the page of a place, one after the other, and what opens by that. */
async function pressAll(page: Page, place: string): Promise<void> {
  const seen: string[] = []
  for (;;) {
    await page.evaluate((to) => (location.hash = `#/${to}`), place)
    await page.locator('.pane[aria-busy]').waitFor({ state: 'detached' })
    const pressed = await page.evaluate((before) => {
      const all = document.querySelectorAll<HTMLElement>('button:not(:disabled), [role="menuitem"], [role="switch"]')
      const nameOf = (one: HTMLElement) => one.ariaLabel ?? one.textContent ?? ''
      const next = [...all].find((one) => one.checkVisibility() && !before.includes(nameOf(one)))
      next?.click()
      return next ? nameOf(next) : null
    }, seen)
    if (pressed === null) break
    seen.push(pressed)
  }
  await page.keyboard.press('Escape')
}

async function pressKeys(page: Page): Promise<void> {
  await page.evaluate(() => (location.hash = '#/session/billing-service-01jd'))
  await page.getByRole('heading', { name: 'billing-service' }).waitFor()
  for (const key of ['p', 'Shift+P', 'g', 'r', 'a', 's', 'e', '+', 'n', 'F2', 'Delete']) await page.keyboard.press(key)
}
