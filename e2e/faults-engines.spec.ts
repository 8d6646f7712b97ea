/**
 * Two engines, a dead one's remains, a taken port, and a command line without its engine: each a clear sentence and its
 * exit code.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { exitCodes } from '../electron/cli/exit.ts'
import { newHome, removeHomes, startEngine, type EngineOptions, type EngineProcess } from './support/engine-process.ts'
import { onward, ownName } from './support/onward-cli.ts'

afterAll(removeHomes)
const running: EngineProcess[] = []
const servers: Server[] = []
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop()
  for (const server of servers.splice(0)) await new Promise((done) => server.close(done))
})
const start = async (options: EngineOptions = {}): Promise<EngineProcess> => {
  const engine = await startEngine(options)
  running.push(engine)
  return engine
}
const answers = async (engine: EngineProcess) => expect((await engine.control.api.status.query()).pid).toBe(engine.pid)
const noteOf = (home: string): { pid: number; port: number } =>
  JSON.parse(readFileSync(join(home, 'engine.json'), 'utf8'))
/** of `--json`: the one line on stderr */
const errorOf = (err: string): unknown => (JSON.parse(err) as { error: unknown }).error

describe('a second engine', () => {
  it('on the same home is refused, and says who has it; the first lives on', async () => {
    const first = await start()
    for (const port of [first.port, 0]) {
      const second = await onward(['serve', '--home', first.home, '--port', String(port)])
      expect(second).toEqual({
        code: exitCodes.engineRuns.code,
        out: '',
        err:
          `onward: An engine already runs for ${first.home}: pid ${first.pid}, ` +
          `http://127.0.0.1:${first.port}.\nSee it with \`${ownName} status\`, or take over ` +
          'with --take-over. Only one engine runs per home; name another home with --home.\n',
      })
    }
    await answers(first)
    expect(noteOf(first.home)).toMatchObject({ pid: first.pid, port: first.port })
  })

  it('is not started by `onward start`, which gives a link to the one that runs', async () => {
    const first = await start()
    const second = await onward(['start', '--json', '--home', first.home], { DISPLAY: '', WAYLAND_DISPLAY: '' })
    expect(second.code).toBe(0)
    expect(JSON.parse(second.out)).toMatchObject({ running: true, pid: first.pid, url: first.baseUrl })
    const { dashboard } = JSON.parse(second.out) as { dashboard: string }
    expect(dashboard).toMatch(new RegExp(`^${first.baseUrl}/dashboard/~[\\w-]{12}/#token=`))
    await answers(first)
  })

  it('says the same as JSON', async () => {
    const first = await start()
    const second = await onward(['serve', '--json', '--home', first.home])
    expect(second.code).toBe(6)
    expect(errorOf(second.err)).toEqual({
      code: 'engine-running',
      message: expect.stringContaining(`pid ${first.pid}`),
      exit: 6,
    })
  })

  it('of another home on the same session folder is refused', async () => {
    const ROUTECODEX_SESSION_DIR = join(newHome(), 'sessions')
    const first = await start({ env: { ROUTECODEX_SESSION_DIR } })
    const home = newHome()
    const second = await onward(['serve', '--json', '--home', home, '--port', '0'], { ROUTECODEX_SESSION_DIR })
    expect(second.code).toBe(6)
    expect(errorOf(second.err)).toEqual({
      code: 'root-locked',
      message:
        `Another Onward engine (process ${first.pid}) is using ${ROUTECODEX_SESSION_DIR}. Stop ` +
        'it first, or start this one on another port or with another ROUTECODEX_SESSION_DIR.',
      exit: 6,
    })
    expect(existsSync(join(home, 'engine.json'))).toBe(false)
    await answers(first)
  })

  it('started in the same instant on a new home: one of them has it, the other says so', async () => {
    const home = newHome()
    const both = await Promise.allSettled([start({ home }), start({ home })])
    const refused = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    expect(refused).toHaveLength(1)
    const [engine] = running
    if (!engine) throw new Error('neither runs')
    expect(refused[0]).toMatch(
      new RegExp(
        `ended with 6 before it was ready: .*"code":"(engine-running|root-locked)".*(process|pid) ${engine.pid}`,
        's',
      ),
    )
    await answers(engine)
    expect(noteOf(home).pid).toBe(engine.pid)
  })

  it('is documented in --help', async () => {
    const { code, out } = await onward(['--help'])
    expect(code).toBe(0)
    for (const { code: number, meaning } of Object.values(exitCodes))
      expect(out).toMatch(new RegExp(`^ +${number}  ${meaning}$`, 'm'))
  })
})

