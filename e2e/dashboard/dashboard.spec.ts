import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { TerminalView } from '../../shared/state.ts'
import { standsInLine } from './fake/scene-goals.ts'
import { mockMoment, noBrowser, startDashboard } from './support/dashboard.ts'
import { dashboardForEach } from './support/dashboard-for-each.ts'
import { unless } from '../../shared/testing/unless.ts'

const billing = 'billing-service-01jd'
const row = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name })
const card = (page: Page) => page.getByRole('region', { name: 'Keep going' })

describe('the dashboard', unless(noBrowser), () => {
  const dashboard = dashboardForEach()
  const { calls } = dashboard
  const called = async (name: string) => {
    await expect.poll(() => calls(name)).not.toEqual([])
    return calls(name)
  }

  it('opens from its link and keeps the token out of the address', async () => {
    const page = await dashboard.open()
    await row(page, /billing-service/).waitFor()
    expect(page.url()).not.toContain('fake-token')
    await page.reload()
    await row(page, /billing-service/).waitFor()
    expect(await page.title()).toBe('(2) Onward')
  })

  it('stays where a person goes while the list comes in', async () => {
    const page = await (await dashboard.open()).context().newPage()
    // As on a busy machine: the browser has followed the link, and says so once the list is there.
    await page.addInitScript(() => {
      const there = (selector: string, then: (element: HTMLElement) => void) => {
        const observer = new MutationObserver(() => {
          const element = document.querySelector<HTMLElement>(selector)
          if (element === null) return
          observer.disconnect()
          then(element)
        })
        observer.observe(document, { childList: true, subtree: true })
      }
      const late = (event: Event) => {
        event.stopImmediatePropagation()
        removeEventListener('hashchange', late)
        there('[role="treeitem"]', () => setTimeout(() => dispatchEvent(new HashChangeEvent('hashchange'))))
      }
      addEventListener('hashchange', late)
      there('a[href="#/activity"]', (link) => link.click())
    })
    await page.goto(dashboard.engine.url('sessions'))
    await page.getByRole('button', { name: 'Cost', exact: true }).waitFor()
    expect(new URL(page.url()).hash).toBe('#/activity')
  })

  it('says how to get in when it has no token or a wrong one', async () => {
    const bare = await dashboard.open({ token: false })
    await bare.getByText('This page needs its link').waitFor()
    const page = await dashboard.open()
    await row(page, /billing-service/).waitFor()
    await page.goto(`${dashboard.engine.origin}/dashboard/#token=wrong`)
    await page.getByText('The engine does not take this link any more').waitFor()
    await page.reload()
    await page.getByText('This page needs its link').waitFor()
    await page.goto(dashboard.engine.url(`session/${billing}`))
    await page.getByRole('heading', { name: 'billing-service' }).waitFor()
  })

  it('is signed out from the settings, in every window, and let in again by a new link only', async () => {
    const page = await dashboard.open({ place: 'settings' })
    const other = await dashboard.open()
    await row(other, /billing-service/).waitFor()
    const unused = dashboard.engine.url()
    await page.getByRole('button', { name: 'Sign out all windows' }).click()
    const over = 'The engine does not take this link any more'
    await page.getByText(over).waitFor()
    await other.getByText(over).waitFor()
    expect(await called('signOutWindows')).toEqual([null])
    await other.reload()
    await other.getByText('This page needs its link').waitFor()
    await other.goto(unused)
    await other.getByText(over).waitFor()
    await other.goto(dashboard.engine.url())
    await row(other, /billing-service/).waitFor()
  })

  it('opens one window by a link, not two', async () => {
    const page = await dashboard.open()
    const link = dashboard.engine.url()
    await page.goto('about:blank')
    await page.goto(link)
    await row(page, /billing-service/).waitFor()
    const other = await dashboard.open({ token: false })
    await other.goto(link)
    await other.getByText('The engine does not take this link any more').waitFor()
    await page.reload()
    await row(page, /billing-service/).waitFor()
  })

  it('puts what needs a person first and opens it', async () => {
    const page = await dashboard.open()
    await page.getByRole('heading', { name: 'api-gateway' }).waitFor()
    const names = await page.locator('[role=treeitem]').allInnerTexts()
    expect(names.map((text) => text.split('\n')[0]).slice(0, 3)).toEqual([
      'Needs you',
      'api-gateway',
      'infra-terraform',
    ])
    await page.getByText('Asks for permission').waitFor()
    await page.getByRole('button', { name: 'Open the terminal' }).click()
    await page.locator('.xterm-rows').getByText('214 total').waitFor()
    await page.getByText('Onward never answers a dialog. It types once you have.').waitFor()
  })

  it('presses a choice of a hosted terminal as it was shown, and the agent goes on', async () => {
    const page = await dashboard.open({ place: 'session/infra-terraform-01jd' })
    await page.getByRole('button', { name: 'Move it to the new account' }).click()
    await expect
      .poll(() => calls('answerDialog'))
      .toEqual([
        {
          terminalId: 'infra-terraform',
          question: 'Keep the old state bucket or move it?',
          about: expect.stringContaining('bucket of the old account'),
          choice: 'Move it to the new account, and lock plans meanwhile',
        },
      ])
    await page.getByRole('button', { name: 'Keep the old bucket' }).waitFor({ state: 'detached' })
    await row(page, /infra-terraform.*Turn 13/s).waitFor()
  })

  it('says what an unknown screen shows, and copies it for a report', async () => {
    const { api } = dashboard.engine
    const session = api.scene.sessions.find((s) => s.id === 'pricing-scraper-01jd')
    const hold = { code: 'screen-unknown', seen: 'sign', sign: '*' } as const
    api.put('pricing-scraper-01jd', {
      say: { code: 'held', reason: hold },
      queue: (session?.queue ?? []).map((entry) => ({ ...entry, hold })),
    })
    const page = await dashboard.open({ place: 'session/pricing-scraper-01jd/terminal' })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const bar = page.getByRole('complementary', { name: 'Held' })
    await bar.getByText('the screen is not one Onward knows, its input line begins with “*”').waitFor()
    await bar.getByRole('button', { name: 'Copy the screen for a report' }).click()
    await page.getByText('Screen copied without its texts').waitFor()
    expect(await called('reportScreen')).toEqual([session?.terminalId])
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"read":"unknown sign *"')
  })

  it('asks what to do with a text on which Enter did nothing, and sends it or takes it out', async () => {
    const { api } = dashboard.engine
    const id = 'pricing-scraper-01jd'
    const session = api.scene.sessions.find((s) => s.id === id)
    if (!session) throw new Error('the scene has that session')
    const standing = standsInLine(mockMoment, session)
    const { queue } = standing
    api.put(id, standing)
    const page = await dashboard.open({ place: `session/${id}` })
    const asked = page.locator('section.card').filter({ hasText: 'The text stands in the input line' })
    await asked.getByRole('button', { name: 'Send it' }).click()
    await expect.poll(() => calls('sendEntryNow')).toEqual([queue[0]?.id])
    api.put(id, standing)
    await page.goto(page.url().replace(/#.*/, `#/session/${id}/terminal`))
    const bar = page.getByRole('complementary', { name: 'Held' })
    await bar.getByText('Send it, or take it out.').waitFor()
    await bar.getByRole('button', { name: 'Take it out' }).click()
    await expect.poll(() => calls('cancelEntry')).toEqual([queue[0]?.id])
  })

  it('arms a session and shows its rounds as they are used', async () => {
    const page = await dashboard.open({ place: 'session/landing-page-01jd' })
    await page.getByPlaceholder('Goal, e.g. all tests green').fill('Ship it')
    await page.getByRole('textbox', { name: 'Rounds' }).fill('0')
    await page.getByRole('button', { name: 'Arm', exact: true }).click()
    await page.getByText('Rounds are a whole number from 1').waitFor()
    await expect.poll(() => calls('setStopMessage')).toEqual([])
    await page.getByRole('textbox', { name: 'Rounds' }).fill('3')
    await page.getByRole('button', { name: 'Arm', exact: true }).click()
    await card(page).getByText('“Ship it”').waitFor()
    await expect
      .poll(() => calls('setStopMessage'))
      .toEqual([{ session: 'landing-page-01jd', text: 'Ship it', rounds: 3, review: false }])
    const { api } = dashboard.engine
    const goal = api.scene.sessions.find((s) => s.id === 'landing-page-01jd')?.stopMessage
    expect(goal).toBeTruthy()
    api.put('landing-page-01jd', {
      shape: 'working',
      say: { code: 'working', turn: 13, since: mockMoment - 2000 },
      stopMessage: goal ? { ...goal, used: 2 } : null,
    })
    await expect.poll(() => page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('2')
    await row(page, /landing-page.*2 of 3 rounds used/s).waitFor()
    await page.getByRole('button', { name: /Ten more rounds/ }).click()
    await card(page).getByText('2 / 13').waitFor()
    api.put('landing-page-01jd', {
      shape: 'done',
      say: { code: 'done', reason: { code: 'rounds-used', used: 13, max: 13 } },
      stopMessage: goal
        ? {
            ...goal,
            used: 13,
            max: 13,
            status: { kind: 'done', reason: { code: 'rounds-used', used: 13, max: 13 }, at: mockMoment },
          }
        : null,
    })
    await page
      .locator('[aria-live=polite]', { hasText: 'landing-page is done. All 13 rounds used' })
      .waitFor({ state: 'attached' })
  })

  it('leaves the number of rounds open when asked to', async () => {
    const page = await dashboard.open({ place: 'session/landing-page-01jd' })
    await page.getByRole('textbox', { name: 'Rounds' }).fill('')
    await page.getByPlaceholder('Goal, e.g. all tests green').fill('Go')
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: '0 rounds used, no limit' }).waitFor()
    await expect
      .poll(() => calls('setStopMessage'))
      .toEqual([{ session: 'landing-page-01jd', text: 'Go', rounds: null, review: false }])
  })

  it('clears a goal, takes that back with Ctrl Z, and says when the engine refuses', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    await page.getByRole('button', { name: 'Clear the goal' }).click()
    await page.getByText('Goal cleared').waitFor()
    await page.getByRole('button', { name: 'Re-arm' }).first().waitFor()
    await page.locator('body').press('Control+z')
    await card(page).getByText('12 / 30').waitFor()
    await expect.poll(() => calls('rearmStopMessage')).toEqual([billing])
    // only an armed goal can be given more rounds
    await page.getByRole('button', { name: 'Clear the goal' }).waitFor()
    dashboard.engine.api.failNext('addRounds', 'The goal is reached already.')
    await page.locator('body').press('+')
    await page.getByText('Not done: The goal is reached already.').waitFor()
  })

  it('shows the timeline live, with the reason in place', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    await page.getByText('Followup typed into the terminal and confirmed').waitFor()
    await page.getByText('Confirmed by the next request after 1.4 s').first().waitFor()
    await page.getByRole('button', { name: /^Why: Did not fire: the agent called a tool/ }).click()
    await page.getByText('Not a plain stop: tool call').waitFor()
    await page.locator('body').press('w')
    await expect.poll(() => page.getByText('Not a plain stop: tool call').count()).toBe(0)
    const { api } = dashboard.engine
    api.record(billing, { type: 'queued', entryId: 'live', source: 'stopMessage', text: 'One more thing', round: 13 })
    await page.getByText('Followup of round 13 queued').waitFor()
    api.record(billing, { type: 'held', entryId: 'live', reason: { code: 'typing' } })
    await page.locator('.tl').getByText('Held: you are typing').waitFor()
    api.record(billing, {
      type: 'failed',
      entryId: 'live',
      source: 'stopMessage',
      reason: { code: 'terminal-gone', why: 'pane closed' },
    })
    await page.locator('.tl').getByText('Not typed: the tmux pane is gone').waitFor()
    await page.getByRole('button', { name: 'All events' }).click()
    await page.getByRole('menuitemradio', { name: 'Problems only' }).click()
    await expect.poll(() => page.locator('.tl-turn').count()).toBe(0)
    await page.locator('.tl').getByText('Not typed: the tmux pane is gone').waitFor()
  })

  it('edits a queued followup, and tells who comes second', async () => {
    const page = await dashboard.open({ place: 'session/data-migration-01jd/queue' })
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
    const field = page.getByRole('textbox', { name: 'Text of the followup' })
    await field.fill('Start with the invoices table.')
    await page.keyboard.press('Enter')
    await page.locator('.entry-text', { hasText: 'Start with the invoices table.' }).waitFor()
    await expect
      .poll(() => calls('editEntry'))
      .toEqual([{ entryId: 'q-data1', revision: 1, text: 'Start with the invoices table.' }])
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
    await field.fill('Mine.')
    await dashboard.engine.api.editEntry({ entryId: 'q-data1', revision: 2, text: 'Theirs.' })
    await page.getByText('It was changed elsewhere meanwhile. This is your text').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    expect(await field.inputValue()).toBe('Mine.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.entry-text', { hasText: 'Mine.' }).waitFor()
  })

  it('reorders, sends now, cancels with undo, and queues a message', async () => {
    const page = await dashboard.open({ place: 'session/data-migration-01jd/queue' })
    const texts = () => page.locator('.entry-text').allInnerTexts()
    await page.getByRole('button', { name: 'Later' }).first().click()
    await expect.poll(texts).toEqual(['Keep the old table until Monday.', 'Start with the orders table.'])
    await page.getByRole('button', { name: 'Earlier' }).last().click()
    await expect.poll(texts).toEqual(['Start with the orders table.', 'Keep the old table until Monday.'])
    await page.getByRole('button', { name: 'Cancel this followup' }).last().click()
    await expect.poll(texts).toEqual(['Start with the orders table.'])
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(texts).toEqual(['Start with the orders table.', 'Keep the old table until Monday.'])
    await page.getByRole('textbox', { name: 'Send a message' }).fill('And tell me when you are done')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await texts()).length).toBe(3)
    await page.getByRole('button', { name: 'Send now' }).first().click()
    await page.locator('.entry').first().getByText('Submitted').waitFor()
    await expect
      .poll(() => calls('moveEntry'))
      .toEqual([
        { entryId: 'q-data1', beforeEntryId: null },
        { entryId: 'q-data1', beforeEntryId: 'q-data2' },
      ])
  })

  it('tells what a button is for, to the pointer and to the keyboard', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    const tip = page.getByRole('tooltip')
    const button = page.getByRole('button', { name: 'New terminal' })
    await button.hover()
    expect(await tip.textContent()).toContain('New terminal')
    expect(await button.getAttribute('aria-describedby')).toBe(await tip.getAttribute('id'))
    await page.keyboard.press('Escape')
    await tip.waitFor({ state: 'detached' })
    await page.mouse.move(700, 700)
    await page.getByRole('link', { name: /^Alarms/ }).focus()
    await page.keyboard.press('Tab')
    expect(await tip.textContent()).toContain('Activity')
    const [link, box] = await Promise.all([
      page.getByRole('link', { name: 'Activity' }).boundingBox(),
      tip.boundingBox(),
    ])
    expect(box?.x).toBeGreaterThanOrEqual((link?.x ?? 0) + (link?.width ?? 0))
    await page.keyboard.press('Shift+Tab')
    await tip.getByText('Alarms').waitFor()
  })

  it('is driven by the keyboard', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    const heading = page.getByRole('heading', { level: 1 }).nth(1)
    const body = page.locator('body')
    await heading.getByText('billing-service').waitFor()
    await body.press('p')
    expect(await called('pause')).toEqual([billing])
    await page
      .getByRole('button', { name: /Resume/ })
      .first()
      .waitFor()
    await body.press('p')
    expect(await called('resume')).toEqual([billing])
    await body.press('Shift+P')
    await page.getByText('All automation is paused. Followups wait, nothing is typed.').waitFor()
    await body.press('Shift+P')
    await expect.poll(() => calls('resume')).toEqual([billing, null])
    await body.press('j')
    await heading.getByText('api-gateway').waitFor()
    await body.press('j')
    await heading.getByText('infra-terraform').waitFor()
    await body.press('3')
    await page.getByRole('tab', { name: 'Queue', selected: true }).waitFor()
    await body.press('1')
    await body.press('g')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit the goal' }).waitFor()
    await body.press('/')
    await page.keyboard.type('scraper')
    await expect.poll(() => page.getByRole('treeitem').count()).toBe(2)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await heading.getByText('pricing-scraper').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('treeitem', { name: /^Needs you/, expanded: false }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await heading.getByText('api-gateway').waitFor()
    await page.keyboard.press('F2')
    await page.keyboard.type('gateway')
    await page.keyboard.press('Enter')
    await heading.getByText('gateway', { exact: true }).waitFor()
    await expect.poll(() => calls('renameSession')).toEqual([{ session: 'api-gateway-01jd', name: 'gateway' }])
    await body.press('?')
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
    await page.keyboard.press('p')
    await expect.poll(() => calls('pause')).toEqual([billing, null])
    await page.keyboard.press('Escape')
    await body.press('Control+3')
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await page.goBack()
    await heading.getByText('gateway', { exact: true }).waitFor()
  })

  it('takes every letter typed after Ctrl K for the palette', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    await page.getByRole('heading', { name: 'billing-service' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('pause all')
    await page.getByRole('option', { name: /Pause all automation/, selected: true }).waitFor()
    await expect.poll(() => calls('pause')).toEqual([])
    await page.keyboard.press('Enter')
    expect(await called('pause')).toEqual([null])
    await page.keyboard.press('Control+k')
    await page.keyboard.type('docs')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'docs-site' }).waitFor()
  })

  it('finds what was said long ago, and shows it where it was said', async () => {
    const { api } = dashboard.engine
    const marker = '<**sm:"paint the zebra"**>'
    api.record(billing, { type: 'marker-refused', marker, code: 'x', message: 'No zebra here.' })
    for (let n = 0; n < 1_100; n++) api.record(billing, { type: 'used', used: n, max: null })
    const page = await dashboard.open({ place: 'activity' })
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('NO ZEBRA')
    await page.getByRole('option', { name: /No zebra here.*billing-service/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.tl').getByText('No zebra here.').waitFor()
    expect(await page.getByLabel('Find in the timeline').inputValue()).toBe('NO ZEBRA')
  })

  it('starts an agent in a new terminal and follows it to its session', async () => {
    const page = await dashboard.open({ place: 'new-terminal' })
    const dialog = page.getByRole('dialog', { name: 'New terminal' })
    await dialog.getByRole('radio', { name: /claude/ }).waitFor()
    await dialog.getByRole('radio', { name: 'Another command' }).check()
    await dialog.getByRole('button', { name: 'Open', exact: true }).click()
    await dialog.getByText('Say which command to start.').waitFor()
    await dialog.getByRole('radio', { name: /^codex/ }).check()
    await dialog.getByRole('textbox', { name: 'Extra arguments' }).fill('--model "gpt 5"')
    await dialog.getByRole('combobox', { name: /Folder/ }).fill('/home/me/code/new')
    await dialog.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByText('Its session appears with its first turn.').waitFor()
    await expect
      .poll(() => calls('openTerminal'))
      .toMatchObject([{ client: 'codex', args: ['--model', 'gpt 5'], cwd: '/home/me/code/new' }])
    const { api } = dashboard.engine
    const terminal = api.scene.terminals.at(-1)
    expect(terminal?.sessionId).toBeNull()
    await row(page, /codex.*No turn yet/s).waitFor()
    const known = api.scene.sessions[0]
    if (!terminal || !known) throw new Error('the scene has a terminal and a session')
    api.push({ type: 'session', session: { ...known, id: 'fresh', name: 'fresh', terminalId: terminal.id } })
    api.putTerminal({ ...terminal, sessionId: 'fresh' })
    await page.getByRole('heading', { name: 'fresh' }).waitFor()
    await page.getByRole('tab', { name: 'Terminal', selected: true }).waitFor()
  })

  it('begins a terminal that has had no turn with a message, or with a goal', async () => {
    const page = await dashboard.open({ place: 'new-terminal' })
    await page
      .getByRole('dialog', { name: 'New terminal' })
      .getByRole('radio', { name: /^codex/ })
      .check()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    const first = page.getByRole('complementary', { name: 'A first message for the agent' })
    const { api } = dashboard.engine
    const id = () => api.scene.terminals.at(-1)?.id ?? ''
    await first.getByRole('textbox', { name: 'Send a message' }).fill('Write the first part.')
    await page.keyboard.press('Enter')
    expect(await called('say')).toEqual([{ session: id(), text: 'Write the first part.' }])
    await page.getByText('Next: “Write the first part.”').waitFor()
    await page.getByRole('button', { name: 'Drop' }).click()
    await first.getByRole('button', { name: 'Keep going' }).click()
    const card = first.getByRole('region', { name: 'Keep going' })
    await card.getByRole('textbox', { name: 'Goal' }).fill('all tests green')
    await card.getByText('The first round follows when the next turn ends.').waitFor()
    await card.getByRole('switch', { name: 'Start now' }).check()
    await card.getByText('The goal itself is typed at once, as the first round.').waitFor()
    await card.getByRole('button', { name: 'Arm', exact: true }).click()
    expect(await called('setStopMessage')).toEqual([
      { session: id(), text: 'all tests green', rounds: 10, review: false, now: true },
    ])
    await card.getByText('“all tests green”').waitFor()
    await row(page, /codex.*Armed/s).waitFor()
    await card.getByRole('button', { name: 'Start now' }).click()
    expect(await called('startStopMessage')).toEqual([id()])
  })

  it('types into a hosted terminal, finds in it, and holds back visibly while a person types', async () => {
    const page = await dashboard.open({ place: `session/${billing}/terminal` })
    await page.locator('.xterm-rows').getByText('214 total').waitFor()
    await expect.poll(() => calls('resizeTerminal').length).toBeGreaterThan(0)
    await page.locator('.xterm-screen').click()
    await page.keyboard.type('pj')
    await expect
      .poll(() =>
        calls('writeTerminal')
          .map((c) => (c as { data: string }).data)
          .join(''),
      )
      .toBe('pj')
    await expect.poll(() => calls('pause')).toEqual([])
    const { api } = dashboard.engine
    const terminal: TerminalView | undefined = api.scene.terminals.find((t) => t.id === 'billing-service')
    const session = api.scene.sessions.find((s) => s.id === billing)
    if (!terminal || !session) throw new Error('the scene has billing-service')
    api.putTerminal({ ...terminal, hold: { code: 'draft' } })
    api.put(billing, { queue: session.queue.map((e) => ({ ...e, hold: { code: 'draft' } })) })
    await page.getByText('Held: you are in the middle of a line.').waitFor()
    await page.getByText('You are typing').waitFor()
    await page.getByRole('tab', { name: /automation holds back/ }).waitFor()
    await page.keyboard.press('Control+Shift+F')
    await page.getByRole('textbox', { name: 'Find in the terminal' }).fill('rounding')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Find in the terminal' }).fill('not there at all')
    await page.getByText('No match').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('F6')
    expect(await page.evaluate(() => document.activeElement?.closest('.xterm'))).toBeNull()
    await page.getByRole('button', { name: 'Drop' }).click()
    await expect.poll(() => page.getByText('Held: you are in the middle of a line.').count()).toBe(0)
    await expect.poll(() => calls('cancelEntry')).toEqual(['q-bill'])
  })

  it('watches a tmux pane without typing into it or changing its size', async () => {
    const page = await dashboard.open({ place: 'session/api-gateway-01jd/terminal' })
    await page.locator('.xterm-rows').getByText('214 total').waitFor()
    await page.getByText('watched, type in tmux').waitFor()
    await page.locator('.xterm-screen').click()
    await page.keyboard.type('x')
    await page.getByText('120 × 40').waitFor()
    expect([...calls('writeTerminal'), ...calls('resizeTerminal')]).toEqual([])
  })

  it('asks before it closes a terminal, because that can’t be undone', async () => {
    const page = await dashboard.open({ place: `session/${billing}/terminal` })
    await page.getByRole('button', { name: 'Terminal actions' }).click()
    await page.getByRole('menuitem', { name: 'Close the terminal' }).click()
    await page.getByRole('button', { name: 'Keep it' }).click()
    await expect.poll(() => calls('closeTerminal')).toEqual([])
    await page.getByRole('button', { name: 'Terminal actions' }).click()
    await page.getByRole('menuitem', { name: 'Close the terminal' }).click()
    await page.getByRole('button', { name: 'Close the terminal' }).click()
    expect(await called('closeTerminal')).toEqual(['billing-service'])
  })

  it('keeps the last picture when the engine stops, does nothing behind its back, and comes back', async () => {
    const page = await dashboard.open({ place: `session/${billing}` })
    await page.getByText('Turn 42 running').first().waitFor()
    dashboard.engine.stop()
    await page.getByText('The engine stopped at 14:12.').waitFor()
    await page.getByText('Last seen: turn 42 was running').waitFor()
    await page.locator('body').press('p')
    await page.locator('body').press('+')
    expect(
      await page
        .getByRole('button', { name: /^Pause/ })
        .first()
        .isDisabled(),
    ).toBe(true)
    dashboard.engine.api.record(billing, { type: 'paused', reason: { code: 'by-user' }, what: 'session' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The engine stopped at 14:12.').waitFor()
    dashboard.engine.start()
    await page.getByText('Turn 42 running').first().waitFor()
    // What was missed meanwhile is there again.
    await page.locator('.tl').getByText('Paused by you').waitFor()
    expect([...calls('pause'), ...calls('addRounds')]).toEqual([])
  })

  it('speaks Chinese to a Chinese browser and switches on the spot', async () => {
    const page = await dashboard.open({ place: `session/${billing}`, locale: 'zh-CN' })
    await page.getByText('第 42 回合，已运行 38 秒').waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN')
    await page.getByRole('link', { name: '设置' }).click()
    await page.getByRole('radio', { name: 'English' }).check()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await page.getByRole('radio', { name: 'Dark' }).check()
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      .toBe('rgb(28, 30, 34)')
  })

  it('counts turns, shows a record and runs the doctor', async () => {
    const page = await dashboard.open({ place: 'activity' })
    await page.getByText('487 turns').waitFor()
    await page.getByRole('textbox', { name: 'Filter turns' }).fill('docs stop')
    await page.getByRole('row').nth(1).click()
    await page.getByRole('heading', { name: /Why it went to/ }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    expect((await download).suggestedFilename()).toBe('onward-turns.csv')
    await page.keyboard.press('Control+5')
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('tmux is not installed.').waitFor()
    await page.getByRole('button', { name: 'Copy the report' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('FAIL tmux')
  })

  it('slides the detail over the list at 900 px, and back', async () => {
    const page = await dashboard.open({ width: 900 })
    await row(page, /auth-rework/).click()
    await page.getByRole('heading', { name: 'auth-rework' }).waitFor()
    expect(await row(page, /auth-rework/).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Back to sessions' }).click()
    await row(page, /auth-rework/).waitFor()
    await row(page, /search-indexer/)
      .getByRole('button', { name: 'Re-arm' })
      .click()
    expect(await called('rearmStopMessage')).toEqual(['search-indexer-01jd'])
    expect(await row(page, /auth-rework/).isVisible()).toBe(true)
  })
})

describe('a first day', unless(noBrowser), () => {
  it('teaches instead of showing nothing', async () => {
    const dashboard = await startDashboard()
    try {
      const { api } = dashboard.engine
      api.scene.sessions = []
      api.scene.terminals = []
      api.scene.status = {
        ...api.scene.status,
        simulator: true,
        providers: [],
        counts: { sessions: 0, activity: 0, needsYou: 0, terminals: 0 },
      }
      const page = await dashboard.open()
      await page.getByText('No agent has talked to Onward yet').waitFor()
      await page.getByText('Simulator: answers are scripted').waitFor()
      await page.getByRole('main').getByRole('button', { name: 'New terminal' }).click()
      await page.getByRole('dialog', { name: 'New terminal' }).waitFor()
      expect(dashboard.complaints()).toEqual([])
    } finally {
      await dashboard.close()
    }
  })
})
