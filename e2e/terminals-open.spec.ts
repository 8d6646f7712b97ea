import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../shared/testing/wait-for.ts'
import { cleanEnv, removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { endTerminalHosts } from './support/hosted-agent-driver.ts'
import { onward } from './support/onward-cli.ts'

describe('onward terminals open', () => {
  let engine: EngineProcess
  beforeAll(async () => {
    engine = await startEngine()
  })
  afterAll(async () => {
    await engine.stop()
    endTerminalHosts(engine.home)
    removeHomes()
  })
  const open = (client: string, env: Record<string, string> = {}, args: readonly string[] = []) =>
    onward(['terminals', 'open', '--home', engine.home, '--cwd', engine.home, client, ...args], env)
  const known = async () => (await engine.control.api.terminals.query()).map(({ id }) => id)

  it('finds an agent on the PATH of whoever calls it, and the agent has that PATH', async () => {
    const bin = join(engine.home, 'my-bin')
    const said = join(engine.home, 'path-seen')
    mkdirSync(bin)
    writeFileSync(
      join(bin, 'codex'),
      `#!/bin/sh\nprintf '%s' "$PATH" > '${said}.new'\nmv '${said}.new' '${said}'\nexec sleep 60\n`,
    )
    chmodSync(join(bin, 'codex'), 0o755)
    const path = [bin, cleanEnv().PATH].join(delimiter)
    expect(await open('codex', { PATH: path })).toMatchObject({ code: 0, err: '' })
    await waitFor('the agent', () => existsSync(said))
    expect(readFileSync(said, 'utf8')).toBe(path)
    expect(await engine.control.api.terminals.query()).toMatchObject([{ client: 'codex', alive: true }])
  })

  it('says that there is none, returns 127 and leaves no terminal behind', async () => {
    const before = (await engine.control.api.terminals.query()).length
    const { code, err } = await open('gemini', { PATH: '/usr/bin:/bin' })
    expect(code).toBe(127)
    expect(err).toContain('gemini was not found, neither on your PATH nor on that of your login shell.')
    expect(await engine.control.api.terminals.query()).toHaveLength(before)
  })

  it('says in its own words why a program ended at once, returns 1 and leaves no terminal behind', async () => {
    const before = await known()
    const { code, err } = await open('other', {}, ['--', 'sh', '-c', 'echo "unknown option: --frob" >&2; exit 3'])
    expect({ code, err }).toEqual({
      code: 1,
      err: 'onward: sh ended at once with 3. It said: unknown option: --frob\n',
    })
    expect(await known()).toEqual(before)
  })

  const openHere = (args: string[], more: { cwd?: string } = {}) =>
    engine.control.api.openTerminal.mutate({ client: 'other', args, cwd: engine.home, watchMs: 1_000, ...more })
  it.each<[string, () => Promise<unknown>, string]>([
    [
      'in a folder that is missing',
      () => openHere(['sleep', '9'], { cwd: '/no/such' }),
      'There is no folder /no/such.',
    ],
    ['that a signal ends', () => openHere(['sh', '-c', 'kill -9 $$']), 'sh was ended at once'],
    ['whose interpreter is missing', () => openHere(['./broken']), 'broken ended at once with'],
    ['that is not there', () => openHere(['./nothing']), './nothing was not found'],
  ])('leaves none behind of a program %s', async (_how, openIt, words) => {
    writeFileSync(join(engine.home, 'broken'), '#!/no/such/interpreter\n', { mode: 0o755 })
    const before = await known()
    await expect(openIt()).rejects.toThrow(words)
    expect(await known()).toEqual(before)
  })

  it('keeps one whose program did its work and ended', async () => {
    const before = await known()
    const { id } = await openHere(['true'])
    expect(await known()).toEqual([...before, id])
  })
})
