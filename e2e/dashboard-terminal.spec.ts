import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { eachTest } from './support/each-test.ts'
import { routedTo } from './support/entries.ts'
import { noBrowser } from './support/browser.ts'
import type { EngineProcess } from './support/engine-process.ts'
import { say, type MockUpstream } from './support/mock-upstream/index.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { unless } from '../shared/testing/unless.ts'

const program = resolve(import.meta.dirname, 'support/turn-agent.mjs')
/** Among its letters are all those that do something on the page: p, a, n, j, s, w, g, r, 1 to 6, +, / and ?. */
const sentence =
  'please pause nothing, open no alarms, jump nowhere: 1 ' +
  'approves, 2 declines, 3 asks again; why? a/b + c, said sixty ' +
  'times over (4 5 6). Grow, search, rename and snooze are words here, and every one of them is meant for the agent.'

describe('a terminal of the dashboard on a running engine', unless(noBrowser), () => {
  let mock: MockUpstream
  let engine: EngineProcess
  let page: Page
  let folder = ''
  const each = eachTest()

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onward-typed-'))
    each.ends(() => rmSync(folder, { recursive: true, force: true }))
    mock = await each.mock()
    mock.script(() => say('This part is done now.'))
    engine = await each.engine({
      config: {
        ...routedTo(mock),
      },
    })
    page = await each.page(await engine.dashboard())
  })

  /** what the agent wrote down of one kind, oldest first */
  const notes = (type: string): string[] => {
    const log = join(folder, 'log.jsonl')
    if (!existsSync(log)) return []
    return readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.includes(`"type":"${type}"`) && line.endsWith('}'))
      .map((line) => String(Object(JSON.parse(line)).text))
  }
  const openAgent = async () => {
    await page.getByRole('button', { name: 'New terminal' }).first().click()
    const form = page.getByRole('dialog', { name: 'New terminal' })
    await form.getByRole('radio', { name: /command/ }).check()
    await form
      .getByRole('textbox', { name: 'Command' })
      .fill(`${process.execPath} ${program} --log ${join(folder, 'log.jsonl')} --session typed-into`)
    await form.getByRole('combobox', { name: 'Folder' }).fill(folder)
    await form.getByRole('textbox', { name: /^Name/ }).fill('night shift')
    await form.getByRole('button', { name: 'Open' }).click()
    await page.getByText('stand-in agent').first().waitFor()
  }
  const inTerminal = () => page.evaluate(() => document.activeElement?.closest('.term') instanceof HTMLElement)

  it('has the focus when it opens and keeps every key when its first turn makes a session of it', async () => {
    await openAgent()
    await expect.poll(inTerminal, { message: 'nobody clicked into it' }).toBe(true)
    await page.evaluate(() => document.querySelector('.xterm')?.setAttribute('data-first', ''))

    await page.keyboard.type('begin')
    await page.keyboard.press('Enter')
    await page.keyboard.type(sentence)
    await mock.turn(1)
    await page.getByRole('tab', { name: 'Terminal', selected: true }).waitFor()
    await page.keyboard.type(sentence)
    await waitFor('the last key', () => notes('read').join('').endsWith(sentence.slice(-10)))
    await waitFor('every key', () => notes('read').join('') === `begin\r${sentence}${sentence}`)

    // The agent writes down what it read before it takes it in.
    await waitFor('the composer', () => notes('composer').at(-1) === sentence + sentence)
    expect(await inTerminal()).toBe(true)
    expect(await page.locator('.xterm').count()).toBe(1)
    expect(await page.locator('.xterm[data-first]').count(), 'the screen is the one that was typed into').toBe(1)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await engine.control.session((s) => s.turns === 1)).toMatchObject({
      paused: false,
      name: 'night shift',
    })
    await page.getByRole('heading', { name: 'night shift' }).waitFor()
  })

  it('keeps the form of what could not be opened, says why, and takes folders as a person writes them', async () => {
    await page.getByRole('button', { name: 'New terminal' }).first().click()
    const form = page.getByRole('dialog', { name: 'New terminal' })
    await form.getByRole('radio', { name: /command/ }).check()
    const command = form.getByRole('textbox', { name: 'Command' })
    const where = form.getByRole('combobox', { name: 'Folder' })
    const open = form.getByRole('button', { name: 'Open' })
    await command.fill(`sh -c "echo out of ideas >&2; exit 3"`)
    await where.fill('~/no-such-folder')
    await open.click()
    await form.getByRole('alert').getByText('There is no folder').waitFor()
    expect(await where.inputValue()).toBe('~/no-such-folder')

    await where.fill('~')
    await open.click()
    await form.getByRole('alert').getByText('It said: out of ideas').waitFor()
    expect(await engine.control.api.terminals.query()).toEqual([])

    await command.fill('sh -c "pwd; exec sleep 600"')
    await open.click()
    await page.locator('.xterm').waitFor()
    const [opened] = await engine.control.api.terminals.query()
    expect(opened?.cwd).toMatch(/^\//)
    await expect.poll(inTerminal).toBe(true)
  })

  /** Where text is drawn, where there is room for it, and the scrollbar, all in pixels of the page. */
  const boxes = () =>
    page.evaluate(() => {
      const box = (selector: string) => {
        const found = document.querySelector(selector)
        if (!found) throw new Error(`no ${selector}`)
        const { left, top, right, bottom } = found.getBoundingClientRect()
        return { left, top, right, bottom }
      }
      const size = /(\d+) × (\d+)/.exec(document.querySelector('.t-bar')?.textContent ?? '')
      return {
        cols: Number(size?.[1]),
        rows: Number(size?.[2]),
        text: box('.xterm-screen'),
        room: box('.term'),
        scrollbar: box('.xterm-scrollable-element > .scrollbar.vertical'),
      }
    })
  const misfit = async (): Promise<string | null> => {
    const { text, room, scrollbar, cols } = await boxes()
    const cell = (text.right - text.left) / cols
    if (text.right > room.right) return `columns are cut: ${text.right} > ${room.right}`
    if (text.bottom > room.bottom) return `rows are cut: ${text.bottom} > ${room.bottom}`
    if (text.right > scrollbar.left) return `the scrollbar covers text: ${text.right} > ${scrollbar.left}`
    if (scrollbar.bottom > room.bottom) return `the scrollbar is cut: ${scrollbar.bottom} > ${room.bottom}`
    if (scrollbar.right > room.right) return `the scrollbar is cut: ${scrollbar.right} > ${room.right}`
    // Both ways: a terminal that leaves room unused was not measured again.
    if (scrollbar.left - text.right > 2 * cell) return `room is left: ${text.right} < ${scrollbar.left}`
    return null
  }

  it('fits into its place in wide and narrow windows, and again when the window changes', async () => {
    await openAgent()
    for (const [width, height] of [
      [1440, 900],
      [900, 700],
      [1180, 760],
      [901, 613],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect.poll(misfit, { message: `${width} × ${height}` }).toBeNull()
    }
    await page.keyboard.type('begin')
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Terminal', selected: true }).waitFor()
    await expect.poll(misfit, { message: 'as a session' }).toBeNull()
  })
})
