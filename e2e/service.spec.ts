/**
 * `onward service` on a real `systemd --user`: agents live on whatever happens to the unit, and nothing is left of it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../electron/engine/assembly/own-port.ts'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { allEntries, bodyOf, providersFor, type TestEntry } from './support/entries.ts'
import { endTerminalHosts } from './support/hosted-agent-driver.ts'
import { gate, say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { connects, post } from './support/post.ts'
import { startUserSystemd, userSystemdMissing, type Ran, type UserSystemd } from './support/user-systemd.ts'

interface Note {
  pid: number
  version: string
  service?: boolean
  endsBy?: number
}

const [messages] = allEntries.filter(({ entry }) => entry === 'messages') as [TestEntry]

describe('the service of a home', unless(userSystemdMissing), () => {
  const key = `owk_${'k'.repeat(43)}`
  let port = 0
  let mock: MockUpstream
  let person: UserSystemd
  beforeAll(async () => {
    mock = await startMockUpstream()
    port = await freePort('127.0.0.1', Math.random)
    person = await startUserSystemd()
  })
  afterAll(async () => {
    endTerminalHosts(home())
    await person.end()
    await mock.dispose()
  })
  const home = () => join(person.home, '.onward')
  const unit = () => join(person.home, '.config', 'systemd', 'user', 'onward.service')
  const socket = () => unit().replace('.service', '.socket')
  const service = (...words: string[]): Promise<Ran> => person.onward(['service', ...words])
  const status = async () => JSON.parse((await service('status', '--json')).out) as Record<string, unknown>
  /** null: none runs */
  const engine = (): Note | null =>
    existsSync(join(home(), 'engine.json')) ? JSON.parse(readFileSync(join(home(), 'engine.json'), 'utf8')) : null
  const engineOtherThan = (pid: number) =>
    waitFor('the next engine', () => {
      const now = engine()
      return now !== null && now.pid !== pid ? now : null
    })
  const asked = (what: string) =>
    post({ baseUrl: `http://127.0.0.1:${port}`, key }, '/v1/messages', bodyOf(messages, [what]))
  const alive = (pid: number) => existsSync(`/proc/${pid}`)
  /** An agent that stays, in a terminal that the engine hosts. @returns its pid */
  const agent = async (name: string): Promise<number> => {
    const said = join(person.home, name)
    const line = `echo $$ > '${said}.new'; mv '${said}.new' '${said}'; exec sleep 600`
    expect(
      await person.onward(['terminals', 'open', '--cwd', person.home, 'other', '--', 'sh', '-c', line]),
    ).toMatchObject({
      code: 0,
    })
    await waitFor('the agent', () => existsSync(said))
    return Number(readFileSync(said, 'utf8'))
  }
  const terminalsAlive = async () =>
    (JSON.parse((await person.onward(['terminals', '--json'])).out) as { alive: boolean }[]).filter((one) => one.alive)
      .length
  let pid = 0
  let first = 0
  let before: string[] = []

  it('is installed in place of an engine that runs, whose agents live on', async () => {
    mkdirSync(home(), { mode: 0o700 })
    const server = { port, keys: [key] }
    writeFileSync(join(home(), 'config.json'), JSON.stringify({ ...providersFor(mock, 'sk-up', allEntries), server }))
    // started in the background, as `onward claude` would
    expect((await person.onward(['setup', '--list', '--json'])).code).toBe(0)
    before = readdirSync(person.home)
    first = await agent('first')
    const background = engine()?.pid ?? 0
    const until = gate()
    mock.otherwise = say('All of it is here.', { hold: { at: 'head', until } })
    const open = asked('Hi.')
    await waitFor('the request', () => mock.requests.length === 1)
    const installed = service('install', '--yes', '--json')
    await waitFor('its word that it ends', () => engine()?.endsBy !== undefined)
    // The one takes no connections any more, the other holds them.
    await waitFor('somebody to listen', () => connects(port))
    const early = asked('Early.')
    expect(engine()?.pid).toBe(background)
    until.open()
    const ran = await installed
    expect([(await open).status, (await early).status]).toEqual([200, 200])
    expect(ran).toMatchObject({ code: 0, err: '' })
    const { file, written, engine: runs } = JSON.parse(ran.out) as Record<string, unknown>
    expect({ file, written, runs }).toMatchObject({ file: unit(), written: true, runs: { version: '0.1.0' } })
    const now = await engineOtherThan(background)
    expect(now.service).toBe(true)
    pid = now.pid
    await waitFor('its end', () => !alive(background))
    await waitFor('the terminal of the agent', async () => (await terminalsAlive()) === 1)
    expect(alive(first)).toBe(true)
  })

  it('has units that systemd has nothing to say about', async () => {
    expect(await person.run(['systemd-analyze', '--user', 'verify', unit(), socket()])).toEqual({
      code: 0,
      out: '',
      err: '',
    })
  })

  it('lets no agent believe that it was handed its socket', async () => {
    const agentsPid = await agent('second')
    expect(readFileSync(`/proc/${agentsPid}/environ`, 'utf8')).not.toContain('LISTEN_')
    const files = readdirSync(`/proc/${agentsPid}/fd`).map((fd) => readlinkSync(`/proc/${agentsPid}/fd/${fd}`))
    expect(files.filter((file) => file.startsWith('socket:'))).toEqual([])
  })

  it('is told as it is', async () => {
    expect(await status()).toMatchObject({
      installed: 'yes',
      enabled: true,
      running: true,
      pid,
      socket: { file: socket(), listens: `127.0.0.1:${port}` },
      problems: [],
    })
  })

  it('is not touched by a second install', async () => {
    const ran = await service('install', '--yes', '--json')
    expect(JSON.parse(ran.out)).toMatchObject({ written: false, engine: { pid } })
    expect(engine()?.pid).toBe(pid)
  })

  it('finishes its answers and lets agents live on when it is restarted', async () => {
    const second = Number(readFileSync(join(person.home, 'second'), 'utf8'))
    const until = gate()
    const before = mock.requests.length
    mock.otherwise = say('All of it is here.', { hold: { at: 'head', until } })
    const open = asked('Once more.')
    await waitFor('the request', () => mock.requests.length > before)
    const restarted = person.run(['systemctl', '--user', 'restart', 'onward.service'])
    await waitFor('its word that it ends', () => engine()?.endsBy !== undefined)
    // Nobody takes it yet: systemd keeps it for the next engine.
    const between = asked('Between.')
    until.open()
    expect((await open).status).toBe(200)
    expect((await restarted).code).toBe(0)
    expect((await between).status).toBe(200)
    pid = (await engineOtherThan(pid)).pid
    await waitFor('both terminals', async () => (await terminalsAlive()) === 2)
    expect([first, second].map(alive)).toEqual([true, true])
  })

  it('comes back when it is killed, and agents live on', async () => {
    process.kill(pid, 'SIGKILL')
    await waitFor('its end', () => !alive(pid))
    // An agent that is started now waits for it, too.
    const [request, setup] = await Promise.all([asked('In between.'), person.onward(['setup', '--list', '--json'])])
    expect([request.status, setup]).toMatchObject([200, { code: 0, err: '' }])
    expect(engine()?.service).toBe(true)
    pid = (await engineOtherThan(pid)).pid
    await waitFor('both terminals', async () => (await terminalsAlive()) === 2)
    expect(alive(first)).toBe(true)
    expect(await status()).toMatchObject({ running: true, pid })
  })

  it('stays ended when it is stopped', async () => {
    await person.run(['systemctl', '--user', 'stop', 'onward.service'])
    expect(engine()).toBeNull()
    // Nobody who comes starts it again.
    await waitFor('nobody to listen', async () => !(await connects(port)))
    expect(alive(first)).toBe(true)
    expect(await status()).toMatchObject({ running: false, problems: [{ say: 'It does not run.' }] })
    expect((await service('install', '--yes')).code).toBe(0)
    await waitFor('both terminals', async () => (await terminalsAlive()) === 2)
  })

  it('listens itself on any free port, and has its socket again where it runs on a port of its own', async () => {
    expect((await service('install', '--yes', '--port', '0')).code).toBe(0)
    expect([existsSync(unit()), existsSync(socket())]).toEqual([true, false])
    expect(engine()?.service).toBe(true)
    expect(await connects(port)).toBe(false)
    // As it is with the unit of an Onward that knew of no socket.
    expect((await service('install', '--yes')).code).toBe(0)
    expect(await status()).toMatchObject({ running: true, socket: { listens: `127.0.0.1:${port}` }, problems: [] })
    expect((await asked('Here again.')).status).toBe(200)
    await waitFor('both terminals', async () => (await terminalsAlive()) === 2)
  })

  it('lets an engine that takes over have its address', async () => {
    const before = engine()?.pid ?? 0
    const other = person.onward(['serve', '--take-over', '--json'])
    const now = await waitFor('the other engine', () => {
      const one = engine()
      return one !== null && one.pid !== before && one.endsBy === undefined ? one : null
    })
    expect(now.service).toBeUndefined()
    expect((await asked('Of the other one.')).status).toBe(200)
    expect((await service('install', '--yes')).code).toBe(0)
    expect((await other).code).toBe(0)
    expect(engine()?.service).toBe(true)
    expect((await asked('Of the service.')).status).toBe(200)
    await waitFor('both terminals', async () => (await terminalsAlive()) === 2)
  })

  it('is undone to the last file, and agents live on', async () => {
    expect((await service('uninstall', '--yes')).code).toBe(0)
    expect(engine()).toBeNull()
    expect(alive(first)).toBe(true)
    await waitFor('nobody to listen', async () => !(await connects(port)))
    const left = readdirSync(person.home).filter((name) => !['first', 'second'].includes(name))
    expect(left).toEqual(before)
    expect(existsSync(join(home(), 'service'))).toBe(false)
    expect(await status()).toMatchObject({ installed: 'no', problems: [] })
    expect((await person.run(['systemctl', '--user', 'is-enabled', 'onward.service'])).code).not.toBe(0)
  })
})
