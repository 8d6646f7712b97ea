import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { noBrowser } from './support/dashboard.ts'
import { axeViolations } from './support/axe.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { unless } from '../../shared/testing/unless.ts'

const pictures = resolve(import.meta.dirname, '../.artifacts/dashboard')
const words = {
  'en-GB': { title: 'Quiet hours', from: 'From', bad: 'A time, as in 22:00.', undo: 'Undo', none: '07:30' },
  'zh-CN': {
    title: '免打扰时段',
    from: '开始',
    bad: '要写成 22:00 这样的时间。',
    undo: '撤销',
    none: '配置文件里有错',
  },
} as const
const looks = [
  [1440, 'light', 'en-GB'],
  [1440, 'dark', 'zh-CN'],
  [900, 'light', 'zh-CN'],
  [900, 'dark', 'en-GB'],
] as const

describe('quiet hours, in the settings', unless(noBrowser), () => {
  const dashboard = dashboardForEach()
  const { calls } = dashboard

  it.each(looks)('are set with the keyboard, and refused in words, at %i px, %s, %s', async (width, theme, locale) => {
    const t = words[locale]
    const page = await dashboard.open({ place: 'settings', width, theme, locale })
    const group = page.getByRole('group', { name: t.title })
    await group.getByRole('status').waitFor()
    await group.scrollIntoViewIfNeeded()
    await mkdir(pictures, { recursive: true })
    await page.screenshot({ path: resolve(pictures, `quiet-${theme}-${width}.png`) })
    const from = group.getByRole('textbox', { name: t.from })
    await from.fill('25')
    await from.press('Enter')
    await group.getByText(t.bad).waitFor()
    await page.screenshot({ path: resolve(pictures, `quiet-refused-${theme}-${width}.png`) })
    expect(await axeViolations(page)).toEqual([])
    await from.fill('7:30')
    await from.press('Enter')
    // the engine's own word: they would be none
    await group.getByRole('alert').getByText(t.none).waitFor()
    await from.fill('2315')
    await from.press('Enter')
    await group.getByRole('textbox', { name: t.from }).and(page.locator('[value="23:15"]')).waitFor()
    await page.getByRole('button', { name: t.undo }).click()
    await group.getByRole('switch').nth(1).focus()
    await page.keyboard.press('Space')
    await waitFor('the switch', () => calls('setQuietHours').length > 2)
    expect(calls('setQuietHours').at(-1)).toEqual({ needsYou: false })
    expect(calls('setQuietHours').slice(0, 2)).toEqual([{ from: '07:30' }, { from: '23:15' }])
    await group.getByRole('switch').first().focus()
    await page.keyboard.press('Space')
    await from.waitFor({ state: 'detached' })
    expect(calls('setQuietHours').at(-1)).toEqual({ on: false })
  })
})
