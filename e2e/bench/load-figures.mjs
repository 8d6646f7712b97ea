// One engine with all that a machine may ask of it at once: 1 000 sessions whose turns come 80 a second, 256 open
// streams, 5 000 alarms of which some ring, 64 hosted terminals that write as fast as they may, somebody who follows.
// Then each of these beside the turns alone, so that it is seen what each costs.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start, temporaryFolder } from './children.mjs'
import {
  alarms,
  asked,
  bytesOf,
  SESSIONS,
  STREAM_MS,
  STREAMS,
  streams,
  terminals,
  TERMINALS,
  turns,
  wait,
} from './load-parts.mjs'
import { program, serveWith, writeConfig } from './onward.mjs'
import { bundle, quantile } from './parts.mjs'
import { cpuMs } from './process-facts.mjs'

const ALL_MS = 30_000
const ONE_MS = 10_000
const SETTLE_MS = 3_000
const ALARMS_EACH = 5
const hour = 3_600_000

const scenarios = [
  { name: 'turns alone', ms: ONE_MS },
  { name: `with ${STREAMS} streams`, ms: ONE_MS, streams: true },
  { name: 'with 5 000 alarms', ms: ONE_MS, alarms: true },
  { name: `with ${TERMINALS} terminals`, ms: ONE_MS, terminals: TERMINALS, watched: 0 },
  { name: `with ${TERMINALS} terminals, two of them watched`, ms: ONE_MS, terminals: TERMINALS, watched: 2 },
  { name: 'with one terminal, watched', ms: ONE_MS, terminals: 1, watched: 1 },
  { name: 'all at once', ms: ALL_MS, streams: true, alarms: true, terminals: TERMINALS, watched: 2 },
]

/** Alarms that an earlier engine left, of all sessions, due in some hours. */
function fillAlarms(root) {
  const now = Date.now()
  mkdirSync(join(root, 'clock'), { recursive: true })
  for (let i = 0; i < SESSIONS; i++) {
    const sessionId = `load-${i}`
    const tasks = Array.from({ length: ALARMS_EACH }, (_, j) => ({
      taskId: `alarm-${i}-${j}`,
      sessionId,
      dueAtMs: now + 2 * hour + (i * ALARMS_EACH + j) * 1_000,
      createdAtMs: now,
      updatedAtMs: now,
      task: 'Look at the build again, and go on with the next of the open points.',
      setBy: 'model',
      deliveryCount: 0,
    }))
    writeFileSync(
      join(root, 'clock', `${sessionId}.json`),
      JSON.stringify({ version: 1, state: { sessionId, tasks, updatedAtMs: now } }),
      { mode: 0o600 },
    )
  }
}

/** The process that hosts the terminals of this home, which lives on when the engine ends. */
const hostsOf = (home) =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return argv.some((one) => one.includes('pty-host')) && argv.includes(home)
    } catch {
      return false
    }
  })

