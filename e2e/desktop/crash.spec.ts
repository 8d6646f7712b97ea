/** The desktop app ends by itself: it is started once more and says what happened. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { firstOf, unless } from '../../shared/testing/unless.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { connectForTest } from '../support/control-client.ts'
import { removeHomes } from '../support/engine-process.ts'
import { endTerminalHosts } from '../support/hosted-agent-driver.ts'
import { evaluateIn } from './support/double.ts'
import { engineOf, noDesktop, onlyDouble, startDesktop, type DesktopApp } from './support/desktop.ts'

afterAll(removeHomes)
const reports = (home: string): string[] => {
  const folder = join(home, 'crashes')
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : []
}
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}
/** As a fault in the program would: nobody catches it. */
const fault = (desktop: DesktopApp) =>
  evaluateIn(desktop.app)(() => {
    setTimeout(() => {
      throw new TypeError('undefined is not a window')
    })
  }, null)

describe('a crash of the app', unless(firstOf(noDesktop, onlyDouble)), () => {
  it('is kept, and the app is started once more while agents live on', async () => {
    // What is known of terminals belongs to a port, and a person's stays the same.
    const desktop = await startDesktop({ env: { ONWARD_PORT: String(await freePort()) } })
    await (await desktop.page()).locator('.statusbar').waitFor()
    const { id } = await desktop.control.api.openTerminal.mutate({
      client: 'other',
      args: [process.execPath, '-e', 'setInterval(() => {}, 1000)'],
      cwd: desktop.home,
      name: 'billing',
    })
    await fault(desktop)
    expect(await desktop.gone).toBe(1)
    const [report = ''] = reports(desktop.home)
    expect(report).toContain('The desktop app ended unexpectedly')
    expect(report).toContain('TypeError: undefined is not a window')
    const next = await waitFor('the next one', () => {
      const engine = engineOf(desktop.home)
      return engine && engine.pid !== desktop.pid ? engine : null
    })
    try {
      expect(readFileSync(`/proc/${next.pid}/cmdline`, 'utf8').split('\0')).toContain('--after-crash')
      const control = await connectForTest(desktop.home)
      const agent = await waitFor('the agent', async () =>
        (await control.api.terminals.query()).find((terminal) => terminal.id === id),
      )
      expect(agent.alive).toBe(true)
      expect((await control.api.lastCrash.query())?.report).toBe(report)
      control.dispose()
    } finally {
      process.kill(next.pid, 'SIGTERM')
      await waitFor('its end', () => engineOf(desktop.home) === null)
      endTerminalHosts(desktop.home)
    }
  })

  it('says what happened when it comes back, and gives the report', async () => {
    const first = await startDesktop()
    process.kill(first.pid, 'SIGABRT')
    await first.gone
    const desktop = await startDesktop({ home: first.home, args: ['--after-crash'] })
    try {
      const [said] = await waitFor('the dialog', async () => {
        const { dialogs } = await desktop.state()
        return dialogs.length > 0 ? dialogs : null
      })
      expect(said).toMatchObject({
        message: 'Onward ended unexpectedly and was started again',
        buttons: ['Close', 'Copy report', 'Open folder'],
      })
    } finally {
      await desktop.close()
    }
  })

  it('within a minute of the last does not start it again, and says so', async () => {
    const desktop = await startDesktop({ args: ['--after-crash'] })
    await (await desktop.page()).locator('.statusbar').waitFor()
    await desktop.answer(null)
    await fault(desktop)
    const said = await waitFor('the dialog', async () => (await desktop.state()).dialogs.at(-1))
    expect(said).toMatchObject({
      message: 'Onward ended unexpectedly, twice within a minute',
      buttons: ['Quit', 'Copy report', 'Open folder'],
    })
    expect(await evaluateIn(desktop.app)(({ app }) => app.relaunched, null)).toEqual([])
    desktop.app.process().kill('SIGKILL')
    await desktop.gone
    await desktop.close()
  })
})
