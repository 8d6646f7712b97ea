import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { eachTest } from './support/each-test.ts'
import { noBrowser } from './support/browser.ts'
import type { EngineProcess } from './support/engine-process.ts'
import { fail, say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { tmuxMissing } from './support/tmux.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'

/** Its provider stops, every turn fails, and the agent gives up. */
describe('a provider that has stopped', unless(firstOf(tmuxMissing, noBrowser)), () => {
  let mock: MockUpstream
  /** in no route */
  let spare: MockUpstream
  let engine: EngineProcess
  let agent: TurnAgent
  let page: Page
  const each = eachTest()
  let gone: string
  const places = { providers: '#/providers', sessions: '#/sessions' } as const
  const goTo = (place: keyof typeof places) =>
    page.evaluate((hash) => {
      location.hash = hash
    }, places[place])

  beforeEach(async () => {
    mock = await each.mock()
    spare = await each.mock()
    // Nothing listens there.
    const closed = await startMockUpstream()
    gone = closed.baseUrl
    await closed.dispose()
    const keys = [{ alias: 'main', value: 'mock-key' }]
    const models = { 'mock-model': {} }
    engine = await each.engine({
      config: {
        stopMessage: { settleMs: 100 },
        providers: {
          away: { type: 'openai-chat', baseUrl: `${gone}/v1`, keys, models },
          chat: { type: 'openai-chat', baseUrl: `${mock.baseUrl}/v1`, keys, models },
          spare: { type: 'openai-chat', baseUrl: `${spare.baseUrl}/v1`, keys, models },
        },
        routes: { default: ['away.mock-model', 'chat.mock-model'] },
      },
    })
    const tmux = each.tmux()
    agent = await startTurnAgent({ home: 'hosted', engine, tmux, name: 'outage', patience: 2 })
    each.ends(() => agent.end())
    page = await each.page(await engine.dashboard())
  })

  it('makes the session red with what failed and since when, counts it, and is not called healthy', async () => {
    mock.otherwise = fail(503)
    await agent.say(engine, 'write the first part')
    const failed = await engine.control.session((s) => s.say.code === 'turn-failed', 60_000)
    expect(failed.say).toMatchObject({ tries: 2, tried: [{ code: 'upstream-unreachable' }, { code: '503' }] })

    const row = page.getByRole('treeitem', { name: failed.name })
    await row.getByText(/^Its last turn failed: 503 from chat, since \d\d:\d\d$/).waitFor()
    await page.getByRole('link', { name: 'Sessions, 1 needs you' }).waitFor()
    await page.getByRole('contentinfo').getByText('1 needs you').waitFor()

    await row.click()
    await page.getByRole('tab', { name: 'Timeline' }).click()
    const card = page.locator('section.card').filter({ hasText: 'The last turn failed: no provider could answer' })
    await card.getByText(/^It has failed since \d\d:\d\d, in 2 tries\./).waitFor()
    const attempts = card.getByRole('listitem')
    expect(await attempts.count()).toBe(2)
    await attempts.nth(0).getByText('it can’t be reached').waitFor()
    await attempts.nth(1).getByText('503, not available right now').waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(/upstream-[a-z]/)
    const timeline = page.getByRole('tabpanel')
    const run = timeline.getByText(/^2 failed attempts, \d\d:\d\d/)
    await run.waitFor()
    await timeline.getByRole('button', { name: /^Show all 2/ }).click()
    await timeline.getByText(/^Turn 1 failed/).waitFor()

    await goTo('providers')
    const provider = page.getByRole('listitem', { name: 'chat' })
    await provider.getByText(/^Its last 2 calls failed, since \d\d:\d\d: 503, not available right now\.$/).waitFor()
    expect(await page.getByText('Healthy').count()).toBe(0)
    await page.getByRole('contentinfo').getByRole('button', { name: 'away fails, and 1 more' }).waitFor()

    // It returns: a test from the card shows it, and the next turn that ends well takes the red away.
    mock.otherwise = say('Written.')
    await goTo('sessions')
    await row.click()
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await card.getByRole('button', { name: 'Test chat' }).click()
    await card.getByText(/^Answers again: 2 of its last \d calls failed\.$/).waitFor()
    await page.getByRole('contentinfo').getByRole('button', { name: 'away fails', exact: true }).waitFor()
    await agent.say(engine, 'write the other part')
    await engine.control.session((s) => s.id === failed.id && s.say.code === 'idle')
    await page.getByRole('link', { name: 'Sessions', exact: true }).waitFor()
    await waitFor('the agent', () => agent.idle())
  })
  it('goes to a model of the person’s choice until it answers again, and tells of that once', async () => {
    mock.otherwise = fail(503)
    spare.otherwise = say('Written by the other one.')
    await agent.say(engine, 'write the first part')
    const { id, name } = await engine.control.session((s) => s.say.code === 'turn-failed', 60_000)
    const row = page.getByRole('treeitem', { name })
    await row.click()
    await page.getByRole('tab', { name: 'Timeline' }).click()
    const card = page.locator('section.card').filter({ hasText: 'The last turn failed: no provider could answer' })
    await card.getByRole('button', { name: 'Tell me when it is back', pressed: false }).click()
    await card.getByRole('button', { name: 'Tell me when it is back', pressed: true }).waitFor()
    await card.getByRole('button', { name: 'Use spare/mock-model until it answers', pressed: false }).click()
    const line = page.getByRole('region', { name: 'Until it answers again' })
    const said =
      'spare/mock-model takes the turns until away/mock-model or chat/mock-model answers again; you are told then'
    await line.getByText(said).waitFor()

    await agent.say(engine, 'write the other part')
    await engine.control.session((s) => s.id === id && s.say.code === 'idle')
    expect(spare.requests.length).toBeGreaterThan(0)
    await waitFor('the agent', () => agent.idle())
    await line.getByText(said).waitFor()

    // A restart forgets nothing of it.
    await page.goto('about:blank')
    await engine.stop()
    engine = await engine.restart()
    await page.goto(await engine.dashboard())
    await row.click()
    await line.getByText(said).waitFor()

    await goTo('providers')
    const provider = page.getByRole('listitem', { name: 'chat', exact: true })
    await provider.getByRole('button', { name: `End it for ${name}` }).waitFor()
    await page.getByRole('complementary', { name: 'Routing' }).getByText(said).waitFor()

    // It returns: somebody else's call shows it.
    mock.otherwise = say('Back.')
    await provider.getByRole('button', { name: 'Test chat' }).click()
    await provider.getByRole('button', { name: `End it for ${name}` }).waitFor({ state: 'detached' })
    await goTo('sessions')
    await row.click()
    await page
      .getByRole('tabpanel')
      .getByText(/^chat\/mock-model answers again, spare\/mock-model takes no more turns for it/)
      .waitFor()
    const back = engine.control.notices.filter(({ title }) => title === 'chat answers again')
    expect(back).toMatchObject([{ class: 'limit', sessionId: id, body: `${name} can go on` }])
  })
})
