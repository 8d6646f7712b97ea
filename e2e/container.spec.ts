/**
 * The steps of build/container on this machine, in a clean folder: the package installed as its Containerfile does, the
 * engine started with its command, variables and config, probed and ended as a cluster does. No container runs here.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { unless, onWindows } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { gate, say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { post, type Answer } from './support/post.ts'

const root = resolve(import.meta.dirname, '..')
const container = (name: string) => readFileSync(join(root, 'build/container', name), 'utf8')

let folder = ''
let volume = ''
let ports = { engine: 0, probes: 0 }
let provider: MockUpstream
let running: ChildProcess | null = null

/** How this machine reaches the registry is nothing that Onward brings. */
const wayToPackages = () => ({
  npm_config_userconfig: join(homedir(), '.npmrc'),
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(npm_config_(?!prefix|global)|NODE_EXTRA_CA)|_proxy$/i.test(name)),
  ),
})
const freePort = () =>
  new Promise<number>((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onward-container-'))
  volume = join(folder, 'volume')
  mkdirSync(volume, { mode: 0o700 })
  const env = { ...wayToPackages(), PATH: process.env.PATH ?? '', HOME: folder }
  execFileSync(process.execPath, [join(root, 'scripts/package-npm.mjs'), '--to', join(folder, 'packed')])
  const packed = readdirSync(join(folder, 'packed')).filter((name) => name.endsWith('.tgz'))
  expect(container('Containerfile')).toMatch(/npm install --global .*\/\*\.tgz/)
  execFileSync(
    'npm',
    ['install', '--global', '--prefix', folder, '--no-audit', '--no-fund', join(folder, 'packed', packed[0] ?? '')],
    { env, cwd: folder },
  )
  provider = await startMockUpstream()
  ports = { engine: await freePort(), probes: await freePort() }
  // Its own ports would be those of an engine of this machine's.
  const config = container('config.json')
    .replace('"probePort": 5522', `"port": ${ports.engine}, "probePort": ${ports.probes}`)
    .replace('"type": "anthropic"', `"type": "anthropic", "baseUrl": "${provider.baseUrl}"`)
  writeFileSync(join(volume, 'config.json'), config, { mode: 0o444 })
})
afterEach(async () => {
  const ended = running && running.exitCode === null && new Promise((done) => running?.once('exit', done))
  running?.kill('SIGKILL')
  await ended
})
afterAll(async () => {
  await provider?.dispose()
  rmSync(folder, { recursive: true, force: true })
})

/** @returns its code, when it has ended */
function serve(): Promise<number | null> {
  const words = /^CMD (.*)$/m.exec(container('Containerfile'))?.[1] ?? '[]'
  running = spawn(join(folder, 'bin/onward'), JSON.parse(words) as string[], {
    cwd: '/',
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      ONWARD_HOME: volume,
      ONWARD_CLIENT_KEY: 'a-key',
      ANTHROPIC_API_KEY: 'sk-1',
    },
  })
  return new Promise((done) => running?.once('exit', done))
}
const probe = (path = '/ready') =>
  fetch(`http://127.0.0.1:${ports.probes}${path}`).then(
    ({ status }) => status,
    () => 0,
  )
const isReady = () => waitFor('it is ready', async () => (await probe()) === 200)
const ask = (): Promise<Answer> =>
  post(
    { baseUrl: `http://127.0.0.1:${ports.engine}`, key: 'a-key' },
    '/v1/messages',
    JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }),
    { headers: { 'anthropic-version': '2023-06-01' } },
  )

describe('the container’s steps', unless(onWindows), () => {
  it('give an engine that is ready, takes the agent’s key alone, and keeps what it knows on the volume', async () => {
    const over = serve()
    await isReady()
    provider.otherwise = say('Done.')
    expect((await ask()).status).toBe(200)
    const strange = await fetch(`http://127.0.0.1:${ports.engine}/v1/models`, { headers: { 'x-api-key': 'other' } })
    expect(strange.status).toBe(401)
    running?.kill('SIGTERM')
    expect(await over).toBe(0)
    expect(await probe()).toBe(0)

    const again = serve()
    await isReady()
    const kept = execFileSync(join(folder, 'bin/onward'), ['turns', '--json', '--home', volume], { encoding: 'utf8' })
    expect(kept).toContain('"status":200')
    running?.kill('SIGTERM')
    expect(await again).toBe(0)
  })

  it('end it within its grace: not ready any more, while an open answer runs to its end', async () => {
    const over = serve()
    await isReady()
    const until = gate()
    const before = provider.requests.length
    provider.otherwise = say('After all.', { piece: 5, hold: { at: 1, until } })
    const answer = ask()
    await waitFor('the call', () => provider.requests.length > before)
    running?.kill('SIGTERM')
    await waitFor('it is not ready', async () => (await probe()) === 503)
    expect(await probe('/health')).toBe(200)
    until.open()
    const { status, body, whole } = await answer
    expect([status, whole, body.toString().includes('After all.')]).toEqual([200, true, true])
    expect(await over).toBe(0)
  })
})
