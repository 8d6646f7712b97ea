import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { connectForTest } from '../support/control-client.ts'
import { otherVersion } from '../support/other-version.ts'
import { cleanEnv, newHome, removeHomes, startEngine, type EngineProcess } from '../support/engine-process.ts'
import { endTerminalHosts } from '../support/hosted-agent-driver.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { buildStayingEngine, type StayingEngine, type StayingEngines } from './support/start-staying-engine.ts'
import {
  engineOf,
  noDesktop,
  onlyDouble,
  startDesktop,
  type DesktopApp,
  type DesktopOptions,
} from './support/desktop.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'

const running: { desktops: DesktopApp[]; engines: (EngineProcess | StayingEngine)[] } = { desktops: [], engines: [] }
afterEach(async () => {
  for (const desktop of running.desktops.splice(0)) {
    await desktop.close()
    endTerminalHosts(desktop.home)
  }
  for (const engine of running.engines.splice(0)) await engine.stop()
})
afterAll(removeHomes)

const started = <T extends EngineProcess | StayingEngine>(engine: T): T => {
  running.engines.push(engine)
  return engine
}
async function start(options: DesktopOptions): Promise<DesktopApp> {
  const desktop = await startDesktop({ ...options, env: { ONWARD_PORT: '', ...options.env } })
  running.desktops.push(desktop)
  return desktop
}

describe('a running `onward serve`', unless(noDesktop), () => {
  it('hands over to the desktop: same address, same agents', async () => {
    const serve = started(await startEngine())
    const agent = await serve.control.api.openTerminal.mutate({
      client: 'other',
      args: [process.execPath, '-e', 'setInterval(() => {}, 1000)'],
      cwd: serve.home,
      name: 'billing',
    })
    const desktop = await start({ home: serve.home })
    await waitFor('serve has ended', () => engineOf(serve.home)?.pid === desktop.pid)
    expect(desktop.port).toBe(serve.port)
    await (await desktop.page()).locator('.statusbar').getByText(`127.0.0.1:${serve.port}`).waitFor()
    const known = await waitFor('the agent', async () =>
      (await desktop.control.api.terminals.query()).find((t) => t.id === agent.id),
    )
    expect(known.alive).toBe(true)
  })
})

describe('a service of an older Onward', unless(firstOf(noDesktop, onlyDouble)), () => {
  let script = ''
  beforeAll(() => {
    script = otherVersion('0.0.9')
  })
  afterAll(() => rmSync(dirname(dirname(script)), { recursive: true, force: true }))

  it('goes on by itself, and by a click the app takes over: same address, same agents', async () => {
    const home = newHome()
    const child = spawn(process.execPath, [script, 'serve', '--service', '--json', '--home', home, '--port', '0'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: cleanEnv(),
    })
    const gone = new Promise<void>((done) => child.once('exit', () => done()))
    try {
      const service = await waitFor('the service', () => engineOf(home))
      const desktop = await start({ home })
      expect(desktop.port).toBe(service.port)
      const agent = await desktop.control.api.openTerminal.mutate({
        client: 'other',
        args: [process.execPath, '-e', 'setInterval(() => {}, 1000)'],
        cwd: home,
        name: 'billing',
      })
      const banner = (await desktop.page()).locator('.banner')
      await banner.getByText('The engine is Onward 0.0.9').waitFor()
      await desktop.answer(0)
      await banner.getByRole('button', { name: 'Take over' }).click()
      await waitFor('the question', async () => (await desktop.state()).dialogs.length === 1)
      expect(engineOf(home)?.pid).toBe(child.pid)
      await desktop.answer(1)
      await desktop.choose(/^Take over/)
      await gone
      await waitFor('the app’s own', () => engineOf(home)?.pid === desktop.pid)
      expect(engineOf(home)?.port).toBe(service.port)
      await waitFor('nothing more to take over', async () =>
        (await desktop.tray()).menu.every(({ label }) => !label.startsWith('Take over')),
      )
      const control = await connectForTest(home)
      await waitFor('the agent', async () =>
        (await control.api.terminals.query()).some(({ id, alive }) => id === agent.id && alive),
      )
      control.dispose()
    } finally {
      child.kill('SIGTERM')
      await gone
    }
  })
})

describe('an engine that does not hand over', unless(firstOf(noDesktop, onlyDouble)), () => {
  let staying: StayingEngines
  beforeAll(async () => {
    staying = await buildStayingEngine()
  })
  afterAll(() => staying.remove())

  it('is shown by the desktop as its own: window, tray, pause', async () => {
    const engine = started(await staying.start())
    const desktop = await start({ home: engine.home })
    expect(desktop.port).toBe(engine.port)
    await (await desktop.page()).locator('.statusbar').getByText(`127.0.0.1:${engine.port}`).waitFor()
    await waitFor(
      'the tray shows it',
      async () => (await desktop.tray()).menu[0]?.label === `Engine on 127.0.0.1:${engine.port}, idle`,
    )
    await desktop.choose('Pause all')
    await waitFor('the engine is paused', async () => (await desktop.control.api.status.query()).paused)
  })

  it('goes on when the desktop quits, which asks nobody', async () => {
    const engine = started(await staying.start())
    const desktop = await start({ home: engine.home })
    await desktop.control.api.openTerminal.mutate({
      client: 'other',
      args: [process.execPath, '-e', 'setInterval(() => {}, 1000)'],
      cwd: engine.home,
      name: 'billing',
    })
    await waitFor('the terminal', async () => (await desktop.control.api.terminals.query()).some((t) => t.alive))
    await desktop.choose('Quit')
    expect(await desktop.gone).toBe(0)
    expect(engineOf(engine.home)?.port).toBe(engine.port)
    expect((await fetch(`http://127.0.0.1:${engine.port}/health`)).status).toBe(200)
  })

  it.each(['kill', 'stop'] as const)(
    'is followed by one of the desktop’s own at the same address when it ends (%s)',
    async (end) => {
      const engine = started(await staying.start())
      const desktop = await start({ home: engine.home })
      const page = await desktop.page()
      await page.locator('.statusbar').getByText(`127.0.0.1:${engine.port}`).waitFor()
      await engine[end]()
      await waitFor('the tray says so', async () => (await desktop.tray()).icon === 'error-light.png')
      expect((await desktop.tray()).menu[0]?.label).toBe('The engine is not running')
      await waitFor('an engine of its own', () => engineOf(engine.home)?.pid === desktop.pid)
      expect(engineOf(engine.home)?.port).toBe(engine.port)
      await waitFor('the tray says so', async () => (await desktop.tray()).icon === 'idle-light.png')
      await page.locator('.statusbar').getByText(`127.0.0.1:${engine.port}`).waitFor()
      await waitFor('the page is live', async () => (await page.getByText('The engine stopped').count()) === 0)
    },
  )
})
