// `npm run bench -- --profile [--only lane,lane]`: where the engine's time goes, a table of self times for each lane.
// Each lane has an engine of its own, started with `--cpu-prof`, which Node writes when the engine is ended.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cell, warmLane, warmUp } from './cell.mjs'
import { nothingAdded, startOnward } from './targets.mjs'

const ROWS = 20

/** The function's place in the source, where the build left a map. */
function namer() {
  const maps = new Map()
  const mapOf = (file) => {
    try {
      return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
    } catch {
      return null
    }
  }
  return ({ functionName, url, lineNumber, columnNumber }) => {
    const name = functionName || '(anonymous)'
    if (!url) return name
    if (!url.startsWith('file:')) return `${name} ${url}`
    const file = fileURLToPath(url)
    if (!maps.has(file)) maps.set(file, mapOf(file))
    const found = maps.get(file)?.findEntry(lineNumber, columnNumber)
    if (!found?.originalSource) return `${name} ${basename(file)}:${lineNumber + 1}`
    return `${name} ${found.originalSource.replace(/^(?:\.\.\/)+/, '')}:${found.originalLine + 1}`
  }
}

/**
 * Microseconds by function, of what was sampled between two times. `self` of each; `own`: of each function of the
 * program, with what Node and native code did for it.
 */
export function timesOf({ nodes, samples, timeDeltas, startTime }, fromUs, toUs) {
  const nameOf = namer()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const isOwn = ({ id, callFrame: { url } }) => url.startsWith('file:') && !names.get(id).includes('node_modules/')
  const owners = new Map()
  const ownerOf = (id) => {
    if (!owners.has(id)) {
      const node = byId.get(id)
      const parent = parents.get(id)
      owners.set(id, isOwn(node) || parent === undefined ? names.get(id) : ownerOf(parent))
    }
    return owners.get(id)
  }
  const self = new Map()
  const own = new Map()
  const add = (times, name, us) => times.set(name, (times.get(name) ?? 0) + us)
  let at = startTime
  for (const [i, id] of samples.entries()) {
    at += timeDeltas[i]
    if (at < fromUs || at > toUs || names.get(id) === '(idle)') continue
    add(self, names.get(id), timeDeltas[i])
    add(own, ownerOf(id), timeDeltas[i])
  }
  return { self, own }
}

function table(lane, measured, { self, own }) {
  const all = [...self.values()].reduce((sum, us) => sum + us, 0)
  const perRequest = (us) => (us / 1_000 / measured.requests).toFixed(3)
  const rows = (title, times) => [
    `| ${title} | ms a request | share |`,
    '|---|--:|--:|',
    ...[...times]
      .sort(([, a], [, b]) => b - a)
      .slice(0, ROWS)
      .map(([name, us]) => `| ${name} | ${perRequest(us)} | ${((us / all) * 100).toFixed(1)} % |`),
    '',
  ]
  return [
    `## ${lane.title}`,
    '',
    `${measured.requests} requests, ${perRequest(all)} ms of the ` +
      `main thread each, ${measured.cpuPerRequest.toFixed(3)} ms of CPU`,
    '',
    ...rows('function', self),
    ...rows('function of the program, with what Node did for it', own),
  ].join('\n')
}

export async function profileLanes(lanes, upstream, { plain, say }) {
  const tables = []
  for (const lane of lanes) {
    say(lane.title)
    const folder = mkdtempSync(join(tmpdir(), 'onward-profile-'))
    try {
      const nodeArgs = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500']
      const engine = await startOnward('onward', upstream, { nodeArgs, more: plain ? nothingAdded : {} })
      await warmUp(engine, lane.entry, upstream)
      await warmLane(engine, lane, upstream)
      const measured = await cell(engine, lane, upstream)
      // Node writes the profile only as it ends by itself.
      await engine.stop()
      const profile = JSON.parse(readFileSync(join(folder, largest(folder)), 'utf8'))
      tables.push(table(lane, measured, timesOf(profile, measured.beganUs, measured.endedUs)))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return tables.join('\n')
}

/** Threads of the engine write profiles of their own. */
function largest(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  const size = (name) => readFileSync(join(folder, name)).length
  const [first] = files.sort((a, b) => size(b) - size(a))
  if (first === undefined) throw new Error('the engine wrote no profile')
  return first
}
