// 200 engines with 50 sessions each at one hub, a real nats-server with its files: how soon a list, a change and a
// command come through, and how soon all are back after the hub was killed. A hundred sessions change each second.
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { start, temporaryFolder, unpinned } from './children.mjs'
import { bundle, median, quantile } from './parts.mjs'

const PROCESSES = 4
const ENGINES = 200
const SESSIONS = 50
const CHANGES = 100
const ROUNDS = 5
const COMMANDS = 200
const program = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'].find(existsSync)
const wait = (ms) => new Promise((done) => setTimeout(done, ms))

async function hubAt(folder) {
  const probe = createServer()
  await new Promise((done) => probe.listen(0, '127.0.0.1', done))
  const { port } = probe.address()
  await new Promise((done) => probe.close(done))
  const conf = join(folder, 'nats.conf')
  writeFileSync(conf, `host: 127.0.0.1\nport: ${port}\njetstream { store_dir: "${join(folder, 'store')}" }\n`)
  let child = null
  const kill = () => child?.kill('SIGKILL')
  process.once('exit', kill)
  return {
    url: `nats://127.0.0.1:${port}`,
    kill,
    begin: () =>
      new Promise((ready) => {
        child = spawn(program, ['-c', conf], { stdio: ['ignore', 'ignore', 'pipe'] })
        child.stderr.on('data', (text) => String(text).includes('Server is ready') && ready())
      }),
  }
}

/** One that joins, and asks for the first list of its life. */
async function firstList({ member }, url, name) {
  const { fleet } = member(url, name, 0)
  while ((await fleet.view()).state.kind !== 'there') await wait(5)
  const from = performance.now()
  const views = await fleet.engines()
  const ms = performance.now() - from
  const engines = views.filter(({ name, state }) => name.startsWith('engine-') && state.kind === 'there')
  const sessions = engines.reduce((sum, view) => sum + view.sessions.length, 0)
  if (engines.length !== ENGINES || sessions !== ENGINES * SESSIONS)
    throw new Error(`${engines.length} engines and ${sessions} sessions are listed`)
  return { fleet, ms }
}

/** From each change until it is seen in a list, as somebody sees it who looks all the time. */
async function changes({ fleet }) {
  const seen = new Map()
  const ages = []
  for (const until = performance.now() + 5_000; performance.now() < until; await wait(20)) {
    for (const { sessions } of await fleet.engines())
      for (const { id, lastActivityAt } of sessions) {
        if (seen.has(id) && seen.get(id) !== lastActivityAt) ages.push(Date.now() - lastActivityAt)
        seen.set(id, lastActivityAt)
      }
  }
  return ages
}

async function commands({ fleet }) {
  const times = []
  for (let n = 0; n < COMMANDS; n++) {
    const from = performance.now()
    const { kind } = await fleet.ask({ engine: `engine-${(n * 7) % ENGINES}`, operation: 'status' })
    if (kind !== 'answered') throw new Error('a command was not answered')
    times.push(performance.now() - from)
  }
  return times
}

export async function fleetFigures() {
  if (program === undefined) return []
  const part = await bundle({ fleet: 'e2e/bench/fleet-part.ts' })
  const hub = await hubAt(temporaryFolder())
  const children = []
  try {
    return await unpinned(async () => {
      await hub.begin()
      const each = ENGINES / PROCESSES
      const load = join(import.meta.dirname, 'fleet-load.mjs')
      const args = (n) => [load, part.path('fleet'), hub.url, n * each, each, SESSIONS, CHANGES / PROCESSES].map(String)
      children.push(...(await Promise.all(Array.from({ length: PROCESSES }, (_, n) => start(args(n), '0-1')))))
      // the summaries follow
      await wait(5_000)
      const module = await part.load('fleet')
      const lists = []
      for (let n = 0; n < ROUNDS; n++) {
        const viewer = await firstList(module, hub.url, `viewer-${n}`)
        lists.push(viewer.ms)
        await viewer.fleet.stop()
      }
      const viewer = await firstList(module, hub.url, 'viewer')
      const ages = await changes(viewer)
      const asked = await commands(viewer)
      await viewer.fleet.stop()
      hub.kill()
      await wait(2_000)
      await hub.begin()
      const from = performance.now()
      await Promise.all(children.map(({ line }) => line()))
      const backMs = performance.now() - from
      const title = `${ENGINES} engines with ${SESSIONS} sessions at one hub`
      const row = (what, unit, value, range, limits) => ({ title: `${title}: ${what}`, unit, value, range, limits })
      return [
        row('the first list of all', 'ms', median(lists), lists, [2_000, 1_000]),
        row('until a change is listed', 'ms, p50', median(ages), undefined, [1_000, 500]),
        row('until a change is listed', 'ms, p99', quantile(ages, 0.99)),
        row('a command', 'ms, p50', median(asked), undefined, [500, 50]),
        row('a command', 'ms, p99', quantile(asked, 0.99)),
        row('until all have joined', 'ms', Math.max(...children.map(({ joinedMs }) => joinedMs))),
        row('until all are back after the hub was killed', 'ms', backMs),
      ]
    })
  } finally {
    await Promise.all(children.map(({ stop }) => stop('SIGKILL')))
    hub.kill()
    part.dispose()
  }
}
