import { afterEach, expect, it } from 'vitest'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from './engine/engine.ts'
import { tempFolders } from './engine/store/testing/temp-folder.ts'
import { engineInProcess } from './testing/engine-in-process.ts'

const temp = tempFolders()
let engine: Engine
afterEach(() => engine.dispose())

async function start() {
  const home = temp()
  await mkdir(home, { recursive: true })
  await writeFile(join(home, 'config.json'), '{}')
  engine = await engineInProcess({ home })
}
const open = async (hostId: string) => {
  const place = { kind: 'wrapped', hostId } as const
  const { terminalId, env } = await engine.api.registerTerminal({
    client: 'claude',
    args: [],
    cwd: '/p',
    daemonId: 'd1',
    place,
  })
  return { terminalId, key: env['ANTHROPIC_AUTH_TOKEN'] ?? '' }
}
const turn = async (key: string, session: string, says: readonly string[]) => {
  const answer = await fetch(`http://127.0.0.1:${engine.address.port}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      'user-agent': 'claude-cli/2.1.332 (external, cli)',
      'x-claude-code-session-id': session,
    },
    body: JSON.stringify({
      model: 'claude-x',
      max_tokens: 100,
      messages: says.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content })),
    }),
  })
  await answer.text()
}

it('orders for a conversation go to the terminal that took over, before it has asked anything', async () => {
  await start()
  const { api } = engine
  const old = await open('h1')
  await turn(old.key, 's1', ['hello'])
  await api.setStopMessage({ session: 's1', text: 'go on', rounds: 3 })
  const next = await open('h2')
  const scope = `pty:${next.terminalId}`

  expect(await api.say({ session: 's1', text: 'and this' })).toMatchObject({ scope, sessionId: 's1' })
  expect((await api.session('s1')).queue).toMatchObject([{ text: 'and this' }])
  await api.pause('s1')
  expect((await api.session('s1')).stopMessage).toMatchObject({ status: { kind: 'paused' } })
  await api.resume('s1')
  expect((await api.session('s1')).stopMessage).toMatchObject({ status: { kind: 'armed' } })
  await api.setStopMessage({ session: 's1', text: 'something else', rounds: 2 })
  expect((await api.session('s1')).stopMessage).toMatchObject({ text: 'something else', max: 2 })
  await api.clearStopMessage('s1')
  expect((await api.session('s1')).stopMessage).toBeNull()

  // Nothing of it is left where it was: the old terminal's scope has no queue and no goal any more.
  await turn(next.key, 's1', ['hello', 'hi', 'again'])
  expect((await api.session('s1')).queue).toMatchObject([{ text: 'and this', scope }])
})

it('a message waits for a conversation that its terminal does not show', async () => {
  await start()
  const { api } = engine
  const { key, terminalId } = await open('h1')
  await turn(key, 's1', ['hello'])
  await turn(key, 's2', ['something else'])
  expect(await api.say({ session: 's1', text: 'for the first' })).toMatchObject({
    sessionId: 's1',
    scope: `pty:${terminalId}`,
  })
  expect((await api.session('s1')).queue).toMatchObject([{ text: 'for the first' }])
  expect((await api.session('s2')).queue).toEqual([])
})
