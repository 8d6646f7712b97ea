import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Engine } from './engine.ts'
import { engineInProcess } from '../testing/engine-in-process.ts'
import { tempFolders } from './store/testing/temp-folder.ts'

const temp = tempFolders()
let running: Engine | null = null
afterEach(async () => {
  await running?.dispose()
  running = null
})

async function start(home: string): Promise<Engine> {
  await running?.dispose()
  running = await engineInProcess({ home })
  return running
}

const ask = ({ address }: Engine, key?: string) =>
  fetch(`http://127.0.0.1:${address.port}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model: 'simulator', messages: [{ role: 'user', content: 'hi' }] }),
  })

describe('an engine whose config file was cut to nothing', () => {
  it('asks for the same keys as before', async () => {
    const home = temp()
    writeFileSync(join(home, 'config.json'), '{ "server": { "keys": ["local-1"] } }')
    const before = await start(home)
    expect([(await ask(before)).status, (await ask(before, 'local-1')).status]).toEqual([401, 200])
    truncateSync(join(home, 'config.json'), 0)
    const after = await start(home)
    expect([(await ask(after)).status, (await ask(after, 'local-1')).status]).toEqual([401, 200])
    const { configProblem, simulator } = await after.api.status()
    expect(configProblem).toMatch(/The last one that was right runs/)
    expect(simulator).toBe(true)
  })

  it('and never ran with another: refuses every call, says why, and is no simulator', async () => {
    const home = temp()
    writeFileSync(join(home, 'config.json'), '')
    const engine = await start(home)
    const refused = await ask(engine, 'local-1')
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({
      error: { code: 'config-unreadable', message: expect.stringContaining('can’t read its config.json') },
    })
    const at = (path: string) => fetch(`http://127.0.0.1:${engine.address.port}${path}`).then(({ status }) => status)
    expect(await Promise.all([at('/v1/models'), at('/ready'), at('/health')])).toEqual([503, 503, 200])
    const status = await engine.api.status()
    expect(status).toMatchObject({ simulator: false, providers: [] })
    expect(status.configProblem).toMatch(/refuses all calls until it is mended/)
    const told = await engine.api.timeline({ session: null, limit: 100 })
    expect(JSON.stringify(told)).toContain('config-problem')
  })
})
