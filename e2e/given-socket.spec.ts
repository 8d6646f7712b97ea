/** Engines after each other on one socket that somebody else listens on, as a service manager starts them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../electron/engine/assembly/own-port.ts'
import { findRunningEngine } from '../electron/engine/control/attach.ts'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { allEntries, bodyOf, pathOf, providersFor } from './support/entries.ts'
import { cleanEnv, newHome, onwardBin, removeHomes } from './support/engine-process.ts'
import { gate, say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { call, connects, post } from './support/post.ts'

const activate = '/usr/bin/systemd-socket-activate'
const missing = existsSync(activate) ? null : 'systemd-socket-activate is not installed'
const key = `owk_${'k'.repeat(43)}`
const words = 'All of this is said before the engine ends.'

let mock: MockUpstream
const open: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  mock = await startMockUpstream()
})
afterEach(async () => {
  for (const end of open.splice(0)) await end()
})
afterAll(async () => {
  await mock?.dispose()
  removeHomes()
})

/** Starts an engine at each line that it reads, and says how each ended. */
const manager = 'while read -r _; do sh -c \'LISTEN_PID=$$ exec "$@"\' sh "$@"; echo "ended $?"; done'

async function giver(config: object, at: { port: number; listens: number }) {
  const home = newHome()
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(join(home, 'config.json'), JSON.stringify(config))
  const serve = [process.execPath, onwardBin, 'serve', '--json', '--home', home, '--port', String(at.port)]
  const env = Object.entries(cleanEnv()).map(([name, value]) => `--setenv=${name}=${value}`)
  const child = spawn(activate, ['-l', `127.0.0.1:${at.listens}`, ...env, 'sh', '-c', manager, 'sh', ...serve], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const said: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line))
  // It begins with the first who comes.
  await waitFor('somebody to listen', () => connects(at.listens))
  open.push(async () => {
    const running = await findRunningEngine(home)
    if (running) process.kill(running.pid, 'SIGKILL')
    child.stdin.end()
    if (child.exitCode === null) await once(child, 'exit')
  })
  let read = 0
  return {
    home,
    said,
    start: () => child.stdin.write('\n'),
    next: (what: string) => waitFor(what, () => lines[read] !== undefined && lines[read++]),
  }
}

describe('a socket that is handed over', unless(missing), () => {
  it('has those who come between two engines wait for the second, and cuts nobody off', async () => {
    const port = await freePort('127.0.0.1', Math.random)
    const target = { baseUrl: `http://127.0.0.1:${port}`, key }
    const { home, start, next } = await giver(
      { ...providersFor(mock, 'sk-upstream', allEntries), server: { keys: [key] } },
      { port, listens: port },
    )
    start()
    const first = JSON.parse(await next('the first engine')) as { pid: number; port: number }
    expect(first.port).toBe(port)
    const until = gate()
    mock.otherwise = say(words, { piece: 5, hold: { at: 6, until } })
    const answers = allEntries.map((door) =>
      call(target, pathOf(door, true), bodyOf(door, ['Hi'], { stream: true }), { headers: door.headers }),
    )
    for (const answer of answers) await waitFor('a first piece', () => answer.received().length > 0)
    process.kill(first.pid, 'SIGTERM')
    await waitFor('its word that it ends', async () => (await findRunningEngine(home))?.endsBy !== undefined)
    const asks = () =>
      allEntries.map((door) => post(target, pathOf(door, false), bodyOf(door, ['Hi']), { headers: door.headers }))
    const whileItEnds = asks()
    until.open()
    for (const answer of answers) expect(await answer.answer).toMatchObject({ status: 200, whole: true })
    expect(await next('its end')).toBe('ended 0')
    const afterItsEnd = asks()
    expect(await connects(port)).toBe(true)
    start()
    const second = JSON.parse(await next('the second engine')) as { pid: number }
    expect(second.pid).not.toBe(first.pid)
    for (const answer of [...whileItEnds, ...afterItsEnd])
      expect(await answer).toMatchObject({ status: 200, whole: true })
  })

  it('is refused when it is not where the engine is to listen', async () => {
    const [port, listens] = [await freePort('127.0.0.1', Math.random), await freePort('127.0.0.1', Math.random)]
    const { start, next, said } = await giver({ server: { keys: [key] } }, { port, listens })
    start()
    expect(await next('its end')).toBe('ended 4')
    const { error } = JSON.parse(said.find((line) => line.startsWith('{')) ?? '{}') as { error?: object }
    expect(error).toMatchObject({
      code: 'given-elsewhere',
      message: expect.stringMatching(`listens on 127.0.0.1:${listens}, and is to listen on 127.0.0.1:${port}`),
    })
    expect(await connects(port)).toBe(false)
  })
})
