import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createServer } from 'node:http'
import { waitFor } from '../shared/testing/wait-for.ts'
import type { Engine } from './engine/engine.ts'
import { diskFiles } from './engine/store/disk-files.ts'
import { tempFolders } from './engine/store/testing/temp-folder.ts'
import type { Files } from './engine/store/types.ts'
import { engineInProcess, listenOnLoopback } from './testing/engine-in-process.ts'

const temp = tempFolders()
const over: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end()
})
/** stands in texts of the session that goes */
const word = 'UNICORN'

async function homeWith(config: object = {}) {
  const home = temp()
  await mkdir(home, { recursive: true })
  await writeFile(join(home, 'config.json'), JSON.stringify(config))
  return home
}
async function start(home: string, files?: Files): Promise<Engine> {
  const engine = await engineInProcess({ home, ...(files ? { files } : {}) })
  over.push(() => engine.dispose())
  return engine
}
const turn = async (engine: Engine, session: string, text: string, signal?: AbortSignal) => {
  const answer = await fetch(`http://127.0.0.1:${engine.address.port}/v1/messages`, {
    method: 'POST',
    ...(signal ? { signal } : {}),
    headers: { 'content-type': 'application/json', 'x-claude-code-session-id': session },
    body: JSON.stringify({ model: 'claude-x', max_tokens: 100, messages: [{ role: 'user', content: text }] }),
  })
  await answer.text()
}
/** A session with all that can be kept without a terminal. */
async function lived(engine: Engine, session: string) {
  await turn(engine, session, 'Hello')
  await engine.api.setCapture({ session, on: true })
  await engine.api.renameSession({ session, name: `named ${word}` })
  await turn(engine, session, `Look at ${word}`)
  await engine.api.addAlarm({ session, dueAt: Date.now() + 3_600_000, task: `look at ${word}` })
  const gone = await engine.api.addAlarm({ session, dueAt: Date.now() + 3_600_000, task: `once ${word}` })
  await engine.api.cancelAlarm(gone.taskId)
  await waitFor('the capture', async () => (await filesWith(engine, word)).some((path) => path.includes('captures')))
}
/** paths below the home that hold the text, by name or inside */
async function filesWith(engine: Engine, text: string): Promise<string[]> {
  await engine.api.underWay()
  const root = engine.controlTokenFile.slice(0, engine.controlTokenFile.lastIndexOf('/'))
  const found: string[] = []
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.name.includes(text)) found.push(path)
    else if (entry.isFile() && (await readFile(path, 'utf8')).includes(text)) found.push(path)
  }
  return found.map((path) => path.slice(root.length + 1))
}
const known = async (engine: Engine) => (await engine.api.sessions()).map(({ id }) => id)

describe('a session that is deleted', () => {
  it('leaves nothing on the disk but what it cost, and the others as they were', async () => {
    const home = await homeWith()
    const engine = await start(home)
    await lived(engine, 'goes-1')
    await turn(engine, 'stays-1', 'Hello')
    const before = await engine.api.timeline({ session: 'stays-1', limit: 100 })
    const spent = (await engine.api.status()).today
    expect((await filesWith(engine, word)).length).toBeGreaterThan(3)
    await engine.api.deleteSession('goes-1')
    expect(await known(engine)).toEqual(['stays-1'])
    expect(await filesWith(engine, word)).toEqual([])
    // the records of turns hold figures, and no text
    for (const path of await filesWith(engine, 'goes-1')) expect(path).toMatch(/turns|totals|costs|onward.*log/)
    expect(await engine.api.timeline({ session: 'stays-1', limit: 100 })).toEqual(before)
    expect((await engine.api.timeline({ session: null, limit: 500 })).every((e) => e.sessionId !== 'goes-1')).toBe(true)
    expect((await engine.api.status()).today).toEqual(spent)
    expect(await engine.api.alarms()).toMatchObject({ alarms: [], missed: [] })
    await expect(engine.api.session('goes-1')).rejects.toMatchObject({ code: 'session-unknown' })
    await engine.dispose()
    over.pop()
    const again = await start(home)
    expect(await known(again)).toEqual(['stays-1'])
    expect(await again.api.timeline({ session: 'stays-1', limit: 100 })).toEqual(before)
  })

  it('begins anew with a later turn of the same id', async () => {
    const engine = await start(await homeWith())
    await lived(engine, 'goes-1')
    await engine.api.deleteSession('goes-1')
    await turn(engine, 'goes-1', 'Hello again')
    const view = await engine.api.session('goes-1')
    expect(view).toMatchObject({ turns: 1 })
    expect(view.name).not.toContain(word)
    expect(view.capture ?? false).toBe(false)
    const types = (await engine.api.timeline({ session: 'goes-1', limit: 100 })).map(({ body }) => body.type)
    expect(types.filter((type) => type === 'turn-started')).toHaveLength(1)
    expect(types).not.toContain('alarm-cancelled')
  })

  it.each(['timeline', 'history', 'session-goes'])(
    'goes at the next start when the disk fails at its %s',
    async (at) => {
      const home = await homeWith()
      const disk = diskFiles()
      let full = false
      const refuse = (path: string) => {
        if (full && path.includes(at)) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      }
      const engine = await start(home, {
        ...disk,
        async writeAtomic(path, data, mode) {
          refuse(path)
          return disk.writeAtomic(path, data, mode)
        },
        async remove(path) {
          refuse(path)
          return disk.remove(path)
        },
      })
      await lived(engine, 'goes-1')
      await turn(engine, 'stays-1', 'Hello')
      const before = await engine.api.timeline({ session: 'stays-1', limit: 100 })
      full = true
      await expect(engine.api.deleteSession('goes-1')).rejects.toMatchObject({ code: 'store-failed' })
      await engine.dispose()
      over.pop()
      const again = await start(home)
      expect(await known(again)).toEqual(['stays-1'])
      expect(await filesWith(again, word)).toEqual([])
      expect(await again.api.timeline({ session: 'stays-1', limit: 100 })).toEqual(before)
      expect((await filesWith(again, 'deletions')).filter((path) => !path.endsWith('.log'))).toEqual([])
    },
  )

  it('is refused while it works', async () => {
    // It never answers; the client leaves.
    const server = createServer(() => undefined)
    const leave = new AbortController()
    const { url, end } = await listenOnLoopback(server)
    over.push(end)
    const engine = await start(
      await homeWith({
        providers: {
          slow: { type: 'anthropic', baseUrl: url, auth: 'none', models: { 'claude-x': {} } },
        },
        routes: { default: ['slow.claude-x'] },
      }),
    )
    const asked = turn(engine, 'busy-1', 'Hello', leave.signal)
    await waitFor('the turn', async () =>
      (await engine.api.sessions()).some(({ id, shape }) => id === 'busy-1' && shape === 'working'),
    )
    await expect(engine.api.deleteSession('busy-1')).rejects.toMatchObject({ code: 'session-working' })
    expect(await known(engine)).toEqual(['busy-1'])
    leave.abort()
    await expect(asked).rejects.toThrow()
  })
})
