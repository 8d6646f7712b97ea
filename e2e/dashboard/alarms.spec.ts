import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { mockMoment, noBrowser } from './support/dashboard.ts'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { unless } from '../../shared/testing/unless.ts'

const list = (page: Page) => page.getByRole('grid', { name: 'Alarms by time' })
const row = (page: Page, task: string | RegExp) => page.getByRole('row', { name: task })
const side = (page: Page) => page.getByRole('complementary', { name: 'Missed and history' })
const when = (page: Page) => page.getByRole('textbox', { name: 'When' })
const what = (page: Page) => page.getByRole('textbox', { name: 'What to tell the agent' })
const save = (page: Page) => page.getByRole('button', { name: 'Save' })
const tasks = (page: Page) =>
  list(page)
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: 'Edit alarm' }) })
    .count()
const MINUTE = 60_000

describe('alarms in the dashboard', unless(noBrowser), () => {
  const dashboard = dashboardForEach()
  const { calls } = dashboard
  const open = async (options: Parameters<typeof dashboard.open>[0] = {}): Promise<Page> => {
    const page = await dashboard.open({ place: 'alarms', ...options })
    await page.getByRole('heading', { name: 'Alarms', exact: true }).waitFor()
    return page
  }

  it('are listed by day, next due first, with the day as a line', async () => {
    const page = await open()
    await row(page, /in 18 min.*14:30.*Re-run the flaky suite.*billing-service.*model/s).waitFor()
    expect((await list(page).getByRole('rowheader').allInnerTexts()).map((text) => text.replace(/\s+/, ' '))).toEqual([
      'Today6',
      'Tomorrow1',
      'Later1',
    ])
    await page
      .getByRole('region', { name: 'Day line, 06:00 to 24:00' })
      .getByText('Saturday 21 November, Europe/Berlin')
      .waitFor()
    await page.getByRole('button', { name: '2 alarms, 14:30' }).waitFor()
    await page.getByRole('button', { name: '2 alarms, 10:40, missed' }).waitFor()
    await page.getByRole('radio', { name: 'Model' }).check()
    await expect.poll(() => tasks(page)).toBe(4)
    await page.getByRole('radio', { name: 'All' }).check()
    await expect.poll(() => tasks(page)).toBe(8)
    // a minute later
    await page.clock.setFixedTime(mockMoment + MINUTE)
    await row(page, /in 17 min.*Re-run the flaky suite/s).waitFor()
    await page.locator('.now').getByText('14:13').waitFor()
  })

  it('are set: the time is read as it is typed, and echoed as an instant', async () => {
    const page = await dashboard.open({ place: 'session/docs-site-01jd' })
    await page.getByRole('heading', { name: 'docs-site' }).waitFor()
    await page.keyboard.press('Control+2')
    await page.getByRole('button', { name: 'New alarm' }).click()
    // the session that was looked at comes first
    expect(await page.getByRole('combobox', { name: 'Session' }).inputValue()).toBe('docs-site-01jd')
    await page.getByText('A time as you say it').waitFor()
    await when(page).fill('someday')
    await page.getByText('“someday” is not understood.').waitFor()
    expect(await save(page).isDisabled()).toBe(true)
    await when(page).fill('2020-01-01T09:00:00Z')
    await page.getByText(/^That was 2020-01-01 at 10:00:00/).waitFor()
    expect(await save(page).isDisabled()).toBe(true)
    await when(page).fill('in 45 min')
    await page.getByText('Rings today at 14:57:32, Europe/Berlin, in docs-site.').waitFor()
    expect(await save(page).isDisabled()).toBe(true)
    await what(page).fill('Look at CI')
    await page.keyboard.press('Enter')
    await row(page, /in 45 min.*14:57.*Look at CI.*docs-site.*you/s).waitFor()
    await expect
      .poll(() => calls('addAlarm'))
      .toEqual([{ session: 'docs-site-01jd', dueAt: mockMoment + 45 * MINUTE, task: 'Look at CI' }])
    await expect
      .poll(() => page.getByRole('button', { name: 'New alarm' }).evaluate((el) => el === document.activeElement))
      .toBe(true)
  })

  it('are edited in place, with Enter before the time is read, and left with Esc', async () => {
    const page = await open()
    await row(page, /docs build/)
      .getByRole('button', { name: 'Edit alarm' })
      .click()
    const form = page.getByRole('form', { name: /^Edit alarm/ })
    expect(await when(page).inputValue()).toBe('14:45')
    await form.getByText('Rings today at 14:45:00, Europe/Berlin, in docs-site.').waitFor()
    await page.keyboard.type('in 2 h')
    await form.getByText('Was 14:45.').waitFor()
    await page.keyboard.press('Escape')
    await row(page, /14:45.*docs build/s).waitFor()
    await expect.poll(() => list(page).evaluate((el) => el === document.activeElement)).toBe(true)
    expect(calls('editAlarm')).toEqual([])
    await page.keyboard.press('e')
    await when(page).waitFor()
    await page.keyboard.type('in 2 h')
    await page.keyboard.press('Enter')
    await row(page, /in 2 h.*16:12.*docs build/s).waitFor()
    await expect
      .poll(() => calls('editAlarm'))
      .toEqual([{ alarm: 'a-docs', dueAt: mockMoment + 120 * MINUTE, task: undefined }])
    // only its words: the time stays what it is
    await page.keyboard.press('e')
    await what(page).fill('Read the docs')
    await page.keyboard.press('Enter')
    await row(page, /16:12.*Read the docs/s).waitFor()
    await expect
      .poll(() => calls('editAlarm').at(-1))
      .toEqual({ alarm: 'a-docs', dueAt: undefined, task: 'Read the docs' })
  })

  it('say in place what was refused or changed meanwhile, and keep what was written', async () => {
    const page = await open()
    await row(page, /docs build/)
      .getByRole('button', { name: 'Edit alarm' })
      .click()
    await what(page).fill('Mine')
    dashboard.engine.api.putAlarm('a-docs', { dueAt: mockMoment + 60 * MINUTE })
    await page.getByText('It was changed elsewhere meanwhile and rings today at 15:12:32 now.').waitFor()
    dashboard.engine.api.failNext('editAlarm', 'The disk is full.')
    await save(page).click()
    await page.getByRole('alert').getByText('The disk is full.').waitFor()
    expect(await what(page).inputValue()).toBe('Mine')
    await dashboard.engine.api.cancelAlarm('a-docs')
    await page.getByText('It has been cancelled or missed meanwhile.').waitFor()
    await save(page).click()
    await page.getByRole('alert').getByText('This alarm is not there any more.').waitFor()
    await page.keyboard.press('Escape')
    dashboard.engine.api.failNext('cancelAlarm', 'The alarm is on its way already.')
    await row(page, /flaky/).getByRole('button', { name: 'Cancel alarm' }).click()
    await row(page, /flaky/).getByRole('alert').getByText('The alarm is on its way already.').waitFor()
  })

  it('are cancelled at once, and back with one key, in every window', async () => {
    const [page, other] = [await open(), await open({ theme: 'dark' })]
    await list(page).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Delete')
    await expect.poll(() => tasks(other)).toBe(7)
    await page.getByText('Alarm “Check whether the docs build is…” cancelled').waitFor()
    await side(other).getByText('You cancelled “Check whether the docs build is published” in docs-site').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => tasks(other)).toBe(8)
    await expect.poll(() => [calls('cancelAlarm'), calls('restoreAlarm')]).toEqual([['a-docs'], ['a-docs']])
    await page.locator('.statusbar').getByText('Next alarm 14:30, in 18 min').waitFor()
    await row(page, /flaky/).getByRole('button', { name: 'Cancel alarm' }).click()
    await other.locator('.statusbar').getByText('Next alarm 14:45, in 33 min').waitFor()
  })

  it('that are due or delivered can be put off', async () => {
    const page = await open()
    dashboard.engine.api.putAlarm('a-docs', { state: { kind: 'under-way', route: 'terminal' } })
    await row(page, /on its way.*docs build/s).waitFor()
    expect(
      await row(page, /docs build/)
        .getByRole('button', { name: 'Edit alarm' })
        .isDisabled(),
    ).toBe(true)
    dashboard.engine.api.putAlarm('a-flaky', {
      state: { kind: 'delivered', at: mockMoment },
      dueAt: mockMoment - MINUTE,
    })
    await row(page, /delivered.*flaky/s)
      .getByRole('button', { name: /^Snooze/ })
      .click()
    await row(page, /in 10 min.*14:22.*flaky/s).waitFor()
    expect(
      await row(page, /flaky/)
        .getByRole('button', { name: /^Snooze/ })
        .count(),
    ).toBe(0)
    await page.clock.setFixedTime(mockMoment + 13 * MINUTE)
    await row(page, /3 min late.*flaky/s)
      .getByRole('button', { name: /^Snooze/ })
      .waitFor()
    await list(page).focus()
    await page.keyboard.press('s')
    await expect
      .poll(() => calls('snoozeAlarm'))
      .toEqual([
        { alarm: 'a-flaky', minutes: 10 },
        { alarm: 'a-flaky', minutes: 10 },
      ])
  })

  it('that were missed are delivered, set again, or dismissed, alone or together', async () => {
    const [page, other] = [await open(), await open({ width: 900 })]
    await side(page).getByText('No agent took it within 20 min.').first().waitFor()
    dashboard.engine.api.failNext('settleMissed', 'Its time is long past.')
    await page.getByRole('button', { name: 'Deliver now: “Check the nightly build”' }).click()
    await side(page).getByRole('alert').getByText('Its time is long past.').waitFor()
    await page.getByRole('button', { name: 'Deliver now: “Check the nightly build”' }).click()
    await row(page, /on its way.*nightly build/s).waitFor()
    await other.getByRole('button', { name: '1 missed' }).click()
    await expect
      .poll(() => other.getByRole('button', { name: 'Back to alarms' }).evaluate((el) => el === document.activeElement))
      .toBe(true)
    await other.getByRole('button', { name: 'Reschedule “Ask for the review of PR 381”' }).click()
    await when(other).fill('in 1 h')
    await other.getByText('Rings today at 15:12:32').waitFor()
    await other.keyboard.press('Enter')
    await side(other).getByText('Nothing was missed.').waitFor()
    await other.keyboard.press('Escape')
    await row(other, /15:12.*review of PR 381/s).waitFor()
    const missed = (key: string) => ({
      key,
      taskId: key,
      sessionId: 'docs-site-01jd',
      sessionName: 'docs-site',
      dueAt: mockMoment - 30 * MINUTE,
      task: `Task ${key}`,
      setBy: 'model' as const,
      why: 'unknown' as const,
      at: mockMoment,
    })
    dashboard.engine.api.putAlarms({ missed: [missed('one'), missed('two'), missed('three')] })
    await page.getByRole('button', { name: 'Dismiss “Task one”' }).click()
    await side(page).getByText('You dismissed “Task one” of docs-site').waitFor()
    await page.getByRole('button', { name: 'Dismiss all' }).click()
    expect(calls('dismissAllMissed')).toEqual([])
    await page.getByRole('button', { name: 'Dismiss 2?' }).click()
    await side(page).getByText('Nothing was missed.').waitFor()
    expect(
      calls('settleMissed').map((input) =>
        typeof input === 'object' && input !== null && 'how' in input ? input.how : null,
      ),
    ).toEqual([
      { kind: 'deliver' },
      { kind: 'deliver' },
      { kind: 'reschedule', dueAt: mockMoment + 60 * MINUTE },
      { kind: 'dismiss' },
    ])
    // nothing is lost by a slip: its words and its session are one click away
    await page.getByRole('button', { name: 'Set “Task one” again' }).click()
    expect([await what(page).inputValue(), await page.getByRole('combobox', { name: 'Session' }).count()]).toEqual([
      'Task one',
      0,
    ])
  })

  it('ring in a toast, once per session, unless that session is looked at', async () => {
    const page = await open()
    const toast = (text: string) => page.locator('.toast').filter({ hasText: text })
    const ring = (id: string, sessionId: string, alarms: string[], body: string) =>
      dashboard.engine.api.push({
        type: 'notice',
        notice: { id, class: 'alarm-due', sessionId, title: `Alarm in ${sessionId}`, body, actions: [], alarms },
      })
    ring('n1', 'billing-service-01jd', ['a-flaky'], '14:30  First')
    await toast('First').waitFor()
    ring('n2', 'billing-service-01jd', ['a-flaky'], '14:30  Second')
    await toast('Second').waitFor()
    dashboard.engine.api.putAlarm('a-flaky', {
      state: { kind: 'delivered', at: mockMoment },
      dueAt: mockMoment - MINUTE,
    })
    await row(page, /delivered.*flaky/s).waitFor()
    await expect.poll(() => page.locator('.toast.notice').count()).toBe(1)
    await toast('Second').getByRole('button', { name: 'Snooze 10 min' }).click()
    await page.getByText('Rings at 14:22').waitFor()
    await expect.poll(() => calls('snoozeAlarm')).toEqual([{ alarm: 'a-flaky', minutes: 10 }])
    ring('n3', 'docs-site-01jd', ['a-docs'], '14:45  Third')
    await toast('Third').getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect.poll(() => calls('cancelAlarm')).toEqual(['a-docs'])
    ring('n4', 'billing-service-01jd', ['a-flaky'], '14:30  Fourth')
    await toast('Fourth').getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'billing-service' }).waitFor()
    ring('n5', 'billing-service-01jd', ['a-flaky'], '14:30  Fifth')
    dashboard.engine.api.push({
      type: 'notice',
      notice: {
        id: 'n6',
        class: 'alarm-missed',
        sessionId: 'docs-site-01jd',
        title: '2 alarms missed',
        body: 'docs-site',
        actions: [],
        alarms: [],
      },
    })
    await toast('2 alarms missed').getByRole('button', { name: 'Show missed' }).click()
    await side(page).getByText('Check the nightly build', { exact: true }).waitFor()
    expect(await page.getByText('Fifth').count()).toBe(0)
  })

  it('stand on their session: row, line, tab and palette', async () => {
    const page = await dashboard.open({ place: 'session/billing-service-01jd' })
    await page.getByRole('treeitem', { name: /billing-service.*Next alarm.*14:30/s }).waitFor()
    await page
      .getByRole('treeitem', { name: /landing-page.*Idle until the alarm Monday 30 November at 09:00/s })
      .waitFor()
    const next = page.getByRole('region', { name: 'Next alarm' })
    await next.getByText('“Re-run the flaky suite”').waitFor()
    await next.getByText('set by the model').waitFor()
    await next.getByRole('button', { name: 'Edit alarm' }).click()
    await when(page).fill('in 30 min')
    await page.getByText('Was 14:30.').waitFor()
    await page.keyboard.press('Enter')
    await next.getByText('14:42').waitFor()
    await page
      .locator('.tabs')
      .getByRole('tab', { name: /^Timeline/ })
      .focus()
    await page.keyboard.press('a')
    await page.getByRole('tab', { name: /^Alarms/, selected: true }).waitFor()
    await when(page).fill('in 5 min')
    await what(page).fill('Stretch')
    await page.getByText('Rings today at 14:17:32, Europe/Berlin, in billing-service.').waitFor()
    await page.keyboard.press('Enter')
    await row(page, /in 5 min.*14:17.*Stretch/s).waitFor()
    expect(
      await page
        .getByRole('grid', { name: 'Alarms of this session' })
        .getByRole('button', { name: 'Edit alarm' })
        .count(),
    ).toBe(2)
    // ten minutes later than it would have rung, not ten minutes from now
    await page.locator('body').press('s')
    await page.getByText('Rings at 14:27').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('set an alarm')
    await page.keyboard.press('Enter')
    await when(page).waitFor()
    await expect.poll(() => when(page).evaluate((el) => el === document.activeElement)).toBe(true)
  })

  it('say what they are where there are none, and what is wrong where they cannot be had', async () => {
    dashboard.engine.api.putAlarms({ alarms: [], missed: [], history: [] })
    const page = await open()
    await page.getByText('No alarm is set').waitFor()
    await page.getByText('onward alarm add').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'New alarm' }).last().click()
    await when(page).fill('in 5 min')
    await page.getByText('Rings today at 14:17:32').waitFor()
    dashboard.engine.stop()
    await page.getByText('The engine stopped at').waitFor()
    expect(await page.getByRole('button', { name: 'New alarm' }).first().isDisabled()).toBe(true)
    dashboard.engine.start()
  })

  it('by the thousand stay smooth: only what is seen is drawn, and everything is reached', async () => {
    const { scene } = dashboard.engine.api
    const [first] = scene.alarms.alarms
    if (!first) throw new Error('the scene has alarms')
    dashboard.engine.api.putAlarms({
      alarms: Array.from({ length: 1000 }, (_, i) => ({
        ...first,
        taskId: `t${i}`,
        task: `Task ${i}`,
        dueAt: mockMoment + (i + 1) * 7 * MINUTE,
      })),
      waiting: 1204,
    })
    const page = await open()
    await page.getByText('204 more wait.').waitFor()
    await row(page, /Task 3$|Task 3\b/)
      .first()
      .waitFor()
    const nodes = () => page.evaluate(() => document.querySelectorAll('*').length)
    expect(await nodes()).toBeLessThan(2500)
    await list(page).focus()
    await page.keyboard.press('End')
    await row(page, /Task 999/).waitFor()
    expect(await nodes()).toBeLessThan(2500)
    // a form keeps what is written in it while the list is scrolled
    await page.keyboard.press('e')
    await what(page).fill('Kept')
    await list(page).evaluate((el) => {
      el.scrollTop = 0
    })
    await row(page, /Task 3\b/)
      .first()
      .waitFor()
    await list(page).evaluate((el) => {
      el.scrollTop = el.scrollHeight
    })
    expect(await what(page).inputValue()).toBe('Kept')
  })
})
