import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../shared/testing/wait-for.ts'
import { cleanEnv, removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { endTerminalHosts } from './support/hosted-seat.ts'
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
  const open = (client: string, env: Record<string, string> = {}) =>
    onward(['terminals', 'open', '--home', engine.home, '--cwd', engine.home, client], env)

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
})
