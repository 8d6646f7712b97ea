/** The buttons that act, each pressed once: the engine is asked for what stands on it, and for nothing else. */
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unless } from '../../shared/testing/unless.ts'
import { noBrowser, startDashboard, type Dashboard } from './support/dashboard.ts'

const billing = 'billing-service-01jd'
const moved = {
  terminalId: 'infra-terraform',
  question: 'Keep the old state bucket or move it?',
  about: 'The staging state is in a bucket of the old account. Moving it locks every plan for a few minutes.',
  choice: 'Move it to the new account, and lock plans meanwhile',
}
/** either of two: the page may not have moved them yet */
const ofQueue: unknown = expect.stringMatching(/^q-data[12]$/)
/** In this order, on one page: what one does the next one finds. */
const buttons: readonly [place: string, button: string | RegExp, operation: string, input: unknown][] = [
  [`session/${billing}`, 'Pause', 'pause', billing],
  [`session/${billing}`, 'Resume', 'resume', billing],
  [`session/${billing}`, 'Pause this session', 'pause', billing],
  [`session/${billing}`, 'Resume this session', 'resume', billing],
  ['session/data-migration-01jd', 'Resume', 'resume', 'data-migration-01jd'],
  ['sessions', 'Pause all automation', 'pause', null],
  ['sessions', /^Resume/, 'resume', null],
  [`session/${billing}`, '+10: Ten more rounds', 'addRounds', { session: billing, rounds: 10 }],
  [`session/${billing}`, 'Run lint now', 'runCheck', { session: billing, name: 'lint' }],
  [`session/${billing}`, 'Forget lint', 'forgetCheck', { session: billing, name: 'lint' }],
  [`session/${billing}`, 'Clear the goal', 'clearStopMessage', billing],
  [`session/${billing}`, 'Cancel alarm: Re-run the flaky suite', 'cancelAlarm', 'a-flaky'],
  ['session/search-indexer-01jd', 'Re-arm', 'rearmStopMessage', 'search-indexer-01jd'],
  ['session/infra-terraform-01jd', /Move it to the new account/, 'answerDialog', moved],
  ['session/api-gateway-01jd', 'Drop the followup', 'cancelEntry', 'q-api'],
  ['session/data-migration-01jd/queue', 'Earlier', 'moveEntry', { entryId: 'q-data2', beforeEntryId: 'q-data1' }],
  ['session/data-migration-01jd/queue', 'Cancel this followup', 'cancelEntry', ofQueue],
  ['session/data-migration-01jd/queue', 'Send now', 'sendEntryNow', ofQueue],
  ['alarms', 'Cancel alarm: Rotate the sandbox keys', 'cancelAlarm', 'a-keys'],
  ['alarms', 'Deliver now: “Check the nightly build”', 'settleMissed', { missed: 'm-build', how: { kind: 'deliver' } }],
  ['alarms', 'Dismiss “Ask for the review of PR 381”', 'settleMissed', { missed: 'm-pr', how: { kind: 'dismiss' } }],
  ['providers', 'Test zai', 'testProvider', 'zai'],
  ['providers', 'Undo last change', 'undoConfig', null],
]
/** What the page asks for by itself, to show what is so now. */
const asked = new Set(['routeCheck', 'checks', 'timeline', 'rounds', 'terminalLines'])

describe('a button that acts', unless(noBrowser), () => {
  let dashboard: Dashboard
  let page: Page
  beforeAll(async () => {
    dashboard = await startDashboard()
    page = await dashboard.open()
  })
  afterAll(() => dashboard?.close())

  it.each(buttons)('at %s, “%s”, asks for %s', async (place, button, operation, input) => {
    await page.evaluate((to) => (location.hash = `#/${to}`), place)
    await page.locator('.pane[aria-busy]').waitFor({ state: 'detached' })
    const { calls } = dashboard.engine.api
    const before = calls.length
    const since = () => calls.slice(before).filter(({ name }) => !asked.has(name))
    await page
      .locator('.pane')
      .or(page.getByRole('status'))
      .getByRole('button', { name: button, exact: typeof button === 'string' })
      .last()
      .click()
    await expect.poll(since).toEqual([{ name: operation, input }])
  })
})
