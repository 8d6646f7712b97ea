// A process of its own (--expose-gc): reads the alarms of a folder and works with them. Ticks are made by hand, as the
// ring timer's own would be minutes apart, and the clock is put forward where alarms are to be due.
import { pathToFileURL } from 'node:url'
import { watchLoop } from './loop-blocks.mjs'
import { sessionOf } from './many-alarms.mjs'
import { median } from './parts.mjs'

const [partPath, root, sessions, dueAt, together] = process.argv.slice(2)
const part = await import(pathToFileURL(partPath).href)
const tellJson = (facts) => process.stdout.write(`${JSON.stringify(facts)}\n`)
const weigh = async () => {
  for (let i = 0; i < 3; i++) {
    globalThis.gc()
    await new Promise((done) => setTimeout(done, 20))
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss: rss / 1048576, heap: (heapUsed + external) / 1048576 }
}
const cpuOf = (work) => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
/** milliseconds of CPU each, median of five rounds */
const each = (times, work) =>
  median(
    Array.from(
      { length: 5 },
      () =>
        cpuOf(() => {
          for (let i = 0; i < times; i++) work(i)
        }) / times,
    ),
  )

let ahead = 0
let tick = null
const clock = {
  now: () => Date.now() + ahead,
  monotonic: () => performance.now() + ahead,
  after(ms, fn) {
    tick = fn
    return {
      dispose() {
        if (tick === fn) tick = null
      },
    }
  },
}
const outboxClock = {
  ...clock,
  after(ms, fn) {
    const timer = setTimeout(fn, ms)
    timer.unref()
    return { dispose: () => clearTimeout(timer) }
  },
}
let rang = 0
let allRang = () => {}
const files = part.diskFiles()
const random = part.systemRandom()
const record = (where, body) => {
  if (body.type === 'store-problem' || body.type === 'engine-problem') throw new Error(body.message)
  if (body.type === 'alarm-rang' && ++rang === Number(together)) allRang()
}
const store = part.createStore({
  root,
  files,
  clock,
  log: part.silentLog,
  onProblem(problem) {
    throw new Error(problem.message)
  },
})
const outboxes = part.createOutboxes({
  store,
  clock: outboxClock,
  random,
  record() {},
  findTarget: () => null,
  safeText: (text) => text,
  settings: () => part.defaultOutboxSettings,
  terminalOf: () => null,
  clientOf: () => 'codex',
})
const rules = { dueWindowMs: 60_000, retentionMs: 1_200_000, tickMs: 60_000, holdMaxMs: 60_000 }
const alarms = part.createAlarms({
  store,
  files,
  root,
  outboxes,
  clock,
  random,
  log: part.silentLog,
  record,
  config: () => rules,
  zone: () => 'Europe/Paris',
  scopeOf: () => null,
  alive: () => false,
  paused: () => false,
  notify() {},
  onChange() {},
})
const view = () =>
  part.alarmsView(alarms, { nameOf: () => 'a session', zone: 'Europe/Paris', retentionMs: rules.retentionMs })
const session = (i) => sessionOf((i * 7_919) % Number(sessions))

const empty = await weigh()
const loading = watchLoop()
const cpuBefore = process.cpuUsage()
const from = performance.now()
await alarms.load()
const loadMs = performance.now() - from
const { user, system } = process.cpuUsage(cpuBefore)
alarms.start()
const [{ ms: loadBlockMs }] = await loading.end()
const full = await weigh()
const { waiting } = alarms.next()

const fire = () => {
  const due = tick
  tick = null
  due?.()
}
const tickMs = each(200, fire)
const lookMs = each(20, () => alarms.deliver(null))
await alarms.idle()
const viewMs = each(20, view)
const nextOfUs = each(20_000, (i) => alarms.nextOf(session(i))) * 1_000

// As the pipeline asks, one after the other.
const reserves = []
for (let round = 0; round < 5; round++) {
  const before = process.cpuUsage()
  for (let i = 0; i < 20_000; i++) if (await alarms.reserve(session(i), `r-${i}`)) throw new Error('nothing is due')
  const spent = process.cpuUsage(before)
  reserves.push((spent.user + spent.system) / 20_000)
}
const schedules = []
const nexts = []
for (let i = 0; i < 60; i++) {
  const began = performance.now()
  await alarms.schedule(session(i), [{ dueAtMs: clock.now() + 7_200_000 + i, task: 'Look at the build again.' }], {
    by: 'model',
    requestId: null,
  })
  schedules.push(performance.now() - began)
  nexts.push(cpuOf(() => alarms.next()))
}
const beforeTicks = await weigh()
for (let i = 0; i < 1_000; i++) {
  fire()
  if (i % 50 === 0) alarms.deliver(null)
}
await alarms.idle()
const afterTicks = await weigh()

const done = new Promise((resolve) => {
  allRang = resolve
})
ahead = Number(dueAt) - Date.now() + 1
const ringing = watchLoop()
const ringCpu = process.cpuUsage()
const ringFrom = performance.now()
alarms.deliver(null)
fire()
await done
const ringMs = performance.now() - ringFrom
const ringSpent = process.cpuUsage(ringCpu)
const [{ ms: ringBlockMs }] = await ringing.end()
await alarms.idle()
tellJson({
  waiting,
  loadMs,
  loadCpuMs: (user + system) / 1_000,
  loadBlockMs,
  heapMb: full.heap - empty.heap,
  rssMb: full.rss - empty.rss,
  tickMs,
  lookMs,
  viewMs,
  nextMs: median(nexts),
  nextOfUs,
  reserveUs: median(reserves),
  scheduleMs: median(schedules),
  growthMb: afterTicks.heap - beforeTicks.heap,
  ringMs,
  ringCpuMs: (ringSpent.user + ringSpent.system) / 1_000,
  ringBlockMs,
})
alarms.dispose()
process.exit(0)
