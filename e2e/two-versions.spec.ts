/** Two versions of Onward on one home: the newer takes over when it is told to, the older never. */
import { spawn } from 'node:child_process'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { homeFormat } from '../electron/engine/store/home-format.ts'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { cleanEnv, newHome, removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { otherVersion } from './support/other-version.ts'
import { endTerminalHosts } from './support/hosted-agent-driver.ts'
import { onward, type CliRun } from './support/onward-cli.ts'

const own = (JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string })
  .version
const newer = '99.0.0'

const noteOf = (home: string) =>
  JSON.parse(readFileSync(join(home, 'engine.json'), 'utf8')) as { pid: number; version: string; port: number }

const installed = process.env['ONWARD_BIN'] === undefined ? null : 'an installed Onward has no build to change'
describe('a newer Onward beside an older one', unless(installed), () => {
  let script = ''
  let older: EngineProcess
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    script = otherVersion(newer)
    older = await startEngine()
  })
  afterAll(async () => {
    for (const end of ends) await end()
    await older.stop()
    endTerminalHosts(older.home)
    removeHomes()
    rmSync(dirname(dirname(script)), { recursive: true, force: true })
  })
  const errorOf = ({ err }: CliRun) => (JSON.parse(err) as { error: { code: string; message: string } }).error
  const terminals = async () =>
    JSON.parse((await onward(['terminals', '--json', '--home', older.home])).out) as { id: string; alive: boolean }[]
  let agent: string | undefined

  it('says so, and with what it takes over', async () => {
    const open = ['terminals', 'open', '--home', older.home, '--cwd', older.home, 'other', '--', 'sleep', '600']
    expect(await onward(open)).toMatchObject({ code: 0 })
    agent = (await terminals())[0]?.id
    expect(agent).toBeDefined()
    const { out } = await onward(['doctor', '--json', '--home', older.home], {}, script)
    expect(JSON.parse(out)).toContainEqual({
      check: 'version',
      ok: false,
      say: `The engine is Onward ${own}, this command is ${newer}.`,
      mend: 'Agents live on when the newer takes over: `onward serve --take-over`.',
    })
    const refused = await onward(['serve', '--json', '--home', older.home], {}, script)
    expect(refused.code).toBe(6)
    expect(errorOf(refused).message).toContain(`pid ${older.pid}`)
    expect(noteOf(older.home).pid).toBe(older.pid)
  })

  it('takes over when it is told to; terminals and their agents live on', async () => {
    const child = spawn(process.execPath, [script, 'serve', '--take-over', '--json', '--home', older.home], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: cleanEnv(),
    })
    const gone = new Promise<void>((done) => child.once('exit', () => done()))
    ends.push(async () => {
      child.kill('SIGTERM')
      await gone
    })
    await waitFor('the newer engine', () => {
      try {
        return noteOf(older.home).pid === child.pid
      } catch {
        // between the two there is none
        return false
      }
    })
    // agents keep the address they were started with
    expect(noteOf(older.home)).toMatchObject({ version: newer, port: older.port })
    await waitFor('the agent to be there', async () =>
      (await terminals()).some(({ id, alive }) => id === agent && alive),
    )
  })

  it('is not taken over by the older', async () => {
    const before = noteOf(older.home)
    const run = await onward(['serve', '--take-over', '--json', '--home', older.home])
    expect(run.code).toBe(6)
    expect(errorOf(run)).toMatchObject({
      code: 'engine-newer',
      message: `The engine that runs (pid ${before.pid}) is Onward ${newer}, newer than this one (${own}); it stays.`,
    })
    expect(noteOf(older.home)).toEqual(before)
  })
})

describe('a home that a newer Onward wrote', () => {
  afterAll(removeHomes)
  it('is opened by no older one, which says why and touches nothing', async () => {
    const engine = await startEngine()
    await engine.stop()
    const { home } = engine
    writeFileSync(join(home, 'format.json'), '{"format":99,"by":"99.0.0"}\n')
    const seen = () =>
      readdirSync(home, { recursive: true, encoding: 'utf8' })
        .filter((name) => !/^home-\d+\.lock$|^logs/.test(name))
        .sort()
    const before = seen()
    const run = await onward(['serve', '--json', '--home', home, '--port', '0'])
    expect(run.code).toBe(4)
    expect(JSON.parse(run.err)).toMatchObject({
      error: { code: 'home-newer', message: expect.stringContaining('Nothing in it was opened. Update this Onward') },
    })
    expect(seen()).toEqual(before)
    expect(readFileSync(join(home, 'format.json'), 'utf8')).toBe('{"format":99,"by":"99.0.0"}\n')
  })

  it('is a new home’s own format at first', async () => {
    const home = newHome()
    const engine = await startEngine({ home })
    await engine.stop()
    expect(JSON.parse(readFileSync(join(home, 'format.json'), 'utf8'))).toEqual({ format: homeFormat, by: own })
  })
})
