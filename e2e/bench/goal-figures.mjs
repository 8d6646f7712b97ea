// What goals cost: after a plain stop, in the path of a request, in views and files, and where a thousand of them stop
// at once. The work without a network is done by a fresh process each round.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chatBody } from './bodies.mjs'
import { start, temporaryFolder } from './children.mjs'
import { connect, requestBytes } from './load.mjs'
import { fillProject } from './many-goals.mjs'
import { writeConfig } from './onward.mjs'
import { bundle, median } from './parts.mjs'
import { cpuMs } from './process-facts.mjs'

const ROUNDS = 3
const SCOPES = 1_000
const PASSES = 5
const REQUESTS = 200

const protocols = ['chat', 'responses', 'messages', 'gemini']
const figures = [
  ...protocols.flatMap((protocol) => [
    [`a stop's request of 200 KB read, ${protocol}`, 'ms of CPU', `${protocol}-small`, [5, 2]],
    [`a stop's request of 2 MB read, ${protocol}`, 'ms of CPU', `${protocol}-large`, [25, 10]],
    [`a stop's request of 2 MB read, ${protocol}: longest block`, 'ms', `${protocol}-large-block`, [25, 10]],
  ]),
  ["a stop's request of 2 MB that is one turn read, messages", 'ms of CPU', 'one-turn-large', [25, 20]],
  ['nothing changed in 10 000 files', 'ms', 'changedMs'],
  ['nothing changed in 10 000 files', 'ms of CPU', 'changedCpu'],
  ['nothing changed in 10 000 files: longest block', 'ms', 'changedBlock', [10, 5]],
  ['state of a scope with 40 rounds as long as may be', 'KB', 'stateKb'],
  ['state of a scope with 40 rounds as long as may be: one write', 'ms', 'writeMs'],
  ['state of a scope with 40 rounds as long as may be: one write', 'ms of CPU', 'writeCpu', [10, 5]],
  ['one look: its context', 'characters', 'contextChars', [60_000, 60_000]],
  ['one look: its context', 'ms of CPU', 'contextCpu', [5, 2]],
  ["one look without the model's time", 'ms of CPU', 'lookCpu', [20, 10]],
  ["one look without the model's time", 'ms', 'lookMs'],
  [`${SCOPES} goals: start`, 'ms', 'loadMs'],
  [`${SCOPES} goals: memory (live heap)`, 'MB', 'loadedMb'],
  [`${SCOPES} goals: views of all`, 'ms of CPU', 'viewsCpu', [100, 50]],
  [`${SCOPES} goals: checks in them`, 'ms of CPU', 'checksCpu', [20, 5]],
  [`${SCOPES} goals: one update of a session`, 'bytes', 'updateBytes'],
  ['who reviews, of a status', 'µs of CPU', 'reviewerUs', [20, 5]],
  [`${SCOPES} stop at once, reviewed after 1 s: until all followups are queued, on the disk`, 'ms', 'stopsMs'],
  [`${SCOPES} stop at once, reviewed after 1 s`, 'ms of CPU', 'stopsCpu'],
  [`${SCOPES} stop at once, reviewed after 1 s: each`, 'ms of CPU', 'stopCpu', [6, 3]],
  ['1 000 stop at once: writes each', 'writes', 'stopWrites', [2, 1]],
  ['1 000 stop at once: synced writes of lines, shared by all who wait, each', 'writes', 'stopLines'],
  ['1 000 stop at once: written each', 'KB', 'stopKb'],
  ['1 000 goals that have stopped: their files brought up to date, each', 'ms of CPU', 'foldCpu'],
  [`${SCOPES} stop at once, reviewed after 1 s: longest block`, 'ms', 'stopsBlock', [25, 10]],
  [`${SCOPES} stop at once, reviewed after 1 s: most of the heap meanwhile`, 'MB', 'stopsPeakMb'],
  [`${SCOPES} stop at once, reviewed after 1 s: kept afterwards`, 'MB', 'stopsKeptMb', [20, 5]],
]

async function round(part, project) {
  const root = temporaryFolder()
  const child = await start(
    ['--expose-gc', join(import.meta.dirname, 'goal-load.mjs'), part.path('goal'), root, project, String(SCOPES)],
    '0,1',
  )
  await child.ended
  return child
}

/** CPU per request, milliseconds */
async function passOn({ port, pid }, session, bytes, requests) {
  const request = requestBytes({ path: '/v1/chat/completions', port }, bytes, session)
  const connections = await Promise.all(Array.from({ length: 4 }, () => connect(port, 60_000)))
  const before = cpuMs(pid)
  let left = requests
  await Promise.all(
    connections.map(async (connection) => {
      while (left-- > 0) await connection.send(request)
    }),
  )
  for (const connection of connections) connection.close()
  return (cpuMs(pid) - before) / requests
}

/**
 * Answers end in tool calls, as nearly all of an agent's do: what is kept for the review that may come is all there is
 * to it.
 */
async function laneFigures(program, upstream) {
  const home = temporaryFolder()
  writeConfig(home, upstream.port, { stopMessage: { delivery: 'reenter' } })
  const engine = await start([program, 'serve', '--json', '--home', home, '--port', '0'], '1')
  const configure = (settings) =>
    fetch(`http://127.0.0.1:${upstream.port}/__config`, { method: 'POST', body: JSON.stringify(settings) })
  await configure({ finish: 'tool_calls' })
  const goal = Buffer.from(
    JSON.stringify({
      model: 'mock-model',
      messages: [{ role: 'user', content: 'Make the tests pass. <**stopMessage:"Make the tests pass",1000,ai:on**>' }],
    }),
  )
  await passOn(engine, 'armed', goal, 1)
  const file = readdirSync(home, { recursive: true }).find((name) => name.endsWith('reenter-armed.json'))
  if (!file || JSON.parse(readFileSync(join(home, file), 'utf8')).state.stopMessageAiMode !== 'on')
    throw new Error('no goal was set')
  const sessions = ['armed', 'free']
  const seen = { armed: [], free: [] }
  const body = chatBody(200_000)
  for (const session of sessions) await passOn(engine, session, body, REQUESTS)
  for (let i = 0; i < PASSES; i++) {
    for (const session of i % 2 ? sessions.toReversed() : sessions)
      seen[session].push(await passOn(engine, session, body, REQUESTS))
  }
  await engine.stop()
  await configure({ finish: 'stop' })
  const ratios = seen.armed.map((cpu, i) => cpu / seen.free[i])
  return [
    ...sessions.map((session) => ({
      title: `200 KB body passed on, ${session === 'armed' ? 'with' : 'without'} a goal and review`,
      unit: 'ms of CPU',
      value: median(seen[session]),
      range: seen[session],
    })),
    {
      title: '200 KB body passed on: CPU with ÷ without a goal',
      unit: 'ratio',
      value: median(ratios),
      range: ratios,
      limits: [1.1, 1.03],
    },
  ]
}

export async function goalFigures(program, upstream) {
  const part = await bundle({ goal: 'e2e/bench/goal-part.ts' })
  const project = temporaryFolder()
  fillProject(project, 10_000)
  const rounds = []
  for (let i = 0; i < ROUNDS; i++) rounds.push(await round(part, project))
  part.dispose()
  return [
    ...(await laneFigures(program, upstream)),
    ...figures.map(([title, unit, of, limits]) => ({
      title,
      unit,
      value: median(rounds.map((one) => one[of])),
      range: rounds.map((one) => one[of]),
      limits,
    })),
  ]
}
