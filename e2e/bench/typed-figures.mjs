// From the end of a turn to the followup: how long after the last byte of its answer a real agent has the next message
// typed and entered, one agent at a time, in a terminal of the dashboard and in a tmux pane. The agents are those of
// e2e/agents; where they are not installed nothing is measured. Waiting, not work: other load on the machine is in it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runnerImport } from 'vite'
import { pinned } from './children.mjs'
import { median, quantile } from './parts.mjs'

const root = resolve(import.meta.dirname, '../..')
const ROUNDS = 14
const PLACES = ['hosted', 'pane']
/** No agent is begun after so long. */
const LIMIT_MS = 200_000
const limits = { median: [0.5, 0.3], p99: [2, 1] }

const onCpus = (cpus) => pinned && spawnSync('taskset', ['-acp', cpus, String(process.pid)])
const installed = () =>
  process.env.ONWARD_AGENTS !== undefined || existsSync(join(root, 'e2e/agents/node_modules/.bin/codex'))

/** Tests' own modules, as they are: TypeScript that looks for files beside itself. */
const load = async (entry) =>
  (await runnerImport(join(root, entry), { root, configFile: false, logLevel: 'error' })).module

export async function typedFigures() {
  if (process.platform !== 'linux' || !installed()) return []
  const { agentsThere, keepGoing, endNow } = await load('e2e/bench/typed-part.ts')
  process.on('exit', endNow)
  // an agent, its terminal and the engine wait for each other
  onCpus('0,1')
  const until = performance.now() + LIMIT_MS
  const seats = []
  try {
    for (const agent of agentsThere())
      for (const how of PLACES)
        if (performance.now() < until) seats.push({ agent, stops: await keepGoing(agent, how, ROUNDS) })
  } finally {
    onCpus('0')
    process.off('exit', endNow)
  }
  const all = seats.flatMap(({ stops }) => stops)
  const seconds = (stops, of = 'typedMs') => stops.map((stop) => stop[of] / 1_000)
  const row = (what, value, range, limit) => ({
    title: `stop to typed, ${what}`,
    unit: 's',
    value,
    range,
    limits: limit,
  })
  return [
    row(
      'real agents: median',
      median(seconds(all)),
      seats.map(({ stops }) => median(seconds(stops))),
      limits.median,
    ),
    row('real agents: p99', quantile(seconds(all), 0.99), undefined, limits.p99),
    ...[...new Set(seats.map(({ agent }) => agent))].flatMap((agent) => {
      const own = seconds(seats.filter((seat) => seat.agent === agent).flatMap(({ stops }) => stops))
      return [row(`${agent.name}: median`, median(own), own), row(`${agent.name}: p99`, quantile(own, 0.99))]
    }),
    { title: 'stop to a followup on the disk: median', unit: 's', value: median(seconds(all, 'queuedMs')) },
    { title: 'stop to the request with the followup: median', unit: 's', value: median(seconds(all, 'receivedMs')) },
    { title: 'stop to typed: Enter pressed twice', unit: 'times', value: all.filter((s) => s.enterTwice).length },
  ]
}
