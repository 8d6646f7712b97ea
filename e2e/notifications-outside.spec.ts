import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { eachTest } from './support/each-test.ts'
import { listenOnLoopback } from '../electron/testing/engine-in-process.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { noBrowser } from './support/browser.ts'
import type { EngineProcess } from './support/engine-process.ts'
import { fail, say, type MockUpstream } from './support/mock-upstream/index.ts'
import { tmuxMissing } from './support/tmux.ts'
import { mockProvider } from './support/entries.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'

interface Got {
  path: string
  body: Record<string, unknown>
}

/** A person is away: their provider stops, and returns. */
describe('notifications elsewhere', unless(firstOf(tmuxMissing, noBrowser)), () => {
  let mock: MockUpstream
  let engine: EngineProcess
  let agent: TurnAgent
  let page: Page
  let hook: { url: string; got: Got[]; status: number }
  const each = eachTest()

  beforeEach(async () => {
    const got: Got[] = []
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        got.push({ path: request.url ?? '', body: JSON.parse(body) })
        response.writeHead(hook.status).end(hook.status === 200 ? '' : 'no_service')
      })
    })
    const { url, end } = await listenOnLoopback(server)
    each.ends(end)
    hook = { url, got, status: 200 }
    mock = await each.mock()
    const chat = mockProvider(mock)
    engine = await each.engine({
      config: {
        stopMessage: { settleMs: 100 },
        providers: { chat },
        routes: { default: ['chat.mock-model'] },
      },
    })
    const tmux = each.tmux()
    agent = await startTurnAgent({ home: 'hosted', engine, tmux, name: 'away', patience: 2 })
    each.ends(() => agent.end())
    page = await each.page(await engine.dashboard())
  })
  const settings = async () => {
    await page.evaluate(() => {
      location.hash = '#/settings'
    })
    return page.getByRole('region', { name: 'Notifications elsewhere' })
  }

  it('are set up, tested, name the provider that stopped a session, and say that it is back', async () => {
    const section = await settings()
    await section.getByRole('button', { name: 'Add a place' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Webhook' }).check()
    await dialog.getByRole('button', { name: 'Add and test' }).click()
    await dialog.getByText('Paste the address.').waitFor()
    await dialog.getByLabel('Address').fill(`${hook.url}/in?key=hidden-part`)
    await dialog.getByLabel('Name').fill('desk')
    await dialog.getByRole('button', { name: 'Add and test' }).click()
    const row = section.getByRole('listitem', { name: 'desk' })
    await row.getByText(/^It took the test, in /).waitFor()
    await row.getByText(/^Last sent at \d\d:\d\d$/).waitFor()
    expect(hook.got).toMatchObject([{ path: '/in?key=hidden-part', body: { class: 'test' } }])
    expect(await page.content()).not.toContain('hidden-part')

    mock.otherwise = fail(503)
    await agent.say(engine, 'write the secret part')
    const failed = await engine.control.session((s) => s.say.code === 'turn-failed', 60_000)
    await waitFor('the notice of the failure', () => hook.got.length === 2)
    expect(hook.got[1]?.body).toMatchObject({
      class: 'needs-you',
      title: `${failed.name} stopped: chat fails`,
      session: { id: failed.id, name: failed.name },
    })
    expect(JSON.stringify(hook.got)).not.toContain('secret part')
    await engine.control.event('notified', ({ to, result }) => to === 'desk' && result === 'shown')

    mock.otherwise = say('Written.')
    await agent.say(engine, 'write the other part')
    await waitFor('the notice of the return', () => hook.got.length === 3)
    expect(hook.got[2]?.body).toMatchObject({ class: 'limit', title: 'chat answers again' })

    // Its address is taken away: that is said where a person looks, and in the timeline.
    hook.status = 404
    await row.getByRole('button', { name: 'Send a test to desk' }).click()
    await row.getByRole('status').getByText('Nobody listens at this address any more, it says 404').waitFor()
    await row.getByText(/^Not sent at \d\d:\d\d\./).waitFor()
    await page.getByRole('contentinfo').getByRole('button', { name: 'desk gets no notifications' }).waitFor()

    await row.getByRole('switch').click()
    await row.getByText('Switched off').waitFor()
    await row.getByRole('button', { name: 'Remove desk' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.waitFor()
  })
})
