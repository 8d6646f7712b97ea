// One lane on one target, once.
import { chatBody } from './bodies.mjs'
import { connect, nowUs, requestBytes } from './load.mjs'
import { messagesBody } from './messages-body.mjs'
import { median, quantile } from './parts.mjs'
import { cpuMs, memory, resetPeak } from './process-facts.mjs'

const entries = {
  chat: { path: '/v1/chat/completions', bodyOf: chatBody },
  messages: { path: '/v1/messages', bodyOf: messagesBody },
}
const wait = (ms) => new Promise((done) => setTimeout(done, ms))

/** Every connection is an agent of its own, with a session of its own. `share` of the lane's time or requests. */
export async function cell(target, lane, upstream, share = 1) {
  const { path, bodyOf } = entries[lane.entry ?? 'chat']
  const body = bodyOf(lane.bytes, { stream: Boolean(lane.stream), marker: lane.marker })
  await fetch(`http://127.0.0.1:${upstream.port}/__config`, {
    method: 'POST',
    body: JSON.stringify({ events: 200, delayMs: 0, stamp: false, ...lane.stream }),
  })
  const connections = await Promise.all(
    Array.from({ length: lane.connections }, async (_, i) => ({
      ...(await connect(target.port)),
      request: requestBytes({ path, port: target.port, headers: target.headers }, body, `${lane.id ?? 'warm'}-${i}`),
    })),
  )
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
    connections.map(async ({ send, request }) => {
      while (started < quota && (lane.requests || nowUs() < until)) {
        started++
        try {
          const done = await send(request, { stamps })
          totals.push(done.end - done.start)
          events += done.events
        } catch (error) {
          if (++errors > 5) throw error
          return
        }
      }
    }),
  )
  const end = nowUs()
  for (const connection of connections) connection.close()
  await wait(30)
  const cpu = target.pid ? cpuMs(target.pid) - cpuBefore : 0
  const after = target.pid ? memory(target.pid) : null
  return {
    lane: lane.id,
    target: target.name,
    requests: totals.length,
    errors,
    perSecond: totals.length / ((end - begin) / 1e6),
    p50: median(totals),
    p90: quantile(totals, 0.9),
    p99: quantile(totals, 0.99),
    events,
    cpuPerRequest: cpu / totals.length,
    cpuPerEvent: events ? (cpu * 1_000) / events : null,
    eventP50: stamps ? median(stamps) : null,
    memory: before && { before: before.rss, peak: after.peak, growth: after.peak - before.rss },
    beganUs: begin,
    endedUs: end,
  }
}

/**
 * What a target runs before anything is measured: both sizes, and streams. Most of what runs does so once in a request,
 * and V8 compiles it after some thousands: a lane of large bodies has too few to come that far by itself.
 */
export async function warmUp(target, entry, upstream) {
  await cell(target, { entry, bytes: 2_048, connections: 8, requests: 5_000 }, upstream)
  await cell(target, { entry, bytes: 200_000, connections: 4, requests: 300 }, upstream)
  const short = { events: 20, delayMs: 0 }
  await cell(target, { entry, bytes: 2_048, connections: 8, requests: 2_500, stream: short }, upstream)
  const long = { events: 1_000, delayMs: 0 }
  await cell(target, { entry, bytes: 2_048, connections: 4, requests: 40, stream: long }, upstream)
}

/** Its own share of a lane, so that what runs in it is compiled. */
export const warmLane = (target, lane, upstream) =>
  cell(target, { ...lane, ...lane.warm }, upstream, lane.warm ? 1 : lane.warmMs ? lane.warmMs / lane.ms : 0.3)

/**
 * A lane on all of `targets`, round by round in turn. A peer that fails in it is left out of it altogether: that it
 * can't is something to say, and no reason to end the run.
 */
export async function laneCells(targets, lane, upstream, { rounds }) {
  const measured = []
  const leftOut = []
  const isOut = ({ name }) => leftOut.some(({ target }) => target === name)
  const attempt = async (target, work) => {
    if (isOut(target)) return
    try {
      await work()
    } catch (error) {
      if (!target.peer) throw error
      leftOut.push({ target: target.name, why: error.message })
    }
  }
  for (const target of targets) await attempt(target, () => warmLane(target, lane, upstream))
  for (let round = 0; round < Math.min(rounds, lane.rounds ?? rounds); round++) {
    for (const target of round % 2 ? targets.toReversed() : targets)
      await attempt(target, async () => measured.push({ round, ...(await cell(target, lane, upstream)) }))
  }
  return { measured: measured.filter(({ target }) => !isOut({ name: target })), leftOut }
}
