/** A real Claude Code asks at its start whether it may work in a folder, before there is any turn. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { noBrowser, openPage } from './support/browser.ts'
import { atRest, nothingMore } from './support/nothing-more.ts'
import { agentMissing, realAgents } from './support/real/index.ts'
import { agentWorld } from './support/real/world.ts'

const { claude } = realAgents

describe('a Claude Code in a folder nobody trusted', unless(firstOf(noBrowser, agentMissing(claude))), () => {
  const world = agentWorld(claude)

  it('needs its person at once, with its choices, and is at its composer when one was pressed', async () => {
    const { mock, engine } = world
    const { api } = engine.control
    const cwd = join(engine.home, 'elsewhere')
    mkdirSync(cwd)
    const env = claude.seedHome(join(engine.home, 'agent-home'), [])
    const { id } = await api.openTerminal.mutate({
      client: 'claude',
      cwd,
      env,
      name: 'untrusted',
      args: [...claude.args],
    })
    const fresh = async () => (await api.terminals.query()).find((one) => one.id === id)?.fresh ?? null
    await waitFor('the question', async () => (await fresh())?.shape === 'needs')
    expect((await fresh())?.say).toMatchObject({
      code: 'needs-you',
      asked: { choices: [{ label: 'No, exit' }, { label: 'Yes, I trust this folder' }] },
    })
    expect((await api.status.query()).counts.needsYou).toBe(1)
    const told = () => engine.control.notices.filter((notice) => notice.class === 'needs-you')
    await waitFor('the notification', () => told().length > 0)
    expect(told()).toMatchObject([{ sessionId: id, title: expect.stringContaining('untrusted') }])

    const { page, complaints, close } = await openPage()
    await page.goto(await engine.dashboard())
    // as a click on the notification leads to it
    await page.evaluate((to) => (location.hash = to), `#/session/${id}`)
    const card = page.getByRole('complementary').filter({ hasText: 'Waiting: claude asks' })
    await card.getByText('Quick safety check').waitFor()
    // The terminal gets the size of the page meanwhile: a press that meets other lines than it shows is refused.
    const yes = card.getByRole('button', { name: 'Yes, I trust this folder' })
    await waitFor('an answer', async () => {
      if (await yes.isVisible()) await yes.click({ timeout: 2_000 }).catch(() => undefined)
      return (await fresh())?.shape !== 'needs'
    })
    await card.waitFor({ state: 'detached' })
    await waitFor('its composer', async () => (await fresh())?.shape === 'idle')
    expect((await api.status.query()).counts.needsYou).toBe(0)
    await page.getByRole('textbox', { name: 'Send a message' }).waitFor()
    await atRest(engine)
    await nothingMore(mock, engine)
    expect(mock.turns()).toEqual([])
    expect(told()).toHaveLength(1)
    expect(complaints).toEqual([])
    await close()
  })
})
