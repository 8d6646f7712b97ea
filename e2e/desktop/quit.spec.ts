import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { endTerminalHosts } from '../support/hosted-agent-driver.ts'
import { newHome, removeHomes } from '../support/engine-process.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { engineOf, noDesktop, onlyDouble, startAgain, startDesktop, type DesktopApp } from './support/desktop.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'

const seesProcesses = existsSync('/proc/self/cmdline')
const running: DesktopApp[] = []
afterEach(async () => {
  for (const desktop of running.splice(0)) {
    await desktop.close()
    endTerminalHosts(desktop.home)
  }
})
afterAll(removeHomes)

async function start(): Promise<DesktopApp> {
  const desktop = await startDesktop()
  running.push(desktop)
  return desktop
}
const openAgent = async (desktop: DesktopApp, name: string) => {
  const terminal = await desktop.control.api.openTerminal.mutate({
    client: 'other',
    args: [process.execPath, '-e', 'setInterval(() => {}, 1000)'],
    cwd: desktop.home,
    name,
  })
  // The shell follows the same updates, from nearer by.
  await waitFor('the agent in the picture of whoever follows', () => desktop.control.terminals.get(terminal.id)?.alive)
  // and once around the loop of the app's own process
  await desktop.state()
  return terminal
}
/** Chromium's helpers end a moment after it. */
const leavesNothing = async (home: string) => {
  expect(engineOf(home)).toBeNull()
  await waitFor('every process of the home to end', () => processesOf(home).length === 0)
}

describe('Quit', unless(firstOf(noDesktop, onlyDouble)), () => {
  it('ends at once while no agent depends on it', async () => {
    const desktop = await start()
    await (await desktop.page()).locator('.statusbar').waitFor()
    await desktop.choose('Quit')
    expect(await desktop.gone).toBe(0)
    await leavesNothing(desktop.home)
  })

  it('asks first while agents depend on the engine, names them, and stays on “Stay”', async () => {
    const desktop = await start()
    await openAgent(desktop, 'billing')
    await openAgent(desktop, 'api')
    await desktop.answer(0)
    // What the desktop was told is a moment behind the engine; each question is answered with “Stay”.
    const question = await waitFor('the question about both', async () => {
      await desktop.choose('Quit')
      return (await desktop.state()).dialogs.findLast((dialog) => dialog.detail.startsWith('billing, api:'))
    })
    expect(question).toEqual({
      message: '2 agents need the engine to reach their models',
      detail: 'billing, api: still running after you quit, but without a model until Onward runs again.',
      buttons: ['Stay', 'Quit'],
    })
    expect((await desktop.control.api.status.query()).pid).toBe(desktop.pid)
    expect((await desktop.tray()).menu.length).toBeGreaterThan(0)
  })

  it('by the menu’s key asks, too, and on “Quit” the app ends while the agent lives on', async () => {
    const desktop = await start()
    const agent = await openAgent(desktop, 'billing')
    await waitFor('the terminal', async () => (await desktop.control.api.terminals.query()).some((t) => t.alive))
    const quit = () => desktop.app.evaluate(({ app }) => app.quit())
    await waitFor('the question', async () => {
      await quit()
      return (await desktop.state()).dialogs.length > 0
    })
    await desktop.answer(1)
    await quit()
    expect(await desktop.gone).toBe(0)
    expect(engineOf(desktop.home)).toBeNull()
    const again = await startDesktop({ home: desktop.home, env: { ONWARD_PORT: String(desktop.port) } })
    running.push(again)
    const known = await waitFor('the agent', async () =>
      (await again.control.api.terminals.query()).find((t) => t.id === agent.id),
    )
    expect(known.alive).toBe(true)
  })
})

describe('ending', unless(noDesktop), () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s does not ask and leaves nothing behind', async (signal) => {
    const desktop = await start()
    await openAgent(desktop, 'billing')
    await waitFor('the terminal', async () => (await desktop.control.api.terminals.query()).some((t) => t.alive))
    process.kill(desktop.pid, signal)
    expect(await desktop.gone).toBe(0)
    endTerminalHosts(desktop.home)
    await leavesNothing(desktop.home)
  })

  it(
    'by a crash leaves no browser behind, and the next start works',
    unless(seesProcesses ? null : 'there is no /proc'),
    async () => {
      const desktop = await start()
      await (await desktop.page()).locator('.statusbar').waitFor()
      expect(processesOf(desktop.home).length).toBeGreaterThan(0)
      process.kill(desktop.pid, 'SIGKILL')
      await desktop.gone
      await waitFor('the browser is gone', () => processesOf(desktop.home).length === 0)
      const again = await startDesktop({ home: desktop.home })
      running.push(again)
      await (await again.page()).locator('.statusbar').waitFor()
    },
  )
})

describe('an app that can’t start', unless(firstOf(noDesktop, onlyDouble)), () => {
  it('says why and ends with an error, and no browser is left', async () => {
    const home = newHome()
    const other = createServer()
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    const { port } = other.address() as AddressInfo
    const child = startAgain(home, [], { ONWARD_PORT: String(port) })
    let said = ''
    child.stderr?.on('data', (data: Buffer) => {
      said += data.toString()
    })
    const code = await new Promise((done) => child.once('exit', done))
    await new Promise((done) => other.close(done))
    expect(code).toBe(1)
    expect(said).toMatch(new RegExp(`onward: Onward could not start: .*\\b${port}\\b`))
    await leavesNothing(home)
  })
})

/** Command lines of every process that works in this home, where the system tells (Linux). */
function processesOf(home: string): readonly string[] {
  if (!seesProcesses) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        // it ended while we looked
        return ''
      }
    })
    .filter((line) => line.includes(home))
}
