// A process of its own (--expose-gc): works with goals, one figure after the other. The reviewing model is a timer; all
// else is the engine's own, on a real disk and a real folder.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { agentBody, protocols } from './agent-bodies.mjs'
import { watchLoop } from './loop-blocks.mjs'
import { fillGoals, goal, scopeOf, sessionOf } from './many-goals.mjs'
import { median } from './parts.mjs'

const [partPath, root, project, count] = process.argv.slice(2)
const part = await import(pathToFileURL(partPath).href)
const SCOPES = Number(count)
const REVIEW_MS = 1_000
const signal = new AbortController().signal

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
const each = async (times, work) => {
  const all = []
  for (let i = 0; i < times; i++) {
    const before = process.cpuUsage()
    await work(i)
    all.push(spent(before))
  }
  return all
}
/** CPU of each of so many, as a figure of how long the loop is held up where nothing else happens between. */
const cpuOf = async (times, work) => {
  for (let i = 0; i < 3; i++) await work(i)
  return median(await each(times, work))
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
const facts = {}

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

// 1: what a stop's request is read for
const excerpt = (protocol, { path, client, body }) =>
  part.excerptOf({ entry: protocol, path, client, body, text: 'Done.' })
for (const [size, bytes] of Object.entries({ small: 200_000, large: 2_000_000 })) {
  for (const protocol of protocols) {
    const sent = agentBody(protocol, bytes)
    facts[`${protocol}-${size}`] = await cpuOf(25, () => excerpt(protocol, sent))
    facts[`${protocol}-${size}-block`] = (
      await watched(async () => {
        for (let i = 0; i < 5; i++) {
          await new Promise((done) => setTimeout(done, 1))
          excerpt(protocol, sent)
        }
      })
    ).block
  }
  // Nobody has said anything for so long, that all of it is one turn.
  const long = agentBody('messages', bytes, { persons: false })
  facts[`one-turn-${size}`] = await cpuOf(15, () => excerpt('messages', long))
}

// 3: whether a file changed
const files = await watched(async () => {
  if (await part.changedSince(project, Date.now() + 60_000, signal)) throw new Error('nothing changed')
})
Object.assign(facts, { changedMs: files.ms, changedCpu: files.cpu, changedBlock: files.block })

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
const config = part.configSchema.parse({
  providers: Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [
      `p${i}`,
      {
        type: 'openai-chat',
        baseUrl: 'http://127.0.0.1:9/v1',
        keys: [{ alias: 'main', value: 'k' }],
        models: Object.fromEntries(Array.from({ length: 20 }, (__, n) => [`m${n}`, {}])),
      },
    ]),
  ),
  routes: { review: ['p1.m1', 'p2.m1'], default: ['p0.m0'] },
})
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
const reviewAfter = (ms) => (checks) =>
  part.createReview({
    ask: async ({ messages }) => {
      if (ms > 0) await new Promise((later) => setTimeout(later, ms / 2))
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

// 4: the state of one scope with as much in it as there may be
const full = join(root, 'full')
fillGoals(full, part, 1, 1)
const one = await rooms(full, reviewAfter(0))
await one.start()
for (let i = 0; i < 5; i++) await one.stop.addRounds(scopeOf(0), 1)
facts.stateKb = statSync(join(full, 'tmux-goal-0.json')).size / 1_024
const writes = []
const writeCpu = await each(30, async () => {
  const from = performance.now()
  await one.stop.addRounds(scopeOf(0), 1)
  writes.push(performance.now() - from)
})
Object.assign(facts, { writeMs: median(writes), writeCpu: median(writeCpu) })

// 5: one look, the model's own time aside
for (const { name, argv } of (await one.checks.of(project)).checks) await one.checks.approve(project, name, argv)
const { checks: declared } = await one.checks.of(project)
const turn = { ...excerpt('messages', agentBody('messages', 2_000_000, { persons: false })), text: 'x'.repeat(16_000) }
const ask = {
  sessionId: 's1',
  folder: project,
  goal,
  round: 41,
  used: 40,
  max: 90,
  turn,
  recent: one.stop.rounds(scopeOf(0)).toReversed(),
  checks: declared,
  checksProblem: null,
  beads: null,
  language: 'en',
  failedBefore: 0,
}
const widest = { rounds: 20, textChars: 16_000, calls: 40, callChars: 4_000 }
const context = () => part.contextOf(ask, widest, part.createFence(random))
facts.contextChars = context().length
facts.contextCpu = await cpuOf(25, context)
const lookMs = []
const wholeReview = reviewAfter(0)(one.checks)
facts.lookCpu = await cpuOf(25, async () => {
  const from = performance.now()
  const { decision } = await wholeReview(ask, signal)
  if (decision.kind !== 'send') throw new Error(JSON.stringify(decision))
  lookMs.push(performance.now() - from)
})
facts.lookMs = median(lookMs)
one.stop.dispose()
one.outboxes.dispose()

// 6: the views of many
const many = join(root, 'many')
fillGoals(many, part, SCOPES, 0.3)
const loaded = await watched(async () => {
  facts.before = await heap()
})
const all = await rooms(many, reviewAfter(REVIEW_MS))
const loading = await watched(() => all.start())
await all.checks.of(project)
Object.assign(facts, {
  loadMs: loading.ms,
  loadBlock: loading.block,
  loadedMb: (await heap()) - facts.before,
  gcBlock: loaded.block,
})
const session = (i) => ({
  ...part.noChoices,
  id: sessionOf(i),
  client: 'claude',
  entry: 'messages',
  cwd: project,
  model: 'mock-model',
  route: { provider: 'zai', model: 'glm-5' },
  scope: scopeOf(i),
  terminalId: scopeOf(i),
  daemonId: null,
  turns: 41,
  toolList: null,
  usage: { input: 1, cachedInput: 0, output: 1, reasoning: 0 },
  costUsd: 0.1,
  startedAt: 1,
  lastActivityAt: 2,
})
const viewOf = (i) =>
  part.sessionView({
    session: session(i),
    terminal: { terminalId: scopeOf(i), sessionId: sessionOf(i), scope: scopeOf(i) },
    terminalAlive: true,
    activity: null,
    needsYou: null,
    leftGoal: null,
    ...all.stop.view(scopeOf(i)),
    setIn: sessionOf(i),
    entries: [],
    pausedGlobally: false,
    limit: null,
    failure: null,
    resumeAtReset: false,
  })
facts.viewsCpu = await cpuOf(10, () => {
  for (let i = 0; i < SCOPES; i++) viewOf(i)
})
facts.checksCpu = await cpuOf(10, () => {
  for (let i = 0; i < SCOPES; i++) all.checks.peek(project)
})
facts.updateBytes = Buffer.byteLength(JSON.stringify({ type: 'session', session: viewOf(0) }))
facts.reviewerUs = await cpuOf(15, () => {
  for (let i = 0; i < 1_000; i++) part.reviewerOf(config)
})

// 7: all of them stop at once
const stops = agentBody('messages', 200_000)
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
        excerpt('messages', stops),
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
Object.assign(facts, {
  stopsMs: stopping.ms,
  stopsCpu: stopping.cpu,
  stopCpu: stopping.cpu / SCOPES,
  stopWrites: written.files / SCOPES,
  stopLines: written.lines / SCOPES,
  stopKb: written.bytes / SCOPES / 1_024,
  stopsBlock: stopping.block,
  stopsPeakMb: most - idle,
  stopsKeptMb: (await heap()) - idle,
})
const folded = await watched(async () => all.journal?.close())
Object.assign(facts, { foldMs: folded.ms / SCOPES, foldCpu: folded.cpu / SCOPES })
process.stdout.write(`${JSON.stringify(facts)}\n`)
process.exit(0)
