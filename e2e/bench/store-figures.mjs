// Durable writes: what a session notes and what a followup waits for. Each is a temporary file, fsync, rename and fsync
// of the folder, so the disk decides; a bare write and fsync of the same bytes stands beside them for comparison.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from './children.mjs'
import { load, median, quantile } from './parts.mjs'

const TIMES = 200
const SCOPES = 32

async function timed(times, work) {
  const ms = []
  for (let i = 0; i < times; i++) {
    const from = performance.now()
    await work(i)
    ms.push(performance.now() - from)
  }
  return ms
}

const silent = {
  async submitted() {},
  async confirmed() {},
  async failed() {},
  async ended() {},
  async unconfirmed() {},
  heldLong() {},
  async mainTurn() {},
  changed() {},
}
const entry = (i) => ({
  sessionId: `s-${i % SCOPES}`,
  text: 'Continue with the next step and finish it.',
  source: 'user',
})

export async function storeFigures() {
  const part = await load('e2e/bench/store-part.ts')
  const root = temporaryFolder()
  const clock = part.systemClock()
  const store = part.createStore({
    root,
    files: part.diskFiles(),
    clock,
    log: part.silentLog,
    onProblem(problem) {
      throw new Error(problem.message)
    },
  })
  const sessions = part.createSessionStore({ store, clock, log: part.silentLog })
  // never started: entries are written down and wait
  const outboxes = part.createOutboxes({
    store,
    clock,
    random: part.systemRandom(),
    record() {},
    findTarget: () => null,
    safeText: (text) => text,
    settings: () => part.defaultOutboxSettings,
    terminalOf: () => null,
    clientOf: () => 'codex',
  })
  outboxes.use(() => silent)
  const boxes = []
  for (let i = 0; i < SCOPES; i++) {
    await sessions.open(`s-${i}`, { client: 'codex' })
    boxes.push(await outboxes.of(`tmux:work-${i}`))
  }
  await sessions.flush()

  const bytes = Buffer.alloc(600, 'x')
  const bare = await timed(TIMES, async () => {
    const handle = await open(join(root, 'bare'), 'w')
    await handle.write(bytes)
    await handle.sync()
    await handle.close()
  })
  const note = await timed(TIMES, (i) => sessions.choose(`s-${i % SCOPES}`, () => ({ name: `round ${i}` })))
  const queued = []
  const add = await timed(TIMES, async (i) => {
    queued.push([boxes[i % SCOPES], (await boxes[i % SCOPES].add(entry(i))).id])
  })
  for (const [box, id] of queued) await box.cancel(id)
  const from = performance.now()
  for (let i = 0; i < 10; i++) await Promise.all(boxes.map((box) => box.add(entry(i))))
  const perSecond = (SCOPES * 10 * 1_000) / (performance.now() - from)
  await outboxes.close()
  outboxes.dispose()
  await sessions.flush()
  sessions.dispose()

  const row = (title, ms) => [
    { title, unit: 'ms, p50', value: median(ms), range: ms },
    { title, unit: 'ms, p99', value: quantile(ms, 0.99) },
  ]
  return [
    ...row('durable write of a session', note),
    ...row('durable outbox entry', add),
    { title: 'durable outbox entry ÷ bare write and fsync', unit: 'ratio of p50', value: median(add) / median(bare) },
    { title: `durable outbox entries, ${SCOPES} terminals at once`, unit: 'per second', value: perSecond },
  ]
}
