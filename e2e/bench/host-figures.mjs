// What its host costs the engine: the same lanes with `onward serve` and with the desktop's main process, in turn, with
// only the tray, with a window open, and while reports of a crashed page are written. Many sessions are known to all,
// since each change of one is drawn in the tray and sent to the window. What any window costs is no host's: beside the
// engine in the main process stands one in a process of its own, which the same app with the same window attached to.
// That is what an engine in a utility process would be.
import { cell, warmLane, warmUp } from './cell.mjs'
import { hasDesktop, startDesktopHost } from './desktop-host.mjs'
import { lanes } from './lanes.mjs'
import { median } from './parts.mjs'
import { waitedMs } from './process-facts.mjs'
import { startOnward } from './targets.mjs'

const ROUNDS = 9
const SESSIONS = 300
const REPORT_EVERY_MS = 250
const measured = lanes.filter(({ id }) => id === 'json-2k-c1' || id === 'agent-turn-c4')
/** added to a request by its host, milliseconds: beyond the first the engine gets a process of its own */
const limits = [2, 1]
/**
 * Where others want the CPU, too, latency is mostly waiting for it, and CPU tells more. Whose waiting it is: a host
 * that waits for its CPU is slowed by what runs there; the load and its upstream by the browser, which shares theirs.
 */
/** What a host adds is judged by these; a browser beside it has its part in the others. */
const judged = new Set(['p50', 'CPU a request', 'waits for a CPU, the host'])
const kinds = {
  p50: ({ p50 }) => p50 / 1_000,
  p99: ({ p99 }) => p99 / 1_000,
  'CPU a request': ({ cpuPerRequest }) => cpuPerRequest,
  'waits for a CPU, the host': ({ waited }) => waited.host,
  'waits for a CPU, the load': ({ waited }) => waited.load,
  'waits for a CPU, the upstream': ({ waited }) => waited.upstream,
}

/** Milliseconds a request that each process was ready to run and had no CPU, besides what a cell tells. */
async function cellAndWaits(target, lane, upstream) {
  const all = { host: target.pid, load: process.pid, upstream: upstream.pid }
  const waited = () => Object.entries(all).map(([name, pid]) => [name, waitedMs(pid)])
  const before = Object.fromEntries(waited())
  const measured = await cell(target, lane, upstream)
  const each = waited().map(([name, ms]) => [name, (ms - before[name]) / measured.requests])
  return { ...measured, waited: Object.fromEntries(each) }
}

export async function hostFigures(upstream) {
  if (!hasDesktop()) return []
  const serve = await startOnward('serve', upstream)
  const desktop = await startDesktopHost('desktop', upstream)
  // An app asks an engine of its own version to end, unless the system started that.
  const engine = await startOnward('apart', upstream, { args: ['--service'] })
  const apart = await startDesktopHost('apart', upstream, engine)
  try {
    for (const target of [serve, desktop, apart]) {
      await warmUp(target, 'chat', upstream)
      await cell(target, { id: 'known', bytes: 2_048, connections: SESSIONS, requests: SESSIONS }, upstream)
      for (const lane of measured) await warmLane(target, lane, upstream)
    }
    const figures = await added('the tray alone', serve, desktop, upstream, limits)
    await desktop.openWindow()
    figures.push(...(await added('a window open', serve, desktop, upstream)))
    await apart.openWindow()
    figures.push(...(await added('a window open', apart, desktop, upstream, limits)))
    const stops = [await desktop.crashPages(REPORT_EVERY_MS), await apart.crashPages(REPORT_EVERY_MS)]
    figures.push(...(await added(`a window, a report each ${REPORT_EVERY_MS} ms`, apart, desktop, upstream, limits)))
    for (const stop of stops) await stop()
    return figures
  } finally {
    await apart.close()
    await desktop.close()
    await engine.stop()
    await serve.stop()
  }
}

const besides = { serve: '`onward serve`', apart: 'an engine in a process of its own' }

/** How much more a request takes than with the other host in the same round. */
async function added(what, other, desktop, upstream, mayAdd) {
  const figures = []
  for (const lane of measured) {
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) {
      const cells = {}
      for (const target of round % 2 ? [desktop, other] : [other, desktop])
        cells[target.name] = await cellAndWaits(target, lane, upstream)
      rounds.push(cells)
    }
    for (const [kind, of] of Object.entries(kinds)) {
      const usual = rounds.map((cells) => of(cells[other.name]))
      const more = rounds.map((cells, i) => of(cells.desktop) - usual[i])
      const title = `desktop, ${what}; ${lane.title}: added ${kind}, beside ${besides[other.name]}`
      figures.push({
        title,
        unit: 'ms',
        value: median(more),
        range: more,
        limits: judged.has(kind) ? mayAdd : undefined,
      })
      figures.push({ title: `${besides[other.name]} itself: ${kind}`, unit: 'ms', value: median(usual), range: usual })
    }
  }
  return figures
}