async function measure(scenario, { upstream, slow }, part) {
  const home = temporaryFolder()
  const root = join(home, 'state')
  const mock = (port, model) => ({
    type: 'openai-chat',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    keys: [{ alias: 'main', value: 'k' }],
    models: { [model]: {} },
  })
  writeConfig(home, upstream.port, {
    providers: { mock: mock(upstream.port, 'mock-model'), slow: mock(slow.port, 'slow-model') },
  })
  if (scenario.alarms) fillAlarms(root)
  const engine = await start(serveWith('load-preload.mjs', program, home), '0,1', { ROUTECODEX_SESSION_DIR: root })
  const told = () => {
    const line = engine.line()
    engine.signal('SIGUSR2')
    return line
  }
  const { api, told: alarmsTold, close } = await part.control(home)
  let done = false
  const over = () => done
  const driving = await turns(engine.port)
  await driving.warm()
  const flooding = scenario.terminals
    ? await terminals(api, scenario.terminals, (scenario.ms + SETTLE_MS + STREAM_MS + 20_000) / 1_000, scenario.watched)
    : null
  const streaming = scenario.streams ? await streams(engine.port, over) : null
  const ringing = scenario.alarms ? alarms(api, over) : null
  const running = driving.run(over)
  await wait(SETTLE_MS + (scenario.streams ? STREAM_MS : 0))
  const before = await told()
  const host = hostsOf(home)[0]
  const facts = () => ({
    at: performance.now(),
    cpu: cpuMs(engine.pid),
    disk: bytesOf(engine.pid).written,
    host: host ? bytesOf(host).read : 0,
    hostCpu: host ? cpuMs(host) : 0,
    characters: flooding?.characters() ?? 0,
  })
  const from = facts()
  streaming?.begin()
  const asking = asked(api, over)
  const counted = driving.count()
  await wait(scenario.ms)
  const made = driving.count() - counted
  const to = facts()
  const stamps = streaming?.stamps() ?? []
  const after = await told()
  done = true
  const statusMs = await asking
  await running
  const ids = (await ringing) ?? []
  await streaming?.close()
  await flooding?.close()
  // those that were set last are told with the next turn of their sessions
  if (ids.length > 0) {
    await driving.once()
    await wait(1_000)
  }
  driving.close()
  close()
  await engine.stop()
  for (const pid of hostsOf(home)) process.kill(Number(pid), 'SIGKILL')
  const seconds = (to.at - from.at) / 1_000
  return {
    turns: made,
    turnsPerSecond: made / seconds,
    cpuPerTurn: (to.cpu - from.cpu) / made,
    cpuShare: (to.cpu - from.cpu) / (seconds * 10),
    rssMb: after.rssMb,
    growthMb: after.heapMb - before.heapMb,
    blockMs: after.blocksMs[0],
    blocks: after.blocksMs,
    over20: after.over20,
    diskKb: (to.disk - from.disk) / 1_000 / made,
    eventP50: quantile(stamps, 0.5) / 1_000,
    eventP99: quantile(stamps, 0.99) / 1_000,
    events: stamps.length / seconds,
    statusP50: quantile(statusMs, 0.5),
    statusMost: Math.max(...statusMs),
    alarmsSet: ids.length,
    alarmsLost: ids.filter((id) => !alarmsTold.has(id)).length,
    alarmsDoubled: ids.filter((id) => (alarmsTold.get(id) ?? 0) > 1).length,
    hostMbPerSecond: (to.host - from.host) / 1e6 / seconds,
    hostShare: (to.hostCpu - from.hostCpu) / (seconds * 10),
    watchedMbPerSecond: (to.characters - from.characters) / 1e6 / seconds,
  }
}

const figures = [
  ['turns', 'a second', 'turnsPerSecond'],
  ['CPU a turn', 'ms', 'cpuPerTurn'],
  ["the engine's CPU", '% of one', 'cpuShare'],
  ['memory', 'RSS, MB', 'rssMb'],
  ['growth meanwhile', 'heap after GC, MB', 'growthMb'],
  ['longest block', 'ms', 'blockMs'],
  ['blocks over 20 ms', 'of them', 'over20'],
  ['written to disk a turn', 'KB', 'diskKb'],
  ['`status` answered', 'ms, p50', 'statusP50'],
  ['`status` answered', 'ms, at most', 'statusMost'],
]
const more = {
  streams: [
    ['stamped events', 'a second', 'events'],
    ['latency of an event', 'ms, p50', 'eventP50'],
    ['latency of an event', 'ms, p99', 'eventP99'],
  ],
  alarms: [
    ['alarms that rang', 'of them', 'alarmsSet'],
    ['alarms lost', 'of them', 'alarmsLost', [0, 0]],
    ['alarms told twice', 'of them', 'alarmsDoubled', [0, 0]],
  ],
  terminals: [
    ['terminals wrote', 'MB a second', 'hostMbPerSecond'],
    ["CPU of the terminals' own process", '% of one', 'hostShare'],
  ],
  watched: [['shown of those that are watched', 'MB a second', 'watchedMbPerSecond']],
}

/** `ONWARD_BENCH_LOAD`: a part of the name of those to measure, of which all that is seen is said */
export async function loadFigures(upstream, only = process.env.ONWARD_BENCH_LOAD) {
  const part = await bundle({ control: 'e2e/bench/load-part.ts' })
  const slow = await start([join(import.meta.dirname, 'upstream.mjs')], '0')
  const configure = (port, settings) =>
    fetch(`http://127.0.0.1:${port}/__config`, { method: 'POST', body: JSON.stringify(settings) })
  await configure(slow.port, { events: STREAM_MS / 250, delayMs: 250, stamp: true })
  await configure(upstream.port, { events: 20, delayMs: 0, stamp: false })
  const { control } = await part.load('control')
  const rows = []
  for (const scenario of scenarios.filter(({ name }) => !only || name.includes(only))) {
    const seen = await measure(scenario, { upstream, slow }, { control })
    if (only) process.stderr.write(`${scenario.name}: ${JSON.stringify(seen)}\n`)
    for (const [title, unit, of, limits] of [
      ...figures,
      ...Object.entries(more).flatMap(([what, list]) => (scenario[what] ? list : [])),
    ])
      rows.push({ title: `under load, ${scenario.name}: ${title}`, unit, value: seen[of], limits })
  }
  await slow.stop()
  part.dispose()
  await configure(upstream.port, { events: 200 })
  return rows
}
