import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenConfig, sceneConfig } from '../fake/fake-config-text.ts'
import { atLimit } from '../fake/scene-routing.ts'
import type { HeldMarkerView } from '../../../shared/state.ts'
import { scene } from '../fake/scene.ts'
import { hasLeftGoal, isStuck, standsInLine, turnFailed, waitsForApproval } from '../fake/scene-goals.ts'
import { afterCrash, desktopBanners, withBanner } from './desktop-banners.ts'
import { settingsInDesktop } from './in-desktop.ts'
import { mockMoment, noBrowser, startDashboard, type Dashboard } from './dashboard.ts'
import { unless } from '../../../shared/testing/unless.ts'

const dir = resolve(import.meta.dirname, '../../.artifacts/dashboard')
export type Appearance = readonly [width: 1440 | 900, theme: 'light' | 'dark']

const notFollowed: readonly HeldMarkerView[] = [
  { id: 'm1', marker: '<**sm:"ship it",3**>', why: 'in-paste', at: mockMoment },
  {
    id: 'm2',
    marker: '<**sm:file://.onward/goals/release.md**>',
    why: 'new-file',
    at: mockMoment,
    goal: 'Write the release notes.\nEvery change since the last tag is in them, each with its issue.',
  },
]

/**
 * Clicks the button where it hides the other, which depends on the width. Views come a moment after the frame: one that
 * is not there yet has neither.
 */
async function behind(button: Locator, hidden: Locator): Promise<void> {
  await button.or(hidden).filter({ visible: true }).first().waitFor()
  if (await button.isVisible()) await button.click()
}

/** What moves or fades has come to its end; what goes round for ever is not waited for. */
const atRest = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const moving = () =>
      document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    // A change draws one frame before its transition begins.
    for (let still = 0; still < 3; still = moving().some((one) => one.playState === 'running') ? 0 : still + 1)
      await frame()
  })

/** Declares a test per view and look, whose picture it leaves in `e2e/.artifacts/dashboard`. */
export function everyView(appearances: readonly Appearance[]): void {
  describe('every view, at both widths and in both themes', unless(noBrowser), () => views(appearances))
}

