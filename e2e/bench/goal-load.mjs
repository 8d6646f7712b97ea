// A process of its own (--expose-gc): many goals stop at once. The reviewing model is a timer; all else is the engine's
// own, on a real disk and a real folder.
import { pathToFileURL } from 'node:url'
import { watchLoop } from './loop-blocks.mjs'
import { fillGoals, scopeOf, sessionOf } from './many-goals.mjs'
import { messagesBody } from './messages-body.mjs'

const [partPath, root, project, count] = process.argv.slice(2)
const part = await import(pathToFileURL(partPath).href)
const SCOPES = Number(count)
const REVIEW_MS = 1_000

const heap = async () => {
  for (let i = 0; i < 3; i++) {
    globalThis.gc()
    await new Promise((done) => setTimeout(done, 20))
  }
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1048576
}
const spent = (before) => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
const watched = async (work) => {
  const loop = watchLoop()
  const before = process.cpuUsage()
  const from = performance.now()
  await work()
  const [ms, cpu] = [performance.now() - from, spent(before)]
  const [{ ms: block }] = await loop.end()
  return { ms, cpu, block }
}

/** The real disk: files that are written whole, and synced writes of lines, which all who wait share. */
const written = { files: 0, lines: 0, bytes: 0 }
function countedFiles() {
  const files = part.diskFiles()
  return {
    ...files,
    writeAtomic(path, data, mode) {
      // The first lines of a journal make its file: once, for all who wait.
      if (path.endsWith('/journal.jsonl')) written.lines++
      else written.files++
      written.bytes += data.length
      return files.writeAtomic(path, data, mode)
    },
    append(path, data, how) {
      if (how?.sync) written.lines++
      written.bytes += data.length
      return files.append(path, data, how)
    },
  }
}

// The rooms
const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms)
    return { dispose: () => clearTimeout(timer) }
  },
}
const random = part.systemRandom()
const settings = part.configSchema.parse({ stopMessage: { review: { timeoutSeconds: 300 } } }).stopMessage.review
const done = { reviews: 0, queued: 0 }
const record = (where, body) => {
  if (body.type === 'store-problem' || body.type === 'engine-problem') throw new Error(body.message)
  if (body.type === 'review-done' && body.review.outcome.code !== 'not-reached')
    throw new Error(JSON.stringify(body.review.outcome))
  if (body.type === 'review-done') done.reviews++
  if (body.type === 'queued') done.queued++
}
const runProgram = part.createRunProgram({ clock, env: async () => process.env })
async function rooms(at, review) {
  const files = countedFiles()
  const onProblem = (problem) => {
    throw new Error(problem.message)
  }
  // A build before it has none.
  const journal = await part.openJournal?.({ root: at, files, clock, onProblem })
  const store = part.createStore({ root: at, files, clock, log: part.silentLog, journal, onProblem })
  const outboxes = part.createOutboxes({
    store,
    clock,
    random,
    record,
    findTarget: () => null,
    safeText: (text) => text,
    settings: () => part.defaultOutboxSettings,
    terminalOf: (scope) => scope,
    clientOf: () => 'claude',
  })
  const checks = part.createChecks({ store, runProgram, clock, log: part.silentLog, defaultTimeoutSeconds: () => 60 })
  const stop = part.createStopMessage({
    store,
    outboxes,
    clock,
    random,
    record,
    notify() {},
    config: () => ({
      budgets: { rounds: 100, hours: 24, noProgressRounds: 5, tokens: null, costUsd: null },
      language: 'en',
    }),
    terminalGone: () => null,
    onChange() {},
    goal: {
      folderOf: () => project,
      totalsOf: () => ({ tokens: 1_000, costUsd: 0.1 }),
      changedSince: part.changedSince,
      beads: { has: async () => false, ask: async () => ({ kind: 'unknown' }) },
      checks,
      review: (ask, stopping) => review(checks)(ask, stopping),
      backend: () => 'model',
    },
  })
  outboxes.use(stop.listenerOf)
  return {
    store,
    journal,
    outboxes,
    checks,
    stop,
    async start() {
      await checks.load()
      await outboxes.load()
      await stop.start()
      await outboxes.start()
    },
  }
}
const answer = (calls) => ({
  text: '',
  calls,
  raw: {
    role: 'assistant',
    content: null,
    tool_calls: calls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })),
  },
  usage: { input: 20_000, cachedInput: 0, output: 300, reasoning: 0 },
  costUsd: 0.01,
  by: 'zai/glm-5',
})
const looks = answer([{ id: 'c1', name: 'read_file', arguments: JSON.stringify({ path: 'refund.ts' }) }])
const notYet = answer([
  {
    id: 'c2',
    name: 'verdict',
    arguments: JSON.stringify({
      goalReached: false,
      evidence: [{ claim: 'it fails', source: 'file:refund.ts', result: 'line 40' }],
      blockers: [],
      followup: 'Fix the refund test in test/refund.test.ts and run it again.',
    }),
  },
])
const review = (checks) =>
  part.createReview({
    ask: async ({ messages }) => {
      await new Promise((later) => setTimeout(later, REVIEW_MS / 2))
      return messages.some(({ role }) => role === 'tool') ? notYet : looks
    },
    run: runProgram,
    workspaceOf: (folder) => part.createWorkspace({ folder, runProgram }),
    checks,
    clock,
    random,
    emptyFolder: () => project,
    config: () => settings,
  })

