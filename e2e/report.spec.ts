import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wholeOf, type ReportView } from '../shared/report.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { unless } from '../shared/testing/unless.ts'
import { noBrowser, openPage, type BrowserPage } from './support/browser.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { fail, say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { onward } from './support/onward-cli.ts'
import { startTmux, tmuxMissing, type TestTmux } from './support/tmux.ts'
import { mockProvider } from './support/entries.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'

/** A provider fails, an agent gives up, the provider comes back, Onward has the agent go on; then Onward restarts. */
describe('the report of a running engine', unless(tmuxMissing), () => {
  let mock: MockUpstream
  let engine: EngineProcess
  let tmux: TestTmux
  let agent: TurnAgent
  let began: number
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@example.org', ...args], { cwd: agent.cwd })
  const report = (since = began) => engine.control.api.report.query(since)

  beforeAll(async () => {
    began = Date.now()
    mock = await startMockUpstream()
    mock.otherwise = say('The part is done.')
    const plan = mockProvider(mock, { models: { 'mock-model': { price: { input: 100, output: 100 } } } })
    engine = await startEngine({ config: { stopMessage: { settleMs: 100 }, providers: { plan } } })
    tmux = startTmux()
    agent = await startTurnAgent({ home: 'hosted', engine, tmux, name: 'failing', patience: 2 })
    git('init', '-q')
    writeFileSync(join(agent.cwd, 'a.txt'), 'one\n')
    git('add', '.')
    await agent.say(engine, 'begin')
    await waitFor('the first answer', () => agent.idle())
    await engine.control.api.setStopMessage.mutate({ session: agent.session, text: 'go on', rounds: 2, now: false })
    mock.script(() => fail(529))
    await agent.say(engine, 'do the next part')
    await waitFor('the agent to give up', () => agent.notes().some((n) => n.type === 'gave-up'))
    await engine.control.event('recover-waits')
  })
  afterAll(async () => {
    agent.end()
    tmux.dispose()
    await engine.stop()
    await mock.dispose()
    removeHomes()
  })

  const only = (view: ReportView) => {
    const [one] = view.sessions
    if (!one || view.sessions.length > 1) throw new Error(`${view.sessions.length} sessions are reported`)
    return one
  }

  it('tells of the outage while it goes on: who waits for it, and that nobody is needed', async () => {
    const view = await report()
    const one = only(view)
    expect(view.outages).toMatchObject([
      { provider: 'plan', models: ['mock-model'], until: null, cause: '529', sessions: [one.id] },
    ])
    expect(view.recoveries).toEqual([])
    expect(one).toMatchObject({ asked: 'go on', needsYou: false, now: { say: { code: 'turn-failed' } } })
    expect(one.spans.at(-1)).toMatchObject({ kind: 'outage', provider: 'plan', until: view.until })
  })

  it('tells when it was over, who went on, the rounds, the lines and the cost', async () => {
    mock.script(() => undefined)
    await engine.control.api.testProvider.mutate('plan')
    await waitFor('both rounds', () => agent.submits().filter((one) => one === 'go on').length === 2 && agent.idle())
    await engine.control.event('done')
    const view = await report()
    const one = only(view)
    const [outage] = view.outages
    expect(view.outages).toHaveLength(1)
    expect(outage?.until).toBeLessThanOrEqual(view.until)
    // What the session lost is what its own time says, as far as the outage goes.
    expect(outage?.lostMs).toBe(one.sums.outage)
    expect(view.recoveries).toMatchObject([{ session: one.id, why: 'outage', provider: 'plan', by: 'onward' }])
    expect(view.recoveries[0]?.until).toBeGreaterThanOrEqual(outage?.until ?? 0)
    expect(wholeOf(one.sums)).toBe(view.until - one.from)
    expect(one.sums.working).toBeGreaterThan(0)
    expect(one).toMatchObject({
      rounds: { here: 2, used: 2, max: 2 },
      diff: { files: 1, added: 1, removed: 0 },
      now: { shape: 'done' },
    })
    expect(one.claims?.text).toContain('The part is done.')
    const turns = await engine.control.api.turns.query(100)
    const cost = turns.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
    expect(cost).toBeGreaterThan(0)
    expect(view.total.spent.costUsd).toBeCloseTo(cost, 9)
    expect(view.total.followups).toEqual({ sent: 3, confirmed: 3 })
  })

  it('is the same in a terminal, and after a restart', async () => {
    const { outages, recoveries } = await report()
    await engine.stop()
    engine = await engine.restart()
    const since = new Date(began).toISOString()
    const json = await onward(['report', '--since', since, '--json', '--home', engine.home])
    expect(json).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(json.out)).toMatchObject({ since: began, outages, recoveries })
    const text = await onward(['report', '--since', since, '--home', engine.home])
    expect(text.out).toContain('plan/mock-model failed until ')
    expect(text.out).toMatch(/went on by Onward’s word\n/)
  })

  describe('in the dashboard', unless(noBrowser), () => {
    let opened: BrowserPage
    let page: Page
    beforeAll(async () => {
      opened = await openPage()
      page = opened.page
      await page.goto(await engine.dashboard())
    })
    afterAll(async () => {
      await opened?.close()
      expect(opened?.complaints).toEqual([])
    })

    it('is a tab of Activity, and led to by the palette', async () => {
      await page.getByRole('link', { name: 'Activity' }).click()
      await page.getByRole('button', { name: 'While you were away' }).click()
      const side = page.getByRole('complementary', { name: 'Totals' })
      await side.getByText(/^plan\/mock-model failed \d\d:\d\d to \d\d:\d\d/).waitFor()
      await side.getByText(/^529, overloaded\. 1 session waited \d+ s\.$/).waitFor()
      await side.getByText('Onward typed that it is to go on.').waitFor()
      const name = only(await report()).name
      const block = page.getByRole('region', { name })
      await block.getByText('go on', { exact: true }).waitFor()
      await block.getByText(/in 1 file$/).waitFor()
      await block.getByText(/^worked \d+% of the time$/).waitFor()
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.keyboard.press('Control+k')
      await page.keyboard.type('away')
      await page.keyboard.press('Enter')
      await side.waitFor()
    })
  })
})
