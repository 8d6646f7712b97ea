import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { isBlocked, isStuck, reviewerFails, sceneReview, waitsForApproval } from './fake/scene-goals.ts'
import { mockMoment, noBrowser } from './support/dashboard.ts'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { unless } from '../../shared/testing/unless.ts'

const billing = 'billing-service-01jd'
const landing = 'landing-page-01jd'
const card = (page: Page) => page.getByRole('region', { name: 'Keep going' })
const review = (page: Page) => page.getByRole('region', { name: /^Reviewer round/ })
const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text })

describe('goal mode', unless(noBrowser), () => {
  const dashboard = dashboardForEach()
  const { calls } = dashboard

  it('shows how each round went, and what is left of every limit', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    await card(page).getByText('rounds 5 and 8 made no progress').waitFor()
    expect(
      await page.locator('.ticks i').evaluateAll((ticks) => ticks.map((tick) => tick.className || '-').join('')),
    ).toBe(`uuuunuunuuuuc${'-'.repeat(17)}`)
    await page.getByTitle('Round 8: no progress').waitFor()
    await card(page).getByText('Asks you after 8 h, or 5 rounds without progress').waitFor()
    await card(page).getByText('1 h 14 min so far').waitFor()
    await card(page).getByText('6 h 46 min left').waitFor()
    await card(page).getByText('0 of 5 rounds without progress').waitFor()
    await card(page).getByText('reviewer 262k tokens, $0.21').waitFor()
    const { api } = dashboard.engine
    api.putStatus({ budgets: { rounds: 100, hours: null, noProgressRounds: null, tokens: 2_000_000, costUsd: 1.5 } })
    await card(page).getByText('Asks you after 2.0M tokens, or $1.50').waitFor()
    // What the reviewer takes is told apart, and counts.
    await card(page).getByText('498k tokens left').waitFor()
    await card(page).getByText('$0.32 left').waitFor()
    await card(page).getByText('agent 1.2M tokens, $0.97').waitFor()
    // Of what has no price, nobody knows how much of the budget it took.
    const { id, stopMessage } = await api.session(billing)
    if (!stopMessage?.goal) throw new Error('a goal is set there')
    const { goal } = stopMessage
    api.put(id, { stopMessage: { ...stopMessage, goal: { ...goal, spent: { ...goal.spent, unpricedTokens: 9000 } } } })
    await card(page).getByText('agent 1.2M tokens, ≥ $0.97').waitFor()
    await card(page).getByText('≤ $0.32 left').waitFor()
  })

  it('has no limits where a number of rounds is only repeated', async () => {
    const page = await dashboard.open({ place: 'session/mobile-app-01jd' })
    await card(page).getByText('9 / 40').waitFor()
    await card(page).getByText('1 h 30 min so far').waitFor()
    expect(await card(page).getByText('Asks you after').count()).toBe(0)
    expect(await card(page).getByRole('list', { name: 'Checks' }).count()).toBe(0)
    dashboard.engine.api.put('mobile-app-01jd', {
      stopMessage: {
        text: 'On',
        used: 9,
        max: null,
        review: false,
        status: { kind: 'armed' },
        armedAt: mockMoment,
        lastUsedAt: null,
      },
    })
    await card(page).getByText('Asks you after 8 h, or 100 rounds, or 5 rounds without progress').waitFor()
  })

  it('sets a goal that is reviewed until it is reached, and says who does it', async () => {
    dashboard.engine.api.putStatus({
      review: { backend: 'model', by: 'review', problem: 'No model is in the route “review”.' },
    })
    const page = await dashboard.open({ place: `session/${landing}` })
    const rounds = card(page).getByRole('textbox', { name: 'Rounds' })
    await card(page).getByText('The goal itself is sent after every turn.').waitFor()
    expect(await rounds.inputValue()).toBe('10')
    await card(page).getByRole('switch', { name: 'Review until the goal is reached' }).press('Space')
    await card(page).getByText('A model of the route review looks after every turn').waitFor()
    await card(page).getByText('No model is in the route “review”.').waitFor()
    expect(await rounds.inputValue()).toBe('')
    await card(page).getByRole('textbox', { name: 'Goal' }).fill('All tests green')
    await page.keyboard.press('Enter')
    await card(page).getByText('review on, without a limit').waitFor()
    await expect
      .poll(() => calls('setStopMessage'))
      .toEqual([{ session: landing, text: 'All tests green', rounds: null, review: true }])
    await card(page).getByText('No checks: the reviewer’s evidence alone decides').waitFor()
  })

  it('changes what runs and keeps its rounds, with G', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    await card(page).getByText('12 / 30').waitFor()
    await page.locator('body').press('g')
    const goal = card(page).getByRole('textbox', { name: 'Goal' })
    await expect.poll(() => goal.inputValue()).toBe('All tests green and the PR description written')
    await card(page).getByText('12 rounds used stay.').waitFor()
    await goal.fill('All tests green')
    await page.keyboard.press('Enter')
    await card(page).getByText('“All tests green”').waitFor()
    await card(page).getByText('12 / 30').waitFor()
    await expect.poll(() => calls('editStopMessage')).toEqual([{ session: billing, text: 'All tests green' }])
    expect(calls('setStopMessage')).toEqual([])
    await page.locator('.tl').getByText('You changed the goal: “All tests green”, 30 rounds, review on').waitFor()
    await page.locator('body').press('g')
    dashboard.engine.api.failNext('editStopMessage', 'Nothing is armed there.')
    await card(page).getByRole('textbox', { name: 'Rounds' }).fill('40')
    await card(page).getByRole('button', { name: 'Save' }).click()
    await card(page).getByRole('alert').getByText('Nothing is armed there.').waitFor()
    await card(page).getByRole('button', { name: 'Save' }).click()
    await card(page).getByText('12 / 40').waitFor()
    await expect.poll(() => calls('editStopMessage').at(-1)).toEqual({ session: billing, rounds: 40 })
  })

  it('runs a check, says what came of it, and takes it back', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    const check = card(page).getByRole('listitem', { name: 'test', exact: true })
    await check.getByText('2 of 214 fail').waitFor()
    await check.getByRole('button', { name: 'Run test now' }).press('Enter')
    await check.getByText('passes').waitFor()
    await expect.poll(() => calls('runCheck')).toEqual([{ session: billing, name: 'test' }])
    await page.locator('.tl').getByText('Check test passes').waitFor()
    dashboard.engine.api.failNext('runCheck', 'test is running already.')
    await check.getByRole('button', { name: 'Run test now' }).press('Enter')
    await check.getByRole('alert').getByText('test is running already.').waitFor()
    await check.getByRole('button', { name: 'Forget test' }).press('Enter')
    await check.getByText('may it run?').waitFor()
    await toast(page, 'test may not run any more').getByRole('button', { name: /^Undo/ }).click()
    await check.getByText('not run yet').waitFor()
    await expect.poll(() => calls('approveCheck')).toEqual([{ session: billing, name: 'test', argv: ['npm', 'test'] }])
  })

  it('takes a check as one types it, and says what the engine does not take', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    await card(page).getByRole('button', { name: 'Add a check…' }).click()
    const field = card(page).getByRole('textbox', { name: 'Command of the check' })
    await expect.poll(() => field.evaluate((el) => el === document.activeElement)).toBe(true)
    for (const [command, refused] of [
      ['', 'Write the command that has to succeed.'],
      ['say "open', 'A quote is not closed.'],
      ['npm test | tail', 'The command has a pipe'],
    ] as const) {
      await field.fill(command)
      await page.keyboard.press('Enter')
      await card(page).getByRole('alert').getByText(refused).waitFor()
    }
    await field.fill("npx playwright test -g 'half cents'")
    await page.keyboard.press('Enter')
    const check = card(page).getByRole('listitem', { name: /^npx playwright/ })
    await check.getByText('not run yet').waitFor()
    await expect
      .poll(() => calls('declareCheck').at(-1))
      .toEqual({ session: billing, command: "npx playwright test -g 'half cents'" })
    await check.getByRole('button', { name: /^Forget/ }).press('Enter')
    await expect.poll(() => check.count()).toBe(0)
    await page.locator('body').press('Control+z')
    await check.waitFor()
    await expect
      .poll(() => calls('declareCheck').at(-1))
      .toEqual({
        session: billing,
        name: "npx playwright test -g 'half cents'",
        command: "npx playwright test -g 'half cents'",
        timeoutSeconds: 600,
      })
    await page.locator('body').press('Control+k')
    await page.keyboard.type('add a check')
    await page.keyboard.press('Enter')
    await field.waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => field.count()).toBe(0)
  })

  it('shows a person exactly what they allow, before and after', async () => {
    dashboard.engine.api.put(landing, waitsForApproval(mockMoment, '/home/me/code/landing'))
    const page = await dashboard.open({ place: `session/${landing}` })
    await page.getByText('The goal seems reached. May 2 checks run?').waitFor()
    await card(page).getByText('Changed since you allowed it: scripts/lint.mjs, package.json').waitFor()
    const removed = card(page).getByRole('listitem', { name: 'types' })
    await removed.getByText('.onward.json no longer names it').waitFor()
    await removed.getByRole('button', { name: 'Forget types' }).click()
    await expect.poll(() => removed.count()).toBe(0)
    await card(page).getByRole('button', { name: 'Approve test' }).click()
    const dialog = page.getByRole('dialog', { name: 'May “test” run?' })
    const facts = () =>
      dialog
        .locator('.allow > div')
        .evaluateAll((lines) =>
          lines.map((line) => [
            line.querySelector('dt')?.textContent,
            [...line.querySelectorAll('dd code')].map((code) => code.textContent),
          ]),
        )
    expect((await facts()).slice(0, 3)).toEqual([
      ['Folder', ['/home/me/code/landing']],
      ['Before', ['npm', 'test']],
      ['Now', ['npm', 'test', '--', '--run']],
    ])
    expect(await dialog.getByRole('button', { name: 'Not now' }).evaluate((el) => el === document.activeElement)).toBe(
      true,
    )
    // Somebody changes the file while it is asked: what was shown is not allowed to stand for it.
    const { api } = dashboard.engine
    const goal = api.scene.sessions.find((s) => s.id === landing)?.stopMessage
    const checks = goal?.goal?.checks
    if (!goal?.goal || !checks) throw new Error('the scene has checks there')
    api.put(landing, {
      stopMessage: {
        ...goal,
        goal: {
          ...goal.goal,
          checks: {
            ...checks,
            checks: checks.checks.map((check) =>
              check.name === 'test' ? { ...check, argv: ['rm', '-r', 'dist'] } : check,
            ),
          },
        },
      },
    })
    await dialog.getByRole('button', { name: 'Allow it to run' }).click()
    await dialog.getByRole('alert').getByText('reads otherwise by now').waitFor()
    await dialog.getByRole('button', { name: 'Show what it is now' }).click()
    await expect.poll(async () => (await facts())[2]).toEqual(['Now', ['rm', '-r', 'dist']])
    await dialog.getByRole('button', { name: 'Allow it to run' }).click()
    await expect.poll(() => dialog.count()).toBe(0)
    await expect
      .poll(() => calls('approveCheck').at(-1))
      .toEqual({ session: landing, name: 'test', argv: ['rm', '-r', 'dist'] })
    // The last one that was asked for lets it go on by itself.
    await page.locator('.asked').getByRole('button', { name: 'Approve e2e' }).click()
    await page.getByRole('dialog', { name: 'May “e2e” run?' }).getByRole('button', { name: 'Allow it to run' }).click()
    await page.getByRole('treeitem', { name: /landing-page.*Reviewer is looking at round 7/s }).waitFor()
  })

  it('offers the same from the palette', async () => {
    dashboard.engine.api.put(landing, waitsForApproval(mockMoment, '/home/me/code/landing'))
    const page = await dashboard.open({ place: `session/${landing}` })
    const run = async (typed: string, name: RegExp) => {
      await page.locator('body').press('Control+k')
      await page.keyboard.type(typed)
      await page.getByRole('option', { name, selected: true }).waitFor()
      await page.keyboard.press('Enter')
    }
    await page.getByText('May 2 checks run?').waitFor()
    await run('approve', /Approve the check e2e/)
    await page.getByRole('dialog', { name: 'May “e2e” run?' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await run('review off', /Switch review off/)
    await toast(page, 'Review is off').waitFor()
    await run('all rounds', /Show all rounds/)
    await page.getByRole('tab', { name: 'Rounds', selected: true }).waitFor()
    expect(calls('approveCheck')).toEqual([])
    await expect.poll(() => calls('editStopMessage')).toEqual([{ session: landing, review: false }])
  })

  it('shows what the reviewer found, and the followup in its place', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    await review(page).getByText('not done yet').waitFor()
    await review(page).getByText('Two refund tests fail on half cents').waitFor()
    expect(await review(page).getByRole('list', { name: 'Evidence' }).getByRole('listitem').allInnerTexts()).toEqual([
      'Ran npm test, exit 1',
      'Read rounding.ts, lines 40–88',
      'No PR.md in git status',
    ])
    await review(page).getByText('zai/glm-5, route review').waitFor()
    await review(page).getByRole('button', { name: 'Reviewer actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy what it found' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Ran `npm test`, exit 1 (check:test)')
    await review(page).getByRole('button', { name: 'Reviewer actions' }).click()
    await page.getByRole('menuitem', { name: 'Show the followup' }).click()
    const followup = page.getByRole('region', { name: 'Latest followup' })
    await followup.getByText('Two tests in rounding.test.ts still fail').waitFor()
    await followup.getByRole('button', { name: 'Review', exact: true }).click()
    await review(page).waitFor()
    await review(page).getByRole('button', { name: 'Reviewer actions' }).click()
    await page.getByRole('menuitem', { name: 'Switch review off' }).click()
    await followup.waitFor()
    await toast(page, 'Review is off').getByRole('button', { name: /^Undo/ }).click()
    await review(page).waitFor()
    await expect
      .poll(() => calls('editStopMessage'))
      .toEqual([
        { session: billing, review: false },
        { session: billing, review: true },
      ])
  })

  it.each([
    ['reached', { code: 'reached', checks: 2 }, 'goal reached', 'Two refund tests fail'],
    [
      'reached without checks',
      { code: 'reached-unchecked' },
      'reached, unchecked',
      'No check is declared: its evidence alone says so.',
    ],
    ['stopped by a check', { code: 'checks-failed', names: ['test'] }, 'not done yet', 'Not done: test fails.'],
    [
      'failed',
      { code: 'failed', why: 'No verdict within 300 s.', inARow: 2 },
      'failed',
      '2 in a row. The goal itself is sent instead.',
    ],
    ['too late', { code: 'discarded' }, 'came too late', 'Two refund tests fail'],
  ] as const)('tells a review that was %s', async (_, outcome, word, text) => {
    const { api } = dashboard.engine
    const goal = api.scene.sessions.find((s) => s.id === billing)?.stopMessage
    if (!goal?.goal) throw new Error('billing-service has a goal')
    api.put(billing, {
      stopMessage: { ...goal, goal: { ...goal.goal, latest: { ...sceneReview(mockMoment), outcome } } },
    })
    const page = await dashboard.open({ place: `session/${billing}` })
    await review(page).getByText(word, { exact: true }).waitFor()
    await review(page).getByText(text).waitFor()
  })

  it('counts while the reviewer is looking', async () => {
    const page = await dashboard.open({ place: 'session/docs-site-01jd' })
    await page.getByRole('treeitem', { name: /docs-site.*Reviewer is looking at round 3/s }).waitFor()
    await page.getByRole('region', { name: 'Reviewer round 3' }).getByText('looking', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Reviewer round 3' }).getByText('6 s', { exact: true }).waitFor()
    await page.getByRole('treeitem', { name: /auth-rework.*Goal reached, 3 of 3 checks pass/s }).waitFor()
  })

  it('explains a review in the timeline', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    const row = page.locator('.tl-ev', { hasText: 'Reviewer: not done yet. Two refund tests fail' })
    expect(await row.locator('.tl-side').innerText()).toBe('38 s · $0.02')
    expect(await page.locator('.tl').getByText('The reviewer looks at round 12').count()).toBe(0)
    await row.getByRole('button', { name: /^Why/ }).click()
    for (const [part, text] of [
      ['Evidence', 'file:src/invoice/rounding.ts:40-88'],
      ['Checks it ran', '2 of 214 fail'],
      ['What it looked at', 'it may hold secrets'],
    ] as const)
      await row.getByRole('region', { name: part }).getByText(text).waitFor()
    const { api } = dashboard.engine
    api.record(billing, { type: 'review-started', round: 13, backend: 'model' })
    await page.locator('.tl .no', { hasText: 'The reviewer looks at round 13' }).waitFor()
    api.record(billing, {
      type: 'review-done',
      review: {
        ...sceneReview(mockMoment),
        round: 13,
        outcome: { code: 'needs-user', text: 'Which bucket?' },
        blockers: [{ kind: 'needs_user', text: 'Which bucket?' }],
      },
    })
    await page.locator('.tl').getByText('Reviewer: needs you: Which bucket?').waitFor()
    expect(await page.locator('.tl').getByText('The reviewer looks at round 13').count()).toBe(0)
  })

  it('tells every round in a tab of its own, with its receipt, and asks again when one ends', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    await review(page).getByRole('button', { name: 'All 12 rounds' }).click()
    await page.getByRole('tab', { name: 'Rounds', selected: true }).waitFor()
    const round = (n: number) => page.getByRole('article', { name: `Round ${n}`, exact: true })
    await round(12).getByText('6 tool calls, Edit × 3, Read × 2, Bash').waitFor()
    await round(12).getByText('I rewrote refundLine()').waitFor()
    await round(12).getByText('Confirmed').waitFor()
    await round(9).getByText('no tool call').waitFor()
    await round(8).getByText('made no progress').waitFor()
    await round(1).getByText('Not reviewed').waitFor()
    expect(
      await page.getByRole('article').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
    ).toEqual(Array.from({ length: 12 }, (_, i) => `Round ${12 - i}`))
    await round(11).getByRole('button', { name: /^Why/ }).click()
    await round(11).getByText('check:test').waitFor()
    await expect.poll(() => calls('rounds')).toEqual([billing])
    const { api } = dashboard.engine
    const goal = api.scene.sessions.find((s) => s.id === billing)?.stopMessage
    if (!goal?.goal) throw new Error('billing-service has a goal')
    api.put(billing, { turns: 43 })
    api.put(billing, { stopMessage: { ...goal, goal: { ...goal.goal, roundsAt: 13 } } })
    await expect.poll(() => calls('rounds')).toEqual([billing, billing])
  })

  it('says when there is no round yet, and when they could not be loaded', async () => {
    dashboard.engine.api.failNext('rounds', 'The file could not be read.')
    const page = await dashboard.open({ place: 'session/docs-site-01jd' })
    await page.getByRole('tab', { name: 'Rounds' }).waitFor()
    await page.locator('body').press('6')
    await page.getByText('The file could not be read.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No round yet').waitFor()
    await page.locator('body').press('1')
    await page.getByRole('treeitem', { name: /landing-page/ }).click()
    await page.getByRole('tab', { name: 'Details' }).waitFor()
    expect(await page.getByRole('tab', { name: 'Rounds' }).count()).toBe(0)
  })

  it.each([
    [
      'no progress',
      isStuck(mockMoment),
      'Paused to ask: 5 rounds without progress',
      'The agent called no tool and changed no file',
      ['Go on', 'Change the goal', 'Stop here'],
    ],
    [
      'no progress in rounds that were given',
      isStuck(mockMoment, mockMoment + 480_000),
      /5 rounds without progress; goes on at \d\d:\d\d unless you say otherwise/,
      'Nothing is typed until then.',
      ['Go on', 'Change the goal', 'Stop here'],
    ],
    [
      'a blocker',
      isBlocked(mockMoment),
      'The reviewer needs you',
      'The staging database needs a password that is in no file here.',
      ['Go on', 'Change the goal', 'Open the terminal'],
    ],
    [
      'a reviewer that fails',
      reviewerFails(mockMoment),
      'The reviewer failed 3 times in a row',
      'zai/glm-5 gave no verdict within 300 s.',
      ['Go on', 'Go on without review', 'Stop here'],
    ],
  ] as const)('stops to ask because of %s, with everything that answers it', async (_, state, title, text, answers) => {
    dashboard.engine.api.put(landing, state)
    const page = await dashboard.open({ place: `session/${landing}` })
    const asked = page.locator('.asks .err')
    await asked.getByText(title).waitFor()
    await asked.getByText(text).waitFor()
    expect(await asked.locator('.btn').allInnerTexts()).toEqual([...answers])
    await asked.getByRole('button', { name: 'Go on', exact: true }).click()
    await expect.poll(() => calls('resume')).toEqual([landing])
    await expect.poll(() => asked.count()).toBe(0)
  })

  it('goes on without its reviewer when told to', async () => {
    dashboard.engine.api.put(landing, reviewerFails(mockMoment))
    const page = await dashboard.open({ place: `session/${landing}` })
    await page.getByRole('button', { name: 'Go on without review' }).click()
    await expect.poll(() => calls('resume')).toEqual([landing])
    await expect.poll(() => calls('editStopMessage')).toEqual([{ session: landing, review: false }])
  })

  it('keeps limits in the settings, each at once, and takes that back', async () => {
    const page = await dashboard.open({ place: 'settings' })
    const section = page.getByRole('region', { name: 'Keep going' })
    const tokens = section.getByRole('textbox', { name: 'Tokens' })
    const hours = section.getByRole('textbox', { name: 'Hours' })
    await tokens.fill('2 000 000')
    await page.keyboard.press('Enter')
    await toast(page, 'Tokens: 2 000 000').waitFor()
    await hours.fill('0')
    await page.keyboard.press('Tab')
    await section.getByRole('alert').getByText('A number above 0, or empty for never.').waitFor()
    await hours.fill('')
    await page.keyboard.press('Enter')
    await toast(page, 'Hours: never').waitFor()
    await expect.poll(() => calls('setBudgets')).toEqual([{ tokens: 2_000_000 }, { hours: null }])
    await page.locator('h1').click()
    await page.locator('body').press('Control+z')
    await expect.poll(() => hours.inputValue()).toBe('8')
    const reviewer = page.getByRole('region', { name: 'Reviewer' })
    await reviewer.getByText('A model of the route review, with read-only tools of Onward’s').waitFor()
    dashboard.engine.api.putStatus({ review: { backend: 'command', by: 'codex', problem: 'codex is not found.' } })
    await reviewer.getByText('codex, a command of yours').waitFor()
    await reviewer.getByText('codex is not found.').waitFor()
    dashboard.engine.api.failNext('setBudgets', 'The config file was changed elsewhere.')
    await tokens.fill('3')
    await page.keyboard.press('Enter')
    await section.getByRole('alert').getByText('The config file was changed elsewhere.').waitFor()
    await page.keyboard.press('Escape')
    expect(await tokens.inputValue()).toBe('2 000 000')
  })

  it('speaks Chinese', async () => {
    const page = await dashboard.open({ place: `session/${billing}`, locale: 'zh-CN' })
    await page.getByRole('region', { name: '续跑' }).getByText('第 5、8 轮没有进展').waitFor()
    await page.getByRole('region', { name: '续跑' }).getByText('8 小时或连续 5 轮没有进展后停下来问你').waitFor()
    await page.getByRole('region', { name: '第 12 轮复核' }).getByText('还没完成').waitFor()
    await page.getByRole('button', { name: '全部 12 轮' }).click()
    await page.getByRole('article', { name: '第 12 轮', exact: true }).getByText('调用工具 6 次').waitFor()
  })
})
