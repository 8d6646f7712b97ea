import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Engine } from './engine.ts'
import { diskFiles } from './store/disk-files.ts'
import { tempFolders } from './store/testing/temp-folder.ts'
import { engineInProcess } from '../testing/engine-in-process.ts'
import type { Files } from './store/types.ts'

const temp = tempFolders()
const engines: Engine[] = []
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.dispose()
})

async function start(home: string, files: Files): Promise<Engine> {
  const engine = await engineInProcess({ home, files })
  engines.push(engine)
  return engine
}

function homeWith(ids: readonly string[]): string {
  const home = temp()
  mkdirSync(join(home, 'state'))
  for (const id of ids)
    writeFileSync(
      join(home, 'state', `session-${id}.json`),
      JSON.stringify({ version: 1, state: { id, client: 'codex', startedAt: 1, lastActivityAt: 2, turns: 1 } }),
    )
  return home
}

describe('an engine that can’t start', () => {
  it('since its port is taken lets its home go: its process may live on', async () => {
    const [home, { address }] = [temp(), await start(temp(), diskFiles())]
    await expect(engineInProcess({ home, port: address.port })).rejects.toMatchObject({ code: 'port-in-use' })
    await start(home, diskFiles())
  })

  it('does so where another engine has the session folder, too', async () => {
    const [first, home] = [temp(), temp()]
    await start(first, diskFiles())
    const env = { ROUTECODEX_SESSION_DIR: join(first, 'state') }
    await expect(engineInProcess({ home, env })).rejects.toMatchObject({
      code: 'root-locked',
      details: { root: env.ROUTECODEX_SESSION_DIR },
    })
    await start(home, diskFiles())
  })
})

describe('an engine with sessions of earlier runs', () => {
  it('serves requests while they are read, and shows none before it has all', async () => {
    const ids = Array.from({ length: 40 }, (_, i) => `s${i}`)
    const disk = diskFiles()
    let release = () => {}
    const released = new Promise<void>((done) => {
      release = done
    })
    const engine = await start(homeWith(ids), {
      ...disk,
      // a disk that takes its time
      readInPlace: () => undefined,
      read: async (path) => {
        if (path.includes('/session-')) await released
        return disk.read(path)
      },
    })
    expect((await fetch(`http://127.0.0.1:${engine.address.port}/health`)).status).toBe(200)

    const abort = new AbortController()
    const viewer = engine.api.follow(abort.signal)[Symbol.asyncIterator]().next()
    const asked = Promise.all([engine.api.sessions(), engine.api.session('s7'), engine.api.status(), viewer])
    release()
    const [sessions, one, status, { value: snapshot }] = await asked
    abort.abort()
    expect(sessions.map((s) => s.id).sort()).toEqual([...ids].sort())
    expect(one.id).toBe('s7')
    expect(status.counts.sessions).toBe(40)
    expect(snapshot).toMatchObject({ type: 'snapshot', sessions: { length: 40 } })
  })
})