fillGoals(root, part, SCOPES, 0.3)
const all = await rooms(root, review)
await all.start()
const stopped = { path: '/v1/messages?beta=true', client: 'claude', body: messagesBody(200_000) }
const request = { entry: 'messages', ...stopped, text: 'Done.' }
const boxes = []
for (let i = 0; i < SCOPES; i++) boxes.push(await all.outboxes.of(scopeOf(i)))
const idle = await heap()
let most = 0
Object.assign(written, { files: 0, lines: 0, bytes: 0 })
const stopping = await watched(async () => {
  const ended = []
  for (const [i, outbox] of boxes.entries()) {
    const requestId = `r-${i}`
    await outbox.requestStarted({
      requestId,
      sessionId: sessionOf(i),
      kind: 'turn',
      lastUserTexts: ['go on'],
      hasNewMainTurn: false,
    })
    outbox.requestEnded(requestId)
    // Each request ends in a turn of the loop of its own.
    await new Promise((next) => setImmediate(next))
    ended.push(
      all.stop.turnEnded(
        scopeOf(i),
        {
          requestId,
          sessionId: sessionOf(i),
          kind: 'turn',
          reentered: false,
          finish: 'stop',
          clientLeft: false,
          registeredClientOnly: false,
          notFinished: null,
        },
        part.excerptOf(request),
      ),
    )
    // To ask takes a part of what a stop does.
    if (i % 20 === 0) most = Math.max(most, process.memoryUsage().heapUsed / 1048576)
  }
  await Promise.all(ended)
  const until = Date.now() + 60_000
  while (done.reviews < SCOPES || done.queued < SCOPES) {
    if (Date.now() > until) throw new Error(`only ${done.reviews} reviews, ${done.queued} followups`)
    most = Math.max(most, process.memoryUsage().heapUsed / 1048576)
    await new Promise((next) => setTimeout(next, 20))
  }
})
await all.store.flush()
const facts = {
  stopsMs: stopping.ms,
  stopsCpu: stopping.cpu,
  stopCpu: stopping.cpu / SCOPES,
  stopWrites: written.files / SCOPES,
  stopLines: written.lines / SCOPES,
  stopKb: written.bytes / SCOPES / 1_024,
  stopsBlock: stopping.block,
  stopsPeakMb: most - idle,
  stopsKeptMb: (await heap()) - idle,
}
const folded = await watched(async () => all.journal?.close())
process.stdout.write(`${JSON.stringify({ ...facts, foldCpu: folded.cpu / SCOPES })}\n`)
process.exit(0)
