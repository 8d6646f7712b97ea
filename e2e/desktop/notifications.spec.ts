import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sessionAt } from '../../electron/shell/window/place.ts'
import { removeHomes } from '../support/engine-process.ts'
import { endTerminalHosts } from '../support/hosted-agent-driver.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { evaluateIn } from './support/double.ts'
import { noDesktop, onlyDouble, startDesktop, type DesktopApp, type DesktopOptions } from './support/desktop.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'

const askingAgent = resolve(import.meta.dirname, 'support/asking-agent.mjs')
const turnAgent = resolve(import.meta.dirname, '../support/turn-agent.mjs')

const running: DesktopApp[] = []
afterEach(async () => {
  for (const desktop of running.splice(0)) {
    await desktop.close()
    endTerminalHosts(desktop.home)
  }
})
afterAll(removeHomes)

async function start(options: DesktopOptions = {}): Promise<DesktopApp> {
  const desktop = await startDesktop({ config: { stopMessage: { settleMs: 50 } }, ...options })
  running.push(desktop)
  return desktop
}
const ask = (desktop: DesktopApp, session: string) =>
  desktop.control.api.openTerminal.mutate({
    client: 'other',
    args: [process.execPath, askingAgent, session],
    cwd: desktop.home,
  })
const notified = (desktop: DesktopApp, noticeClass: string) =>
  desktop.control.event('notified', (body) => body.class === noticeClass)

/** An agent that takes what is typed, and the first words typed into it. */
async function talk(desktop: DesktopApp, words: string) {
  const log = join(desktop.home, 'agent.jsonl')
  const terminal = await desktop.control.api.openTerminal.mutate({
    client: 'other',
    args: [process.execPath, turnAgent, '--log', log, '--session', 'talk'],
    cwd: desktop.home,
  })
  const type = (data: string) => desktop.control.api.writeTerminal.mutate({ terminalId: terminal.id, data })
  const wrote = (what: string) =>
    waitFor(`the agent’s ${what}`, () => existsSync(log) && readFileSync(log, 'utf8').includes(what))
  await wrote('"start"')
  await type(words)
  await wrote(JSON.stringify(words).slice(1, -1))
  await type('\r')
  return { terminal, type, wrote }
}

describe('a notification', unless(firstOf(noDesktop, onlyDouble)), () => {
  it('tells once that a session needs you; a click on it opens that session, and it is gone then', async () => {
    const desktop = await start({ args: ['--hidden'] })
    await ask(desktop, 'asking')
    expect((await notified(desktop, 'needs-you')).body).toMatchObject({ result: 'shown' })
    await ask(desktop, 'asking-2')
    await waitFor('the second', async () => (await desktop.state()).notifications.length === 2)
    const name = (await desktop.control.session((s) => s.id === 'asking-2')).name
    expect((await desktop.state()).notifications[1]).toEqual({
      title: `${name} needs you`,
      body: 'Asks for permission',
      open: true,
      actions: [],
    })
    await desktop.touch(-1)
    const page = await desktop.page()
    await page.waitForURL((url) => sessionAt(url.href) === 'asking-2')
    await waitFor('what was said is put away', async () => !(await desktop.state()).notifications[1]?.open)
    const { notifications } = await desktop.state()
    expect(notifications.map((n) => n.open)).toEqual([true, false])
  })

  it('is kept back while its session is before your eyes, and not while you look elsewhere', async () => {
    const desktop = await start({ args: ['onward://session/seen'] })
    await (await desktop.page()).waitForURL((url) => sessionAt(url.href) === 'seen')
    await ask(desktop, 'seen')
    expect((await notified(desktop, 'needs-you')).body).toMatchObject({
      result: 'suppressed',
      why: 'the session is on screen',
    })
    expect((await desktop.state()).notifications).toEqual([])
    await evaluateIn(desktop.app)(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur(), null)
    await ask(desktop, 'seen')
    await waitFor('it is shown', async () => (await desktop.state()).notifications.length === 1)
  })

  it('tells that the rounds are used', async () => {
    const desktop = await start({ args: ['--hidden'] })
    await talk(desktop, 'begin <**stopMessage:"go on",1**>')
    expect((await notified(desktop, 'goal-reached')).body).toMatchObject({ result: 'shown' })
    expect((await desktop.state()).notifications).toMatchObject([{ body: 'The one round is used', actions: [] }])
  })

  it('of a followup that could not be typed offers Re-arm, and says so when that can’t be done', async () => {
    const desktop = await start({ args: ['--hidden'] })
    const { terminal, type, wrote } = await talk(desktop, 'simulate: wait 1500 <**stopMessage:"go on",3**>')
    await wrote('"ask"')
    await type('half a line')
    await desktop.control.event('held', (body) => body.reason.code === 'typing' || body.reason.code === 'draft')
    await desktop.control.api.closeTerminal.mutate(terminal.id)
    expect((await notified(desktop, 'injection-failed')).body).toMatchObject({ result: 'shown' })
    expect((await desktop.state()).notifications).toMatchObject([{ actions: ['Re-arm'], open: true }])
    await waitFor('the tray', async () => (await desktop.tray()).icon === 'needs-you-light.png')
    await desktop.touch(-1, 'Re-arm')
    await waitFor('the answer', async () => (await desktop.state()).dialogs.length === 1)
    expect((await desktop.state()).dialogs[0]?.message).toBe('Not done: Re-arm')
  })

  it('of a class that is switched off is not shown', async () => {
    const desktop = await start({ args: ['--hidden'], config: { notifications: { 'needs-you': false } } })
    await ask(desktop, 'asking')
    expect((await notified(desktop, 'needs-you')).body).toMatchObject({ result: 'suppressed', why: 'switched off' })
    expect((await desktop.state()).notifications).toEqual([])
  })
})
