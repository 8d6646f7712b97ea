import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { mockMoment, noBrowser } from './support/dashboard.ts'
import { axeViolations } from './support/axe.ts'
import { unless } from '../../shared/testing/unless.ts'

const pictures = resolve(import.meta.dirname, '../.artifacts/dashboard')
const looks = [
  [1440, 'light', 'en-GB'],
  [900, 'dark', 'zh-CN'],
] as const

describe('notifications elsewhere, in the settings', unless(noBrowser), () => {
  const dashboard = dashboardForEach()
  const { calls } = dashboard

  it.each(looks)('are told with what fails, and edited, at %i px, %s, %s', async (width, theme, locale) => {
    const { api } = dashboard.engine
    const [phone, team] = api.scene.status.outside ?? []
    if (!phone || !team) throw new Error('the scene has no places')
    const why = { code: 'answered', status: 404, said: 'no_service' } as const
    api.putStatus({ outside: [phone, { ...team, state: { kind: 'failed', at: mockMoment, why } }] })
    const page = await dashboard.open({ place: 'settings', width, theme, locale })
    const row = page.getByRole('listitem', { name: 'team channel' })
    await row.getByText('no_service').waitFor()
    await page.getByRole('contentinfo').getByText('team channel').waitFor()
    await row.scrollIntoViewIfNeeded()
    await mkdir(pictures, { recursive: true })
    await page.screenshot({ path: resolve(pictures, `outside-${theme}-${width}.png`) })
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('listitem', { name: 'phone' }).getByRole('button').nth(1).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { checked: true }).first().waitFor()
    await page.screenshot({ path: resolve(pictures, `outside-dialog-${theme}-${width}.png`) })
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: /^(Save|保存)$/ }).click()
    await dialog.waitFor({ state: 'detached' })
    // Nothing was changed, and nothing secret goes back and forth.
    expect(calls('saveOutside')).toEqual([
      {
        was: 'phone',
        name: 'phone',
        kind: 'ntfy',
        url: null,
        token: null,
        on: true,
        classes: ['goal-reached', 'needs-you', 'budget'],
        texts: false,
      },
    ])
  })
})
