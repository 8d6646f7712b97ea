// What its host costs the engine: the same lanes with `onward serve` and with the desktop's main process, in turn, with
// only the tray, with a window open, and while reports of a crashed page are written. Many sessions are known to both,
// since each change of one is drawn in the tray and sent to the window. What any viewer costs is no host's: a window is
// also measured beside `onward serve` with the same dashboard open in a browser.
import { cell, warmLane, warmUp } from './cell.mjs'
import { openDashboard } from './dashboard-viewer.mjs'
import { hasDesktop, startDesktopHost } from './desktop-host.mjs'
import { lanes } from './lanes.mjs'
import { median } from './parts.mjs'
import { waitedMs } from './process-facts.mjs'
import { startOnward } from './targets.mjs'

const ROUNDS = 5
const SESSIONS = 300
const REPORT_EVERY_MS = 250
const measured = lanes.filter(({ id }) => id === 'json-2k-c1' || id === 'agent-turn-c4')
/** added to a request by its host, milliseconds: beyond the first the engine gets a process of its own */
const limits = [2, 1]
/**
 * Where others want the CPU, too, latency is mostly waiting for it, and CPU tells more. Whose waiting it is: a host
 * that waits for its CPU is slowed by what runs there; the load and its upstream by the browser, which shares theirs.
 */
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
  try {
    for (const target of [serve, desktop]) {
      await warmUp(target, 'chat', upstream)
      await cell(target, { id: 'known', bytes: 2_048, connections: SESSIONS, requests: SESSIONS }, upstream)
      for (const lane of measured) await warmLane(target, lane, upstream)
    }
    const figures = await added('desktop, the tray alone', serve, desktop, upstream, limits)
    await desktop.openWindow()
    figures.push(...(await added('desktop, a window open; serve without a viewer', serve, desktop, upstream)))
    const closeDashboard = await openDashboard(serve.home)
    figures.push(...(await added('desktop, a window open; serve with a dashboard', serve, desktop, upstream, limits)))
    const stop = await desktop.crashPages(REPORT_EVERY_MS)
    const reports = `desktop, a window, a report each ${REPORT_EVERY_MS} ms; serve with a dashboard`
    figures.push(...(await added(reports, serve, desktop, upstream, limits)))
    await stop()
    await closeDashboard()
    return figures
  } finally {
    await desktop.close()
    await serve.stop()
  }
}

/** How much more a request takes than with `onward serve` in the same round. */
async function added(what, serve, desktop, upstream, mayAdd) {
  const figures = []
  for (const lane of measured) {
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) {
      const cells = {}
      for (const target of round % 2 ? [desktop, serve] : [serve, desktop])
        cells[target.name] = await cellAndWaits(target, lane, upstream)
      rounds.push(cells)
    }
    for (const [kind, of] of Object.entries(kinds)) {
      const usual = rounds.map((cells) => of(cells.serve))
      const more = rounds.map((cells, i) => of(cells.desktop) - usual[i])
      const title = `${what}; ${lane.title}: added ${kind}`
      figures.push({ title, unit: 'ms', value: median(more), range: more, limits: mayAdd })
      figures.push({ title: `serve beside it: ${kind}`, unit: 'ms', value: median(usual), range: usual })
    }
  }
  return figures
}