describe('what an engine left behind', () => {
  it('after kill -9 is taken over: the note of the dead process, its lock and its session folder', async () => {
    const first = await start()
    await first.kill()
    running.splice(0)
    expect(noteOf(first.home).pid).toBe(first.pid)
    const status = await onward(['status', '--home', first.home])
    expect(status).toMatchObject({
      code: exitCodes.noEngine.code,
      out: '',
      err: `onward: No engine runs for ${first.home}.\nStart one with \`${ownName} start\` or \`${ownName} serve\`.\n`,
    })
    const second = await first.restart()
    running.push(second)
    expect(second.port).toBe(first.port)
    expect(noteOf(first.home).pid).toBe(second.pid)
    await answers(second)
  })

  it.each([
    [
      'is of a process that is another program now',
      () =>
        JSON.stringify({
          pid: process.pid,
          host: '127.0.0.1',
          port: 5520,
          startedAt: 1,
          version: '0.0.1',
          start: 'another start',
        }),
    ],
    ['is half a file', () => '{"pid": 12'],
    ['is empty', () => ''],
  ])('its note does not keep the next one from starting when it %s', async (_what, note) => {
    const home = newHome()
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'engine.json'), note())
    expect((await onward(['status', '--home', home])).code).toBe(exitCodes.noEngine.code)
    const engine = await start({ home })
    expect(noteOf(home).pid).toBe(engine.pid)
  })

  it('a damaged control token is named, with what to do', async () => {
    const home = newHome()
    writeFileSync(join(home, 'control-token'), 'half', { mode: 0o600 })
    const run = await onward(['serve', '--json', '--home', home, '--port', '0'])
    expect(run.code).toBe(exitCodes.failed.code)
    expect(errorOf(run.err)).toEqual({
      code: 'control-token',
      message:
        `The control token ${join(home, 'control-token')} is ` + 'damaged. Delete it; the next start makes a new one.',
      exit: 1,
    })
  })
})

describe('a port that another program has', () => {
  it('is named, and nothing is left behind', async () => {
    const port = await takenPort()
    const home = newHome()
    const run = await onward(['serve', '--home', home, '--port', String(port)])
    expect(run.code).toBe(exitCodes.portTaken.code)
    expect(run.out).toBe('')
    expect(run.err).toMatch(
      new RegExp(
        `^onward: Port ${port} is taken by another program\\.\\nEnd it, or choose another ` +
          'with --port, or server\\.port in the config; --port 0 takes any free one\\.\\n$',
      ),
    )
    expect(existsSync(join(home, 'engine.json'))).toBe(false)
    const again = await onward(['serve', '--json', '--home', home, '--port', String(port)])
    expect(errorOf(again.err)).toMatchObject({ code: 'port-taken', exit: 7 })
    await start({ home })
  })
})

describe('a command', () => {
  it.each([
    [['status']],
    [['sessions']],
    [['terminals']],
    [['pause']],
    [['resume']],
    [['say', 'work', 'go on']],
    [['stop-message', 'work', 'go on']],
  ])('without an engine: onward %j', async (words) => {
    const home = newHome()
    expect(await onward([...words, '--home', home])).toEqual({
      code: exitCodes.noEngine.code,
      out: '',
      err:
        `onward: No engine runs for ${home}.\nNo engine ever ran there. Start ` +
        `one with \`${ownName} start\`, or name another home with --home.\n`,
    })
  })

  it('before an engine of another home is refused, and says whose it is', async () => {
    const engine = await start()
    const home = newHome()
    copyFileSync(join(engine.home, 'engine.json'), join(home, 'engine.json'))
    writeFileSync(join(home, 'control-token'), `${'x'.repeat(43)}\n`, { mode: 0o600 })
    const run = await onward(['status', '--home', home])
    expect(run).toEqual({
      code: exitCodes.refused.code,
      out: '',
      err:
        `onward: The engine at 127.0.0.1:${engine.port} does not accept this home’s ` +
        'control token.\nIt belongs to another home: name that with --home.\n',
    })
    const json = await onward(['pause', '--json', '--home', home])
    expect(errorOf(json.err)).toMatchObject({ code: 'control-refused', exit: 4 })
    expect(await engine.control.api.status.query()).toMatchObject({ pid: engine.pid, paused: false })
  })

  it('does not come to a program that is no engine', async () => {
    let came = 0
    const port = await takenPort(() => came++)
    const home = newHome()
    writeFileSync(join(home, 'control-token'), `${'x'.repeat(43)}\n`, { mode: 0o600 })
    const run = await onward(['status', '--home', home, '--port', String(port)])
    expect(run.code).toBe(exitCodes.noEngine.code)
    expect(run.err).toBe(
      `onward: No engine runs for ${home}.\nStart one with \`${ownName} start\` or \`${ownName} serve\`.\n`,
    )
    expect(came).toBe(0)
  })
})

/** A port somebody listens on who hangs up on everybody. */
async function takenPort(onCaller: () => void = () => undefined): Promise<number> {
  const server = createServer((socket) => {
    onCaller()
    socket.destroy()
  })
  servers.push(server)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
