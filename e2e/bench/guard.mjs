// `npm run bench -- --guard <out of the base> [--only lane,lane]`: this build beside another one, in turn, round by
// round. The base runs twice: what those two differ by is noise, and more than that is worse.
import { join, resolve } from 'node:path'
import { cell, warmLane, warmUp } from './cell.mjs'
import { quantile } from './parts.mjs'
import { startOnward } from './targets.mjs'

/** A difference that a round of a busy machine may show though nothing differs, whatever was measured. */
const LEAST_NOISE = 0.05

const n = (x) => x.toFixed(2)
const perUnit = (one) => one.cpuPerEvent ?? one.cpuPerRequest

export async function guard(lanes, base, upstream, { rounds, say }) {
  const of = resolve(base, 'main/onward.js')
  const targets = [
    await startOnward('base', upstream, { of }),
    await startOnward('base again', upstream, { of }),
    await startOnward('onward', upstream),
  ]
  for (const entry of new Set(lanes.map((lane) => lane.entry)))
    for (const target of targets) await warmUp(target, entry, upstream)
  const lines = [
    `# This build beside ${join(base)}, CPU per request ÷ the base's, ${rounds} rounds`,
    '',
    '| lane | ratio | range | noise | |',
    '|---|--:|--:|--:|---|',
  ]
  let worse = 0
  for (const lane of lanes) {
    say(lane.title)
    for (const target of targets) await warmLane(target, lane, upstream)
    const seen = { base: [], 'base again': [], onward: [] }
    for (let round = 0; round < rounds; round++)
      for (const target of round % 2 ? targets.toReversed() : targets)
        seen[target.name].push(perUnit(await cell(target, lane, upstream)))
    const between = (i) => (seen.base[i] + seen['base again'][i]) / 2
    const ratios = seen.onward.map((cpu, i) => cpu / between(i))
    const noise = Math.max(LEAST_NOISE, ...seen.base.map((cpu, i) => Math.abs(cpu / seen['base again'][i] - 1)))
    const ratio = quantile(ratios, 0.5)
    const isWorse = ratio > 1 + noise
    if (isWorse) worse++
    lines.push(
      `| ${lane.title} | ${n(ratio)} | ${n(Math.min(...ratios))}–${n(Math.max(...ratios))} | ${n(noise)} | ${isWorse ? 'WORSE' : ratio < 1 - noise ? 'better' : 'same'} |`,
    )
  }
  return { text: `${lines.join('\n')}\n`, worse }
}
