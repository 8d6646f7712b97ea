/** A real Claude Code asks at its start whether it may work in a folder, before there is any turn. */
import { mkdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { noBrowser, openPage } from './support/browser.ts'
import { atRest, nothingMore } from './support/nothing-more.ts'
import { agentMissing, realAgents } from './support/real/index.ts'
import { agentWorld } from './support/real/world.ts'

const { claude } = realAgents
const pictures = resolve(import.meta.dirname, '.artifacts/dashboard')

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
    const card = page.getByRole('complementary').filter({ hasText: 'Asks' })
    const choice = card.getByRole('button', { name: 'Yes, I trust this folder' })
    await choice.waitFor()
    await mkdir(pictures, { recursive: true })
    for (const [scheme, width, height] of [
      ['light', 1440, 900],
      ['dark', 900, 700],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height })
      await page.locator('.xterm-rows').getByText('Yes, I trust this folder').waitFor()
      await page.screenshot({ path: join(pictures, `trust-${scheme}-${width}.png`) })
    }
    // A press counts for the screen as it was shown. The terminal got another size a moment ago: then one is refused,
    // what is shown is read anew, and a person presses again.
    await waitFor('a press to count', async () => {
      await choice.click({ timeout: 3_000 }).catch(() => undefined)
      return card.waitFor({ state: 'detached', timeout: 3_000 }).then(
        () => true,
        () => false,
      )
    })
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
