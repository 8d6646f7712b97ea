import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { eachTest } from './support/each-test.ts'
import { routedTo } from './support/entries.ts'
import { noBrowser } from './support/browser.ts'
import type { EngineProcess } from './support/engine-process.ts'
import { say, type MockUpstream } from './support/mock-upstream/index.ts'
import { tmuxMissing, type TestTmux } from './support/tmux.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'

const pictures = resolve(import.meta.dirname, '.artifacts/dashboard')

describe('a session in a tmux pane on the dashboard', unless(firstOf(tmuxMissing, noBrowser)), () => {
  let mock: MockUpstream
  let engine: EngineProcess
  let tmux: TestTmux
  let agent: TurnAgent
  let page: Page
  const each = eachTest()

  beforeEach(async () => {
    mock = await each.mock()
    mock.script(() => say('This part is done now.'))
    engine = await each.engine({
      config: {
        ...routedTo(mock),
      },
    })
    tmux = each.tmux()
    agent = await startTurnAgent({ home: 'pane', engine, tmux, name: 'seen' })
    each.ends(() => agent.end())
    await agent.say(engine, 'begin')
    await waitFor('the first answer', () => agent.idle())
    page = await each.page(await engine.dashboard())
    const session = await engine.control.session((s) => s.turns === 1)
    await page.getByRole('treeitem', { name: session.name }).click()
    await page.getByRole('tab', { name: 'Terminal' }).click()
  })

  const pane = () => tmux.run('list-panes', '-a', '-F', '#{pane_width}x#{pane_height} #{session_attached} #{pane_pipe}')
  const inPage = () =>
    page.evaluate(() => Array.from(document.querySelectorAll('.xterm-rows > div'), (row) => row.textContent ?? ''))
  const same = (lines: readonly string[]) =>
    lines
      .map((line) => line.replaceAll('\u00a0', ' ').trimEnd())
      .join('\n')
      .trimEnd()
  const shown = () =>
    waitFor('the pane in the page', async () => same(await inPage()) === same(agent.screen().split('\n')))

  it('shows the pane as it is, goes on with it, and changes nothing in it', async () => {
    const before = pane()
    await shown()
    await page.getByText('120 × 40').waitFor()
    await page.getByText('watched, type in tmux').waitFor()
    await agent.press(engine, 'half a line')
    await waitFor('it to be typed', () => agent.screen().includes('half a line'))
    await shown()

    const read = agent.read()
    await page.locator('.term').click()
    await page.keyboard.type('not into the pane')
    await agent.press(engine, '!')
    await waitFor('the key of tmux', () => agent.read() !== read)
    expect(agent.read()).toBe(`${read}!`)

    tmux.run('resize-window', '-t', agent.session, '-x', '200', '-y', '50')
    await page.getByText('200 × 50').waitFor()
    await shown()
    tmux.run('resize-window', '-t', agent.session, '-x', '120', '-y', '40')
    await page.getByText('120 × 40').waitFor()
    expect(pane()).toBe(before)
  })

  it('fits whole into wide and narrow windows, and tells how to work in it', async () => {
    mkdirSync(pictures, { recursive: true })
    await shown()
    for (const [scheme, width, height] of [
      ['light', 1440, 900],
      ['dark', 900, 700],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height })
      await expect
        .poll(
          () =>
            page.evaluate(() => {
              const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
              const [text, room] = [box('.xterm-screen'), box('.term')]
              const bar = box('.xterm-scrollable-element > .scrollbar.vertical')
              const slider = box('.xterm-scrollable-element > .scrollbar.vertical > .slider')
              if (!text || !room || !bar || !slider) return 'nothing is there'
              if (text.right > room.right || text.bottom > room.bottom) return 'it is cut'
              if (text.right > bar.left) return 'the scrollbar covers text'
              if (bar.right > room.right || bar.bottom > room.bottom) return 'the scrollbar is cut'
              if (Math.abs(bar.bottom - text.bottom) > 2) return 'the scrollbar is not as long as the text'
              if (slider.bottom > bar.bottom + 1) return 'the slider is cut'
              if (Math.abs(slider.bottom - text.bottom) > 2) return 'the slider is not at the end'
              return text.bottom < room.bottom - 80 && text.right < room.right - 240 ? 'it is too small' : 'it fits'
            }),
          { message: `${width} × ${height}` },
        )
        .toBe('it fits')
      await page.screenshot({ path: join(pictures, `pane-${scheme}-${width}.png`) })
    }
    const command = await page.getByRole('button', { name: 'Copy attach command' }).getAttribute('title')
    expect(command).toBe(`tmux -S ${tmux.socket} attach-session -t ${tmux.run('list-panes', '-a', '-F', '#{pane_id}')}`)
    // As a person does it, in a terminal of their own.
    const own = tmux.session('own', `env -u TMUX ${command}`)
    await waitFor('the agent in it', () => tmux.screen(own).includes('stand-in agent'))
  })
})
