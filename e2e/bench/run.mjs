// `npm run bench`: Onward's pass-through and its conversion against bare node:http proxies in the same run, round by
// round in turn.
//   node e2e/bench/run.mjs [--rounds 5] [--only lane,figures-soak]
// Own processes for upstream, proxies and load; proxies on CPU 1, the rest on CPU 0 where taskset is to be had.
// `--only` takes beginnings of ids of lanes and groups of figures. A run of everything is kept in results/; of one of
// figures alone `--keep` puts them in the place of theirs there.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { chatBody } from './bodies.mjs'
import { endTogether, pinned, start, temporaryFolder } from './children.mjs'
import { engineFigures } from './engine-figures.mjs'
import { lanes, targetsOf } from './lanes.mjs'
import { connect, nowUs, requestBytes } from './load.mjs'
import { messagesBody } from './messages-body.mjs'
import { program, writeConfig } from './onward.mjs'
import { median } from './parts.mjs'
import { cpuMs, memory, resetPeak } from './process-facts.mjs'
import { report } from './report.mjs'

const here = import.meta.dirname
const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`)
  return at > 0 ? process.argv[at + 1] : otherwise
}
const ROUNDS = Number(option('rounds', 5))
const only = option('only')?.split(',')
const wanted = (id) => !only || only.some((one) => id.startsWith(one))
const say = (line) => process.stderr.write(`${line}\n`)
const wait = (ms) => new Promise((done) => setTimeout(done, ms))

const entries = {
  chat: { path: '/v1/chat/completions', bodyOf: chatBody },
  messages: { path: '/v1/messages', bodyOf: messagesBody },
}

/** One lane on one target, once. */
async function cell(target, lane, upstream, share = 1) {
  const { path, bodyOf } = entries[lane.entry ?? 'chat']
  const request = requestBytes(
    { path, port: target.port },
    bodyOf(lane.bytes, { stream: Boolean(lane.stream), marker: lane.marker }),
  )
  await fetch(`http://127.0.0.1:${upstream.port}/__config`, {
    method: 'POST',
    body: JSON.stringify({ events: 200, delayMs: 0, stamp: false, ...lane.stream }),
  })
  const connections = await Promise.all(Array.from({ length: lane.connections }, () => connect(target.port)))
  if (target.pid) resetPeak(target.pid)
  const before = target.pid ? memory(target.pid) : null
  const cpuBefore = target.pid ? cpuMs(target.pid) : 0
  const stamps = lane.stream?.stamp ? [] : null
  const totals = []
  let events = 0
  let started = 0
  let errors = 0
  const begin = nowUs()
  const until = begin + (lane.ms ?? 60_000) * share * 1_000
  const quota = lane.requests ? Math.max(lane.connections, Math.round(lane.requests * share)) : Infinity
  await Promise.all(
    connections.map(async (connection) => {
      while (started < quota && (lane.requests || nowUs() < until)) {
        started++
        try {
          const done = await connection.send(request, { stamps })
          totals.push(done.end - done.start)
          events += done.events
        } catch (error) {
          if (++errors > 5) throw error
          return
        }
      }
    }),
  )
  const seconds = (nowUs() - begin) / 1e6
  for (const connection of connections) connection.close()
  await wait(30)
  const cpu = target.pid ? cpuMs(target.pid) - cpuBefore : 0
  const after = target.pid ? memory(target.pid) : null
  return {
    lane: lane.id,
    target: target.name,
    requests: totals.length,
    errors,
    perSecond: totals.length / seconds,
    p50: median(totals),
    events,
    cpuPerRequest: cpu / totals.length,
    cpuPerEvent: events ? (cpu * 1_000) / events : null,
    eventP50: stamps ? median(stamps) : null,
    memory: before && { before: before.rss, peak: after.peak, growth: after.peak - before.rss },
  }
}

endTogether()
const upstream = await start([join(here, 'upstream.mjs')], '0')
const home = temporaryFolder()
writeConfig(home, upstream.port)
const onward = await start([program, 'serve', '--json', '--home', home, '--port', '0'], '1')
const targets = [
  { name: 'direct', port: upstream.port },
  { name: 'node-pipe', ...(await start([join(here, 'bare.mjs'), 'pipe', String(upstream.port)], '1')) },
  { name: 'node-parse', ...(await start([join(here, 'bare.mjs'), 'parse', String(upstream.port)], '1')) },
  { name: 'node-convert', ...(await start([join(here, 'bare-convert.mjs'), String(upstream.port)], '1')) },
  { name: 'onward', ...onward },
]
await wait(1_000)
const idle = memory(onward.pid).rss

const chosen = lanes.filter((lane) => wanted(lane.id))
if (chosen.length > 0) say(`warming up, then ${chosen.length} lanes x ${ROUNDS} rounds`)
for (const entry of new Set(chosen.map((lane) => lane.entry))) {
  for (const target of targets.filter(({ name }) => targetsOf({ entry }).includes(name))) {
    await cell(target, { entry, bytes: 2_048, connections: 8, ms: 1_500 }, upstream)
    await cell(target, { entry, bytes: 200_000, connections: 4, ms: 1_000 }, upstream)
    await cell(
      target,
      { entry, bytes: 2_048, connections: 4, requests: 8, stream: { events: 1_000, delayMs: 0 } },
      upstream,
    )
  }
}
const cells = []
for (const lane of chosen) {
  say(lane.title)
  const measured = targets.filter(({ name }) => targetsOf(lane).includes(name))
  for (const target of measured) await cell(target, lane, upstream, lane.warmMs ? lane.warmMs / lane.ms : 0.3)
  for (let round = 0; round < Math.min(ROUNDS, lane.rounds ?? ROUNDS); round++) {
    for (const target of round % 2 ? [...measured].reverse() : measured)
      cells.push({ round, ...(await cell(target, lane, upstream)) })
  }
}
const engine = await engineFigures(wanted, upstream, say)
const result = {
  node: process.version,
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  rounds: ROUNDS,
  pinned,
  idleMb: idle,
  startMs: onward.startMs,
  engine,
  cells,
}
const text = report(result)
const kept = join(here, 'results', `run-${process.version.split('.')[0]}`)
const keep = (run) => {
  writeFileSync(`${kept}.json`, `${JSON.stringify(run)}\n`)
  writeFileSync(`${kept}.md`, report(run))
}
if (!only) keep(result)
else if (process.argv.includes('--keep') && cells.length === 0) {
  const before = JSON.parse(readFileSync(`${kept}.json`, 'utf8'))
  const others = before.engine.filter(({ title }) => !engine.some((figure) => figure.title === title))
  keep({ ...before, engine: [...others, ...engine] })
}
process.stdout.write(text)
process.exit(0)
