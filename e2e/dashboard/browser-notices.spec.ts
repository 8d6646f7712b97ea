import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { Notice } from '../../shared/state.ts'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { noBrowser } from './support/dashboard.ts'
import { unless } from '../../shared/testing/unless.ts'

const id = 'billing-service-01jd'
const notice: Notice = {
  id: 'n1',
  class: 'needs-you',
  sessionId: id,
  title: 'billing-service needs you',
  body: 'Asks to run “rm -rf build”',
  actions: [],
}

/** A browser without a desktop shows none and can't be asked: this stands for its part. */
async function standIn(page: Page): Promise<void> {
  await page.evaluate(() => {
    const shown: { title: string; body: string; onclick: (() => void) | null }[] = []
    class StandIn {
      static permission = 'default'
      static async requestPermission() {
        StandIn.permission = 'granted'
        return 'granted'
      }
      onclick: (() => void) | null = null
      body: string
      constructor(
        readonly title: string,
        { body }: { body: string },
      ) {
        this.body = body
        shown.push(this)
      }
      close() {}
    }
    Object.assign(window, { Notification: StandIn, shown })
  })
}

describe('notifications of the browser', unless(noBrowser), () => {
  const dashboard = dashboardForEach()

  it('are asked for in context, name what is asked, and lead to the question', async () => {
    const { api } = dashboard.engine
    const page = await dashboard.open({ place: 'alarms' })
    await standIn(page)
    expect(await page.getByText('Notify me').count()).toBe(0)
    api.push({ type: 'notice', notice })
    await page.getByText('This browser can tell you so while you look elsewhere.').waitFor()
    await page.getByRole('button', { name: 'Notify me' }).click()
    await page.getByRole('button', { name: 'Notify me' }).waitFor({ state: 'detached' })

    api.put(id, { shape: 'needs', say: { code: 'needs-you', what: 'permission: rm -rf build' } })
    // Sessions are drawn in batches: a click leads to what is known by then.
    await page.getByText('3 need you', { exact: true }).waitFor()
    api.push({ type: 'notice', notice: { ...notice, id: 'n2' } })
    const shown = () => page.evaluate(() => Object(window).shown.map((one: { body: string }) => one.body))
    await expect.poll(shown).toEqual(['Asks to run “rm -rf build”'])
    await page.evaluate(() => Object(window).shown[0].onclick())
    await page.getByRole('heading', { name: 'billing-service' }).waitFor()
    await page.getByRole('region', { name: 'What needs you' }).getByText('rm -rf build').waitFor()
  })
})
