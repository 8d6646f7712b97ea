import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { unless, firstOf } from '../../shared/testing/unless.ts'
import { noBrowser, openPage } from './browser.ts'
import { say } from './mock-upstream/index.ts'
import { agentMissing, type RealAgent } from './real/index.ts'
import { agentWorld } from './real/world.ts'

async function atDashboard(link: string): Promise<{ page: Page; row: Locator; card: Locator; close(): Promise<void> }> {
  const { page, complaints, close } = await openPage()
  await page.goto(link)
  const card = page.getByRole('region', { name: 'What needs you' })
  return {
    page,
    card,
    row: page.getByRole('treeitem', { name: 'work' }),
    async close() {
      await close()
      expect(complaints).toEqual([])
    },
  }
}

/**
 * A real agent asks in a terminal of the dashboard, and clicks on what the card shows answer it.
 * @param answers choices of its dialogs, one after the other, as they are shown
 */
export function needsYouJourney(agent: RealAgent, said: RegExp, answers: readonly string[]) {
  describe(`a real ${agent.name} asks for permission`, unless(firstOf(noBrowser, agentMissing(agent))), () => {
    const world = agentWorld(agent)

    it('a click on the row leads to the question, one on a choice answers it, and the timeline says so', async () => {
      const { mock, engine } = world
      mock.script((turn) => {
        if (turn.auxiliary !== null) return undefined
        return mock.turns().length === 1 ? agent.dialog.reply('made-by-tool') : say('It is there.')
      })
      const person = await world.start(agent, { how: 'hosted' })
      const file = join(person.cwd, 'made-by-tool')
      await person.say('Make the file.')
      await person.shows(agent.dialog.shows)
      const { id } = await engine.control.session((s) => s.shape === 'needs', 60_000)
      const view = await atDashboard(await engine.dashboard())
      const { page, row, card } = view
      await page.getByRole('link', { name: /^Activity/ }).click()
      await page.getByRole('link', { name: /^Sessions/ }).click()
      await row.getByText(said).waitFor()

      await row.click()
      await page.getByRole('tab', { name: 'Timeline', selected: true }).waitFor()
      expect(existsSync(file), 'nothing was pressed so far').toBe(false)
      for (const name of answers) await choice(card, name).click()
      await expect.poll(() => existsSync(file)).toBe(true)
      await card.waitFor({ state: 'detached' })
      await engine.control.session((s) => s.id === id && s.shape === 'idle', 60_000)
      await page
        .getByRole('tabpanel')
        .getByText(/^You (?:pressed 1|chose) “.*” for .*made-by-tool\. The dialog closed after /)
        .first()
        .waitFor()
      await view.close()
    })
  })
}

const choice = (card: Locator, name: string) =>
  card
    .getByRole('list', { name: 'Choices' })
    .getByRole('button')
    .filter({ has: card.page().getByText(name, { exact: true }) })
