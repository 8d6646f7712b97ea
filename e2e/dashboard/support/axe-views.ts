import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atLimit } from '../fake/scene-routing.ts'
import { isBlocked, turnFailed, waitsForApproval } from '../fake/scene-goals.ts'
import { axeViolations } from './axe.ts'
import { afterCrash, desktopBanners, withBanner } from './desktop-banners.ts'
import { settingsInDesktop } from './in-desktop.ts'
import { mockMoment, noBrowser, startDashboard, type Dashboard } from './dashboard.ts'
import { unless } from '../../../shared/testing/unless.ts'

/** Declares a test per view, in this theme. */
export function axeFindsNothing(theme: 'light' | 'dark', chinese: 'all' | 'sample' | 'none' = 'none'): void {
  describe('axe finds nothing', unless(noBrowser), () => views(theme, chinese))
}

/** What a person who reads Chinese meets first. */
const sampled = ['setup', 'providers', 'settings', 'alarms']

function views(theme: 'light' | 'dark', chinese: 'all' | 'sample' | 'none'): void {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await startDashboard()
  })
  afterAll(async () => {
    await dashboard?.close()
  })

  const firstRun = (step: RegExp) => async (page: Page) => {
    await page.getByRole('button', { name: step }).first().click()
  }
  const places: [what: string, place: string, prepare?: (page: Page) => Promise<unknown>][] = [
    [
      'the timeline with a reason open',
      'session/billing-service-01jd',
      (page) => page.getByRole('button', { name: /^Why: Fired/ }).click(),
    ],
    [
      'the terminal',
      'session/billing-service-01jd/terminal',
      (page) => page.locator('.xterm-rows').getByText('214 total').waitFor(),
    ],
    [
      'the queue while editing',
      'session/data-migration-01jd/queue',
      (page) => page.getByRole('button', { name: 'Edit', exact: true }).first().click(),
    ],
    ['details', 'session/billing-service-01jd/details'],
    ['a session that asks', 'session/api-gateway-01jd'],
    [
      'a session whose choices can be pressed',
      'session/infra-terraform-01jd',
      (page) => page.getByRole('button', { name: 'Keep the old bucket' }).waitFor(),
    ],
    [
      'a session without a terminal, and agents to adopt',
      'session/search-indexer-01jd/terminal',
      (page) => page.getByRole('button', { name: /^Adopt claude/ }).waitFor(),
    ],
    [
      'the question before a session is deleted',
      'session/landing-page-01jd',
      async (page) => {
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Delete…' }).click()
        await page.getByRole('dialog').waitFor()
      },
    ],
    ['a failed session', 'session/search-indexer-01jd'],
    ['an idle session', 'session/landing-page-01jd'],
    ['the palette', 'session/billing-service-01jd', (page) => page.keyboard.press('Control+k')],
    ['new terminal', 'new-terminal', (page) => page.getByRole('radio').first().waitFor()],
    [
      'a folder to choose',
      'new-terminal',
      async (page) => {
        await page.getByRole('button', { name: 'Choose…' }).click()
        await page.getByRole('option', { name: 'code' }).waitFor()
      },
    ],
    [
      'a terminal before its first turn',
      'new-terminal',
      async (page) => {
        await page.getByRole('radio', { name: /^codex/ }).check()
        await page.getByRole('button', { name: 'Open', exact: true }).click()
        await page.getByRole('button', { name: 'Keep going' }).click()
        await page.getByRole('button', { name: 'Arm', exact: true }).click()
        await page.getByRole('button', { name: 'Start now' }).waitFor()
      },
    ],
    ['shortcuts', 'sessions', (page) => page.keyboard.press('?')],
    ['a menu', 'session/billing-service-01jd', (page) => page.getByRole('button', { name: 'More actions' }).click()],
    ['the filter', 'sessions', (page) => page.getByRole('button', { name: 'Filter and sort' }).click()],
    [
      'a search without a match',
      'sessions',
      async (page) => {
        await page.keyboard.press('/')
        await page.keyboard.type('kimi')
      },
    ],
    ['alarms', 'alarms', (page) => page.getByRole('button', { name: '2 alarms, 14:30' }).click()],
    [
      'an alarm while it is edited, to a time that is over',
      'alarms',
      async (page) => {
        await page
          .getByRole('row', { name: /docs build/ })
          .getByRole('button', { name: 'Edit alarm' })
          .click()
        await page.keyboard.type('2020-01-01T09:00:00Z')
        await page.getByText('An alarm needs a time to come').waitFor()
      },
    ],
    [
      'a new alarm, and a missed one while it is set again',
      'alarms',
      async (page) => {
        await page.getByRole('button', { name: 'New alarm' }).click()
        await page
          .getByRole('button', { name: /^Reschedule/ })
          .first()
          .click()
      },
    ],
    [
      'an alarm that rings',
      'activity',
      async (page) => {
        dashboard.engine.api.push({
          type: 'notice',
          notice: {
            id: 'n',
            class: 'alarm-due',
            sessionId: 'docs-site-01jd',
            title: 'Alarm in docs-site',
            body: '14:45  Check the build',
            actions: [],
            alarms: ['a-docs'],
          },
        })
        await page.getByRole('button', { name: 'Snooze 10 min' }).waitFor()
      },
    ],
    [
      'the alarms of a session',
      'session/billing-service-01jd/alarms',
      (page) => page.getByRole('row', { name: /flaky/ }).waitFor(),
    ],
    ['activity with a record', 'activity', (page) => page.getByRole('row', { name: /429, next provider/ }).click()],
    ['what was spent', 'activity', (page) => page.getByRole('button', { name: 'Cost', exact: true }).click()],
    [
      'what happened while away',
      'activity',
      (page) => page.getByRole('button', { name: 'While you were away' }).click(),
    ],
    ['activity with a value shown', 'activity', (page) => page.getByRole('slider').first().press('ArrowLeft')],
    [
      'a session at its limit',
      'session/landing-page-01jd',
      () => {
        dashboard.engine.api.put('landing-page-01jd', atLimit(mockMoment, true))
        return Promise.resolve()
      },
    ],
    ['the details of a session at its limit', 'session/landing-page-01jd/details'],
    ['providers', 'providers'],
    [
      'a provider that is edited, with mistakes',
      'providers',
      async (page) => {
        await page.getByRole('button', { name: 'Edit zai' }).click()
        await page.getByRole('button', { name: 'Fetch models' }).click()
        await page.getByRole('button', { name: 'Add glm-5-flash' }).click()
        await page.getByLabel('glm-5-flash, dollars per million, In').fill('much')
        await page.getByRole('button', { name: 'Add a key' }).click()
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('Paste the key.').waitFor()
      },
    ],
    [
      'a reason of the reviewer',
      'session/billing-service-01jd',
      (page) => page.getByRole('button', { name: /^Why: Reviewer/ }).click(),
    ],
    ['a goal while it is changed', 'session/billing-service-01jd', (page) => page.locator('body').press('g')],
    [
      'a check while it is added',
      'session/billing-service-01jd',
      async (page) => {
        await page.getByRole('button', { name: 'Add a check…' }).click()
        await page.keyboard.press('Enter')
        await page.getByRole('alert').waitFor()
      },
    ],
    [
      'rounds with a reason open',
      'session/billing-service-01jd/rounds',
      (page) => page.getByRole('button', { name: /^Why: Round 11/ }).click(),
    ],
    ['a reviewer that is looking', 'session/docs-site-01jd'],
    [
      'checks that wait for a word',
      'session/changelog-01jd',
      (page) => {
        dashboard.engine.api.put('changelog-01jd', waitsForApproval(mockMoment, '/home/me/code/changelog'))
        return page.getByText('May 2 checks run?').waitFor()
      },
    ],
    [
      'a word on a check',
      'session/changelog-01jd',
      async (page) => {
        await page.getByRole('button', { name: 'Approve test' }).first().click()
        await page.getByRole('dialog').getByText('Before').waitFor()
      },
    ],
    [
      'a blocker',
      'session/changelog-01jd',
      (page) => {
        dashboard.engine.api.put('changelog-01jd', isBlocked(mockMoment))
        return page.getByText('The reviewer needs you').waitFor()
      },
    ],
    [
      'settings with a number out of bounds, and a key while it is made',
      'settings',
      async (page) => {
        const late = page.getByRole('textbox', { name: 'Ring late by up to' })
        await late.fill('0')
        await late.press('Enter')
        await page.getByText('From 1 to 10080 min.').waitFor()
        await page.getByText('More numbers').first().click()
        await page.getByRole('region', { name: 'Security' }).getByRole('button', { name: 'Add a key' }).click()
        await page.getByRole('textbox', { name: 'Name, who it is for' }).fill('nas')
        await page.getByRole('button', { name: 'Make the key' }).click()
        await page.getByText('it is shown this once').waitFor()
      },
    ],
    [
      'quiet hours with a time that is none',
      'settings',
      async (page) => {
        const from = page.getByRole('group', { name: 'Quiet hours' }).getByRole('textbox', { name: 'From' })
        await from.fill('25')
        await from.press('Enter')
        await page.getByText('A time, as in 22:00.').waitFor()
      },
    ],
    ['the first steps', 'setup'],
    ['the first steps, at the agents', 'setup', firstRun(/^An agent/)],
    ['the first steps, at the demo', 'setup', firstRun(/^Try it/)],
    [
      'a turn that failed',
      'session/pricing-scraper-01jd',
      async (page) => {
        dashboard.engine.api.put('pricing-scraper-01jd', turnFailed(mockMoment))
        await page.getByText('The last turn failed').first().waitFor()
      },
    ],
    [
      'notifications elsewhere',
      'settings',
      (page) => page.getByRole('listitem', { name: 'team channel' }).scrollIntoViewIfNeeded(),
    ],
    ['the config', 'settings/config', (page) => page.getByRole('textbox', { name: 'Config file' }).waitFor()],
    ['the log', 'settings/logs', (page) => page.getByText('the provider answered 429').waitFor()],
    ['settings in the desktop app', 'settings', settingsInDesktop],
    ['settings', 'settings', (page) => page.getByRole('button', { name: 'Check now' }).click()],
  ]
  it.each(places)(`in %s, ${theme}`, async (_what, place, prepare) => {
    const page = await dashboard.open({ theme, place, reducedMotion: true })
    if (place !== 'setup') await page.locator('.statusbar .num').first().waitFor()
    await page
      .getByRole('treeitem')
      .or(page.getByRole('heading', { level: 1 }))
      .first()
      .waitFor()
    await prepare?.(page)
    await page.waitForFunction(() => document.getAnimations().every((a) => a.playState !== 'running'))
    expect(await axeViolations(page)).toEqual([])
    await dashboard.closePages()
  })

  const isClean = async (page: Page) => {
    await page
      .getByRole('treeitem')
      .or(page.getByRole('heading', { level: 1 }))
      .first()
      .waitFor()
    await page.waitForFunction(() => document.getAnimations().every((a) => a.playState !== 'running'))
    expect(await axeViolations(page)).toEqual([])
    await dashboard.closePages()
  }
  const inChinese = [...new Set(places.map(([, place]) => place))].filter(
    (place) => chinese === 'all' || (chinese === 'sample' && sampled.includes(place)),
  )
  if (inChinese.length > 0)
    it.each(inChinese)(`in Chinese, %s, ${theme}`, async (place) => {
      const page = await dashboard.open({ theme, place, locale: 'zh-CN', reducedMotion: true })
      await isClean(page)
    })

  for (const locale of ['en-GB', 'zh-CN'] as const) {
    const how = { theme, locale, reducedMotion: true }
    it.each(desktopBanners)(`in the %s of the desktop app, ${locale}, ${theme}`, async (_name, state) => {
      expect(await axeViolations(await withBanner(dashboard, state, how))).toEqual([])
      await dashboard.closePages()
    })
    it(`in the settings after a crash, ${locale}, ${theme}`, async () => {
      expect(await axeViolations(await afterCrash(dashboard, how))).toEqual([])
      await dashboard.engine.api.forgetCrashes()
      await dashboard.closePages()
    })
  }

  const narrow = ['sessions', 'session/billing-service-01jd', 'alarms', 'activity', 'providers', 'settings', 'setup']
  it.each([390, 900].flatMap((width) => narrow.map((place) => [width, place] as const)))(
    `%s pixels wide, %s, ${theme}`,
    async (width, place) => {
      const page = await dashboard.open({ theme, place, width, reducedMotion: true })
      await isClean(page)
    },
  )

  it(`without an engine, ${theme}`, async () => {
    const page = await dashboard.open({ theme, place: 'session/billing-service-01jd', reducedMotion: true })
    await page.getByRole('heading', { name: 'billing-service' }).waitFor()
    dashboard.engine.stop()
    await page.getByText('The engine stopped at').waitFor()
    expect(await axeViolations(page)).toEqual([])
    dashboard.engine.start()
    await dashboard.closePages()
  })
}
