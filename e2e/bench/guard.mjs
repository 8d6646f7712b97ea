// `npm run bench -- --guard <out of the base> [--only lane,lane]`: this build beside another one, in turn, round by
// round. The base runs twice: what those two differ by is noise, and more than that is worse. Both stand beside the
// bare reference as well.
import { resolve } from 'node:path'
import { cell, warmUp } from './cell.mjs'
import { quantile } from './parts.mjs'
import { startOnward, startReference } from './targets.mjs'

/** A difference that a round of a busy machine may show though nothing differs, whatever was measured. */
const LEAST_NOISE = 0.05
/** Longer than a lane's own: two processes of one build must have compiled the same before they are compared. */
const WARM_MS = 8_000

const n = (x) => x.toFixed(2)
const perUnit = (one) => one.cpuPerEvent ?? one.cpuPerRequest
const median = (values) => quantile(values, 0.5)

async function targetsFor(lane, of, upstream) {
  const targets = [
    { ...(await startReference(upstream, lane.entry)), name: 'reference' },
    await startOnward('base', upstream, { of }),
    await startOnward('base again', upstream, { of }),
    await startOnward('onward', upstream),
  ]
  const warm = lane.requests ? lane : { ...lane, ms: WARM_MS }
  for (const target of targets) {
    await warmUp(target, lane.entry, upstream)
    await cell(target, warm, upstream)
  }
  return targets
}

/** Every lane has processes of its own: what an earlier one left compiled and in memory is no part of it. */
async function compare(lane, of, upstream, rounds) {
  const targets = await targetsFor(lane, of, upstream)
  const seen = Object.fromEntries(targets.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const target of round % 2 ? targets.toReversed() : targets)
      seen[target.name].push(perUnit(await cell(target, lane, upstream)))
  for (const target of targets) await target.stop()
  const base = seen.base.map((cpu, i) => (cpu + seen['base again'][i]) / 2)
  const to = (of, by) => of.map((cpu, i) => cpu / by[i])
  const ratios = to(seen.onward, base)
  return {
    ratio: median(ratios),
    range: [Math.min(...ratios), Math.max(...ratios)],
    noise: Math.max(LEAST_NOISE, Math.abs(median(to(seen.base, seen['base again'])) - 1)),
    before: median(to(base, seen.reference)),
    now: median(to(seen.onward, seen.reference)),
  }
}

export async function guard(lanes, base, upstream, { rounds, say }) {
  const of = resolve(base, 'main/onward.js')
  const lines = [
    `# This build beside ${base}: CPU per request, or per event of a stream, ${rounds} rounds`,
    '',
    '| lane | base ÷ reference | now ÷ reference | now ÷ base | range | noise | |',
    '|---|--:|--:|--:|--:|--:|---|',
  ]
  let worse = 0
  for (const lane of lanes) {
    say(lane.title)
    const { ratio, range, noise, before, now } = await compare(lane, of, upstream, rounds)
    const isWorse = ratio > 1 + noise
    if (isWorse) worse++
    lines.push(
      `| ${lane.title} | ${n(before)} | ${n(now)} | ${n(ratio)} | ${range.map(n).join('–')} ` +
        `| ${n(noise)} | ${isWorse ? 'WORSE' : ratio < 1 - noise ? 'better' : 'same'} |`,
    )
    say(lines.at(-1))
  }
  return { text: `${lines.join('\n')}\n`, worse }
}
