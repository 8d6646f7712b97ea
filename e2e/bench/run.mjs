// `npm run bench`: Onward's pass-through and its conversion against bare node:http proxies in the same run, round by
// round in turn.
//   node e2e/bench/run.mjs [--rounds 5] [--only lane,figures-soak] [--peers] [--keep] [--node path]
//   node e2e/bench/run.mjs --write-docs     what README and docs show of the kept runs
//   node e2e/bench/run.mjs --profile [--plain] [--only lane]     where the engine's time goes (profile.mjs)
//   node e2e/bench/run.mjs --guard [out of the base] [--short] [--only lane] [--rounds 5]     is it worse? (guard.mjs)
// Own processes for upstream, proxies and load; proxies on CPU 1, the rest on CPU 0 where taskset is to be had.
// `--only` takes beginnings of ids of lanes and groups of figures. A run of everything is kept in results/, one for
// each major version of Node, and shown in README and docs; of one of some lanes or figures `--keep` puts them in the
// place of theirs there. `--node` runs all of it under another Node.
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { laneCells, warmUp } from './cell.mjs'
import { endTogether, pinned, start } from './children.mjs'
import { engineFigures } from './engine-figures.mjs'
import { guard, short } from './guard.mjs'
import { keepRun, stampOf } from './kept-runs.mjs'
import { lanes, targetsOf } from './lanes.mjs'
import { startPeers, takes, versionOf } from './peers.mjs'
import { runUnder } from './other-node.mjs'
import { profileLanes } from './profile.mjs'
import { report } from './report.mjs'
import { startTargets } from './targets.mjs'
import { writeDocs } from './write-docs.mjs'

const here = import.meta.dirname
const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`)
  return at > 0 ? process.argv[at + 1] : otherwise
}
const has = (name) => process.argv.includes(`--${name}`)
const ROUNDS = Number(option('rounds', 5))
const only = option('only')?.split(',')
const wanted = (id) => !only || only.some((one) => id.startsWith(one))
const say = (line) => process.stderr.write(`${line}\n`)

if (has('help')) {
  const usage = readFileSync(join(here, 'run.mjs'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('//   node'))
  process.stdout.write(
    `${usage.map((line) => line.slice(5)).join('\n')}\nlanes: ${lanes.map(({ id }) => id).join(', ')}\n`,
  )
  process.exit(0)
}

if (option('node')) {
  const at = process.argv.indexOf('--node')
  await runUnder(option('node'), process.argv[1], process.argv.toSpliced(at, 2).slice(2))
}
if (has('write-docs')) {
  writeDocs()
  process.exit(0)
}

endTogether()
const upstream = await start([join(here, 'upstream.mjs')], '0')
const chosen = lanes.filter((lane) => wanted(lane.id))

if (has('profile')) {
  process.stdout.write(await profileLanes(chosen, upstream, { plain: has('plain'), say }))
  process.exit(0)
}
if (has('guard')) {
  const base = option('guard')?.startsWith('--') ? undefined : option('guard')
  const shorter = has('short')
  const guarded = shorter && !only ? chosen.filter(({ id }) => short.lanes.includes(id)) : chosen
  const { text, worse } = await guard(guarded, base, upstream, { rounds: ROUNDS, ...(shorter ? short : {}), say })
  process.stdout.write(text)
  process.exit(worse > 0 && !shorter ? 1 : 0)
}

const targets = chosen.length > 0 ? await startTargets(upstream) : []
const peers = has('peers') && chosen.length > 0 ? await startPeers(upstream, say) : []
const speaks = (target, lane) => (target.peer ? takes(target.peer, lane) : targetsOf(lane).includes(target.name))

if (chosen.length > 0) say(`warming up, then ${chosen.length} lanes x ${ROUNDS} rounds`)
for (const entry of new Set(chosen.map((lane) => lane.entry)))
  for (const target of [...targets, ...peers].filter((one) => speaks(one, { entry })))
    await warmUp(target, entry, upstream)
const cells = []
for (const lane of chosen) {
  say(lane.title)
  const { measured, leftOut } = await laneCells(
    [...targets, ...peers].filter((one) => speaks(one, lane)),
    lane,
    upstream,
    { rounds: ROUNDS },
  )
  for (const { target, why } of leftOut) say(`${target} is left out: ${why}`)
  cells.push(...measured)
}
const engine = await engineFigures(wanted, upstream, say)
const stamp = stampOf(ROUNDS)
const measured = [...chosen.map(({ id }) => id), ...engine.map(({ group }) => group)]
const result = {
  node: process.version,
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  rounds: ROUNDS,
  pinned,
  peers: peers.map(({ name, peer }) => ({ name, version: versionOf(peer) })),
  stamps: Object.fromEntries(measured.map((id) => [id, stamp])),
  engine,
  cells,
}
if (!only || has('keep')) {
  keepRun(result, { partial: Boolean(only) })
  writeDocs()
}
process.stdout.write(report(result))
// 1: something could not be measured.
process.exit()