function views(appearances: readonly Appearance[]): void {
  let dashboard: Dashboard
  beforeAll(async () => {
    await mkdir(dir, { recursive: true })
    dashboard = await startDashboard()
  })
  afterAll(async () => {
    await dashboard?.close()
  })

  const places: [name: string, place: string, prepare?: (page: Page) => Promise<unknown>][] = [
    ['sessions', 'session/billing-service-01jd', (page) => page.getByRole('button', { name: /^Why: Fired/ }).click()],
    [
      'terminal',
      'session/billing-service-01jd/terminal',
      (page) => page.locator('.xterm-rows').getByText('Tests: 2 failed').waitFor(),
    ],
    ['queue', 'session/data-migration-01jd/queue'],
    ['details', 'session/billing-service-01jd/details'],
    ['needs', 'session/api-gateway-01jd'],
    [
      'needs-hosted',
      'session/infra-terraform-01jd',
      (page) => page.getByRole('button', { name: 'Keep the old bucket' }).waitFor(),
    ],
    [
      'no-terminal',
      'session/search-indexer-01jd/terminal',
      (page) => page.getByRole('button', { name: /^Adopt claude/ }).waitFor(),
    ],
    [
      'delete-session',
      'session/landing-page-01jd',
      async (page) => {
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Delete…' }).click()
        await page.getByRole('dialog').waitFor()
      },
    ],
    ['failed', 'session/search-indexer-01jd'],
    ['idle', 'session/landing-page-01jd'],
    [
      'alarms',
      'alarms',
      async (page) => {
        await page
          .getByRole('row', { name: /docs build/ })
          .getByRole('button', { name: 'Edit alarm' })
          .click()
        await page.keyboard.type('in 45 min')
        await page.getByText('Was 14:45.').waitFor()
      },
    ],
    [
      'missed',
      'alarms',
      async (page) => {
        const text = page.getByText('No agent took it').first()
        await behind(page.getByRole('button', { name: '2 missed' }), text)
        await text.waitFor()
      },
    ],
    [
      'session-alarms',
      'session/billing-service-01jd/alarms',
      (page) => page.getByRole('button', { name: 'Set alarm' }).click(),
    ],
    ['activity', 'activity', (page) => page.getByRole('row', { name: /48\.2k/ }).click()],
    ['cost', 'activity', (page) => page.getByRole('button', { name: 'Cost', exact: true }).click()],
    [
      'activity-week',
      'activity',
      async (page) => {
        await page.getByRole('radio', { name: '7 days' }).check()
        await page.getByRole('slider', { name: 'Tokens per 6 hours' }).press('ArrowLeft')
      },
    ],
    [
      'limit',
      'session/docs-site-01jd',
      async (page) => {
        dashboard.engine.api.put('docs-site-01jd', atLimit(mockMoment, true))
        await page.getByRole('region', { name: 'Limit' }).waitFor()
      },
    ],
    ['providers', 'providers'],
    [
      'routing',
      'providers',
      async (page) => {
        const tokens = page.getByLabel('Tokens', { exact: true })
        await behind(page.getByRole('button', { name: 'Routing', exact: true }), tokens)
        await tokens.fill('82 000')
        await page.getByText(/^Route longContext/).waitFor()
      },
    ],
    [
      'add-provider',
      'providers',
      async (page) => {
        await page.getByRole('button', { name: 'Add provider' }).first().click()
        await page.getByRole('button', { name: 'Add and test' }).click()
      },
    ],
    [
      'provider-edit',
      'providers',
      async (page) => {
        await page.getByRole('button', { name: 'Edit zai' }).click()
        await page.getByRole('button', { name: 'Fetch models' }).click()
        await page.getByRole('button', { name: 'Add glm-5-flash' }).click()
        await page.getByRole('button', { name: 'More for key spare' }).click()
        await page.getByRole('menuitem', { name: 'Replace or rename' }).click()
        await page.getByLabel('glm-5-flash, dollars per million, In').fill('much')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('A price is a number of dollars, or empty.').waitFor()
      },
    ],
    [
      'provider-added',
      'providers',
      async (page) => {
        await page.getByRole('button', { name: 'Add provider' }).first().click()
        await page.getByLabel('Name in the config').fill(`deep-${Math.random().toString(36).slice(2, 6)}`)
        await page.getByRole('radio', { name: 'Environment variable' }).check()
        await page.getByRole('button', { name: 'Add and test' }).click()
        await page.getByRole('button', { name: /^Add glm-5 ?200 000$/ }).click()
        await page.getByText('In no route yet: add').waitFor()
      },
    ],
    [
      'review-why',
      'session/billing-service-01jd',
      (page) => page.getByRole('button', { name: /^Why: Reviewer/ }).click(),
    ],
    [
      'rounds',
      'session/billing-service-01jd/rounds',
      (page) => page.getByRole('button', { name: /^Why: Round 11/ }).click(),
    ],
    ['goal-edit', 'session/billing-service-01jd', (page) => page.locator('body').press('g')],
    [
      'goal-reached',
      'session/auth-rework-01jd',
      (page) => page.getByRole('region', { name: 'Reviewer round 18' }).waitFor(),
    ],
    [
      'checks-asked',
      'session/changelog-01jd',
      (page) => {
        dashboard.engine.api.put('changelog-01jd', waitsForApproval(mockMoment, '/home/me/code/changelog'))
        return page.getByText('May 2 checks run?').waitFor()
      },
    ],
    [
      'check-approve',
      'session/changelog-01jd',
      (page) => page.getByRole('button', { name: 'Approve test' }).first().click(),
    ],
    [
      'stuck',
      'session/changelog-01jd',
      (page) => {
        dashboard.engine.api.put('changelog-01jd', isStuck(mockMoment))
        return page.getByText('Change the goal').waitFor()
      },
    ],
    [
      'left-goal',
      'session/landing-page-01jd',
      (page) => {
        dashboard.engine.api.put('landing-page-01jd', hasLeftGoal())
        return page.locator('section.card').getByText('Carry on here?').waitFor()
      },
    ],
    [
      'standing',
      'session/pricing-scraper-01jd',
      (page) => {
        // as the scene begins: a view before this one may have emptied its queue
        const session = scene(mockMoment).sessions.find(({ id }) => id === 'pricing-scraper-01jd')
        if (session) dashboard.engine.api.put(session.id, standsInLine(mockMoment, session))
        return page.locator('section.card').getByText('The text stands in the input line').first().waitFor()
      },
    ],
    ['standing-terminal', 'session/pricing-scraper-01jd/terminal'],
    [
      'turn-failed',
      'session/pricing-scraper-01jd',
      (page) => {
        dashboard.engine.api.put('pricing-scraper-01jd', { ...turnFailed(mockMoment), queue: [] })
        return page.getByText('The last turn failed').waitFor()
      },
    ],
    [
      'turn-failed-goes-on',
      'session/pricing-scraper-01jd',
      (page) => {
        const goesOn = { targets: ['anthropic.claude-sonnet-4-5'], tryAt: null, tries: 1 }
        dashboard.engine.api.put('pricing-scraper-01jd', { ...turnFailed(mockMoment, goesOn), queue: [] })
        return page.getByText('Don’t go on by itself').waitFor()
      },
    ],
    [
      'stalled',
      'session/pricing-scraper-01jd',
      (page) => {
        const say = { code: 'stalled', since: mockMoment - 25 * 60_000 } as const
        dashboard.engine.api.put('pricing-scraper-01jd', { shape: 'needs', say, queue: [] })
        return page.getByText('A tool may hang: see in its terminal').waitFor()
      },
    ],
    ['left-goal-terminal', 'session/landing-page-01jd/terminal'],
    [
      'held-markers',
      'session/landing-page-01jd',
      (page) => {
        dashboard.engine.api.put('landing-page-01jd', { heldMarkers: notFollowed })
        for (const { id, marker, why } of notFollowed)
          dashboard.engine.api.record('landing-page-01jd', { type: 'marker-held', marker, why, offered: id })
        return page.getByRole('region', { name: 'A marker inside pasted text was not followed' }).waitFor()
      },
    ],
    ['settings', 'settings'],
    [
      'quiet-hours',
      'settings',
      async (page) => {
        const group = page.getByRole('group', { name: 'Quiet hours' })
        await group.getByRole('textbox', { name: 'From' }).fill('25')
        await page.keyboard.press('Enter')
        await page.getByText('A time, as in 22:00.').waitFor()
        await group.evaluate((part) => part.scrollIntoView({ block: 'center' }))
      },
    ],
    // No demo ran, whatever else runs there.
    ['first-run', 'setup', (page) => page.getByText('A demo agent stops, is continued three times').waitFor()],
    [
      'first-run-agents',
      'setup',
      (page) =>
        page
          .getByRole('button', { name: /^An agent/ })
          .first()
          .click(),
    ],
    [
      'first-run-demo',
      'setup',
      (page) =>
        page
          .getByRole('button', { name: /^Try it/ })
          .first()
          .click(),
    ],
    [
      'settings-security',
      'settings',
      (page) => page.getByRole('region', { name: 'Security' }).scrollIntoViewIfNeeded(),
    ],
    [
      'settings-clock',
      'settings',
      async (page) => {
        const clock = page.getByRole('region', { name: 'Clock and alarms' })
        await clock.getByText('More numbers').click()
        await clock.evaluate((section) => section.scrollIntoView())
      },
    ],
    [
      'settings-windows',
      'settings',
      (page) => page.getByRole('button', { name: 'Sign out all windows' }).scrollIntoViewIfNeeded(),
    ],
    [
      'settings-machine',
      'settings',
      (page) => page.getByRole('region', { name: 'This machine' }).evaluate((section) => section.scrollIntoView()),
    ],
    ['settings-machine-desktop', 'settings', settingsInDesktop],
    [
      'config',
      'settings/config',
      async (page) => {
        await page.getByRole('textbox', { name: 'Config file' }).press('Control+End')
        await page.keyboard.press('ArrowUp')
        await page.keyboard.press('ArrowUp')
        await page.keyboard.type('\n"cl')
        await page.getByRole('listbox', { name: 'Completion' }).waitFor()
      },
    ],
    [
      'config-broken',
      'settings/config/19',
      async (page) => {
        dashboard.engine.api.writeConfig(brokenConfig)
        await page.getByText('1 place is wrong').waitFor()
        await page.getByRole('button', { name: /^Line 19/ }).click()
      },
    ],
    ['config-logs', 'settings/logs', (page) => page.getByText('the provider answered 429').waitFor()],
    [
      'recent-folders',
      'new-terminal',
      async (page) => {
        await page.getByRole('combobox', { name: 'Folder' }).click()
        await page.getByRole('option').first().waitFor()
        await page.keyboard.press('ArrowDown')
      },
    ],
    [
      'folder-picker',
      'new-terminal',
      async (page) => {
        await page.getByRole('combobox', { name: 'Folder' }).fill('~/code')
        await page.getByRole('button', { name: 'Choose…' }).click()
        await page.getByRole('option', { name: 'docs-site' }).waitFor()
        await page.keyboard.press('d')
      },
    ],
    [
      'first-message',
      'new-terminal',
      async (page) => {
        await page.getByRole('radio', { name: /^codex/ }).check()
        await page.getByRole('button', { name: 'Open', exact: true }).click()
        await page.getByRole('textbox', { name: 'Send a message' }).fill('Write the release notes.')
        await page.getByRole('button', { name: 'Keep going' }).click()
        await page.getByRole('switch', { name: 'Start now' }).check()
      },
    ],
    ['list', 'sessions'],
  ]
  for (const [width, theme] of appearances) {
    for (const locale of ['en-GB', 'zh-CN'] as const) {
      const how = { width, theme, locale }
      it.each([...desktopBanners, ['after-crash', null] as const])(
        `%s, ${locale}, ${width} px, ${theme}`,
        async (name, state) => {
          const page = state ? await withBanner(dashboard, state, how) : await afterCrash(dashboard, how)
          await dashboard.engine.api.forgetCrashes()
          await picture(page, `${name}-${locale.slice(0, 2)}`, width, theme)
        },
      )
    }
    it.each(places)(`%s, ${width} px, ${theme}`, async (name, place, prepare) => {
      const page = await dashboard.open({ width, theme, place })
      await page.locator('.statusbar .num, .first-run-foot .num').first().waitFor()
      await prepare?.(page)
      await picture(page, name, width, theme)
      if (name === 'config-broken') dashboard.engine.api.writeConfig(sceneConfig)
    })
  }

  async function picture(page: Page, name: string, width: number, theme: string): Promise<void> {
    await page.mouse.move(width - 2, 898)
    await atRest(page)
    await page.screenshot({ path: `${dir}/${name}-${theme}-${width}.png` })
    const overflow = await page.evaluate(() => ({
      page: document.documentElement.scrollWidth - window.innerWidth,
      panes: [...document.querySelectorAll('.pane, .scroll, .list-body')]
        .filter((el) => el.scrollWidth > el.clientWidth + 1)
        .map((el) => el.className),
    }))
    expect(overflow).toEqual({ page: 0, panes: [] })
    await dashboard.closePages()
  }

  it('loads without a complaint', () => expect(dashboard.complaints()).toEqual([]))
}
