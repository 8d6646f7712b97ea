import type { Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eachTest } from './support/each-test.ts'
import { routedTo } from './support/entries.ts'
import { noBrowser } from './support/browser.ts'
import type { EngineProcess } from './support/engine-process.ts'
import { gate, say, type Gate, type MockUpstream } from './support/mock-upstream/index.ts'
import { tmuxMissing } from './support/tmux.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'

const goal = 'go on with the next part'

/** The built page on the real engine, an agent in one of its terminals, a provider that answers when told to. */
describe('the dashboard on a running engine', unless(firstOf(tmuxMissing, noBrowser)), () => {
  let mock: MockUpstream
  let engine: EngineProcess
  let agent: TurnAgent
  let page: Page
  let link = ''
  const each = eachTest()
  /** the answers not given yet, by turn */
  const answers = new Map<number, Gate>()
  const answer = (turn: number): Gate => {
    const known = answers.get(turn) ?? gate()
    answers.set(turn, known)
    return known
  }
  const asked = () => mock.turns().map((turn) => turn.lastUserText)

  beforeEach(async () => {
    answers.clear()
    mock = await each.mock()
    mock.script(() => say('This part is done now.', { hold: { at: 'head', until: answer(mock.turns().length) } }))
    engine = await each.engine({
      config: {
        stopMessage: { settleMs: 100 },
        ...routedTo(mock),
      },
    })
    const tmux = each.tmux()
    agent = await startTurnAgent({ home: 'hosted', engine, tmux, name: 'live' })
    each.ends(() => agent.end())
    answer(1).open()
    await agent.say(engine, 'begin')
    await waitFor('the first answer', () => agent.idle())
    link = await engine.dashboard()
    page = await each.page(link)
  })
  afterEach(async () => {
    for (const held of answers.values()) held.open()
  })

  const rounds = () =>
    page
      .getByRole('progressbar', { name: /rounds used/ })
      .first()
      .getAttribute('aria-valuenow')
  const openSession = async () => {
    const session = await engine.control.session((s) => s.turns === 1)
    await page.getByRole('treeitem', { name: session.name }).click()
    await page.getByRole('heading', { name: session.name }).waitFor()
  }

  it('arms a session, follows its rounds, shows the tray’s pause, edits what waits, and goes on', async () => {
    await openSession()
    expect(page.url()).not.toContain('token')
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
    expect(token).toBeTruthy()
    expect(page.url()).not.toContain(token)

    await page.getByPlaceholder('Goal, e.g. all tests green').fill(goal)
    await page.getByRole('textbox', { name: 'Rounds' }).fill('4')
    await page.getByRole('button', { name: 'Arm', exact: true }).click()
    await page.getByRole('region', { name: 'Keep going' }).getByText(`“${goal}”`).waitFor()
    expect(await rounds()).toBe('0')
    expect(engine.control.sessions.size).toBe(1)
    await engine.control.session((s) => s.stopMessage?.text === goal && s.stopMessage.max === 4)

    // Each answer ends a turn, each end is one followup, each followup one round on the page.
    await agent.say(engine, 'write the first part')
    await mock.turn(2)
    for (const round of [1, 2]) {
      answer(round + 1).open()
      await mock.turn(round + 2)
      await expect.poll(rounds).toBe(String(round))
    }
    expect(asked()).toEqual(['begin', 'write the first part', goal, goal])
    await page.getByText('Followup typed into the terminal and confirmed').first().waitFor()

    // What the tray calls.
    await engine.control.api.pause.mutate(null)
    await page.getByText('All automation is paused. Followups wait, nothing is typed.').waitFor()

    await page.getByRole('tab', { name: 'Queue' }).click()
    await page.getByRole('textbox', { name: 'Send a message' }).fill('and add a sumary')
    await page.keyboard.press('Enter')
    await page.locator('.entry-text', { hasText: 'and add a sumary' }).waitFor()
    answer(4).open()
    await waitFor('the agent to be idle', () => agent.idle())
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Text of the followup' }).fill('and add a summary, please')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.entry-text', { hasText: 'and add a summary, please' }).waitFor()
    expect(agent.idle() && agent.composer() === '', 'nothing is typed while paused').toBe(true)
    expect(asked()).toHaveLength(4)

    await page
      .getByRole('status')
      .getByRole('button', { name: /Resume/ })
      .click()
    await mock.turn(5)
    expect(asked()[4]).toBe('and add a summary, please')
    await expect.poll(() => page.locator('.entry-text').count()).toBe(0)
    await expect.poll(() => page.getByText('All automation is paused').count()).toBe(0)
    expect(agent.read()).not.toContain('sumary')

    await page.getByRole('tab', { name: 'Timeline' }).click()
    for (const turn of [5, 6, 7]) answer(turn).open()
    await mock.turn(7)
    await engine.control.session((s) => s.stopMessage?.status.kind === 'done')
    await expect.poll(rounds).toBe('4')
    expect(asked().slice(5)).toEqual([goal, goal])
    expect(mock.problems).toEqual([])
  })

  it('archives a session, undoes it, shows it when asked to, and has it back with its next turn', async () => {
    const { id, name } = await engine.control.session((s) => s.turns === 1)
    const row = page.getByRole('treeitem', { name })
    await openSession()
    await page.keyboard.press('e')
    await expect.poll(() => row.count()).toBe(0)
    await page.getByText(`${name} archived until its next turn`).waitFor()
    await page.keyboard.press('Control+z')
    await row.waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /^Archive/ }).click()
    await expect.poll(() => row.count()).toBe(0)
    await page.getByRole('button', { name: 'Filter and sort' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Archived sessions too' }).click()
    await row.getByText('archived').waitFor()
    expect(agent.alive(), 'nothing of it is stopped').toBe(true)

    answer(2).open()
    await agent.say(engine, 'write the first part')
    await engine.control.session((s) => s.id === id && s.turns === 2 && s.archived !== true)
    await expect.poll(() => row.getByText('archived').count()).toBe(0)
    await row.waitFor()
  })

  it('keeps the width that a person gave the list, by mouse or by keys, until it is put back', async () => {
    await openSession()
    const edge = page.getByRole('separator', { name: 'Width of the list' })
    const list = page.locator('.pane.list')
    const width = async () => Math.round((await list.boundingBox())?.width ?? 0)
    expect(await width()).toBe(376)
    const box = await edge.boundingBox()
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, 400]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 60, y, { steps: 4 })
    await page.mouse.up()
    await expect.poll(width).toBe(436)
    await edge.focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(width).toBe(420)
    await page.reload()
    await expect.poll(width).toBe(420)

    await edge.focus()
    await page.keyboard.press('End')
    await expect.poll(width).toBe(640)
    await page.setViewportSize({ width: 1100, height: 800 })
    await expect.poll(width, { message: 'the detail keeps its room' }).toBe(592)
    await page.setViewportSize({ width: 900, height: 700 })
    await expect.poll(() => edge.isVisible(), { message: 'one pane at a time' }).toBe(false)
    await page.setViewportSize({ width: 1440, height: 900 })
    await edge.dblclick()
    await expect.poll(width).toBe(376)
  })
})
