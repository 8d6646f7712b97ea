import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { routedTo } from './support/entries.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { evaluateIn } from './desktop/support/double.ts'
import { noDesktop, onlyDouble, startDesktop } from './desktop/support/desktop.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { onward } from './support/onward-cli.ts'
import { startTmux, tmuxMissing, type TestTmux } from './support/tmux.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'

const notHere = process.platform === 'linux' ? null : 'systemd-inhibit is of Linux'
const isAlive = (pid: number) => existsSync(`/proc/${pid}`)

/** `systemd-inhibit` as it is called: it writes down its process and its words, and runs the program it was given. */
const double = (log: string, refuses: boolean) =>
  refuses
    ? '#!/bin/sh\necho "Failed to inhibit: Access denied" >&2\nexit 1\n'
    : `#!/bin/sh\necho "$$ $*" >> '${log}'\nfor last; do :; done\nexec "$last"\n`

describe('the machine, while a goal is set', unless(firstOf(tmuxMissing, notHere)), () => {
  let folder: string
  let log: string
  let mock: MockUpstream
  let engine: EngineProcess
  let tmux: TestTmux
  let agent: TurnAgent
  const asked = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
  const pid = (at: number) => Number(asked()[at]?.split(' ', 1)[0])
  const arm = () =>
    engine.control.api.setStopMessage.mutate({ session: agent.session, text: 'go on', rounds: 2, now: false })

  const start = async (refuses = false) => {
    writeFileSync(join(folder, 'systemd-inhibit'), double(log, refuses))
    chmodSync(join(folder, 'systemd-inhibit'), 0o755)
    mock = await startMockUpstream()
    mock.otherwise = say('The part is done.')
    engine = await startEngine({
      env: { PATH: `${folder}:${process.env.PATH ?? ''}` },
      config: {
        goal: { keepAwake: true },
        ...routedTo(mock, 'plan'),
      },
    })
    tmux = startTmux()
    agent = await startTurnAgent({ home: 'hosted', engine, tmux, name: 'awake' })
    await agent.say(engine, 'begin')
    await waitFor('the first answer', () => agent.idle())
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'onward-awake-'))
    log = join(folder, 'asked')
  })
  afterEach(async () => {
    agent.end()
    tmux.dispose()
    await engine.stop()
    await mock.dispose()
    rmSync(folder, { recursive: true })
  })
  afterAll(removeHomes)

  it('does not go to sleep, may again after, and whatever becomes of the engine', async () => {
    await start()
    expect(asked()).toEqual([])
    await arm()
    await waitFor('the program', () => asked().length === 1)
    expect(asked()[0]).toMatch(/^\d+ --what=idle:sleep --who=Onward /)
    const status = async () => (await onward(['status', '--home', engine.home])).out
    expect(await status()).toContain('Keeps the machine awake for 1 goal.')
    await engine.control.api.clearStopMessage.mutate(agent.session)
    await waitFor('its end', () => !isAlive(pid(0)))
    expect(await status()).not.toContain('awake')
    await arm()
    await waitFor('the program again', () => asked().length === 2 && isAlive(pid(1)))
    await engine.kill()
    await waitFor('its end with the engine', () => !isAlive(pid(1)))
    engine = await engine.restart()
    await waitFor('the next engine’s', () => asked().length === 3 && isAlive(pid(2)))
  })

  it('is told of where the system refuses', async () => {
    await start(true)
    await arm()
    await waitFor('the reason', async () =>
      (await engine.control.api.status.query()).awake?.problem?.includes('Access denied'),
    )
    expect((await onward(['status', '--home', engine.home])).out).toContain(
      'The machine can’t be kept awake: Failed to',
    )
  })
})

describe('the desktop app, while a goal is set', unless(firstOf(noDesktop, onlyDouble)), () => {
  it('has Electron keep the machine awake', async () => {
    const desktop = await startDesktop({ args: ['--hidden'], config: { goal: { keepAwake: true } } })
    const held = () => evaluateIn(desktop.app)(({ powerSaveBlocker }) => [...powerSaveBlocker.held.values()], null)
    const terminal = await desktop.control.api.openTerminal.mutate({ client: 'other', args: ['cat'] })
    expect(await held()).toEqual([])
    await desktop.control.api.setStopMessage.mutate({ session: terminal.id, text: 'go on', rounds: 2, now: false })
    await waitFor('the blocker', async () => (await held())[0] === 'prevent-app-suspension')
    await waitFor('the tray', async () =>
      (await desktop.tray()).menu.some(({ label }) => label === 'Keeps the machine awake for 1 goal'),
    )
    await desktop.control.api.closeTerminal.mutate(terminal.id)
    await waitFor('its end', async () => (await held()).length === 0)
    await desktop.close()
  })
})
