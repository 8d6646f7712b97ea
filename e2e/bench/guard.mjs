// `npm run bench -- --guard [out of the base] [--short] [--only lane,lane]`: a build beside another one, in turn, round
// by round. The base runs twice: what those two differ by is noise, and more than that is worse. Both stand beside the
// bare reference as well. Without a folder both are built (base-build.mjs).
import { resolve } from 'node:path'
import { baseCommit, buildBase, buildHere, titleOf } from './base-build.mjs'
import { cell, warmUp } from './cell.mjs'
import { quantile } from './parts.mjs'
import { startOnward, startReference } from './targets.mjs'
import { program } from './onward.mjs'

/** A difference that a round of a busy machine may show though nothing differs, whatever was measured. */
const LEAST_NOISE = 0.05
/** Longer than a lane's own: two processes of one build must have compiled the same before they are compared. */
const WARM_MS = 8_000
/** For CI: some minutes, on a machine of which nothing is known; it prints what it saw and fails nothing. */
export const short = {
  lanes: ['json-2k-c64', 'json-200k-c1', 'agent-turn-c4', 'convert-200k-c4'],
  rounds: 2,
  warmMs: 3_000,
}

const n = (x) => x.toFixed(2)
const perUnit = (one) => one.cpuPerEvent ?? one.cpuPerRequest
const median = (values) => quantile(values, 0.5)

async function targetsFor(lane, builds, upstream, warmMs) {
  const targets = [
    { ...(await startReference(upstream, lane.entry)), name: 'reference' },
    await startOnward('base', upstream, { of: builds.base }),
    await startOnward('base again', upstream, { of: builds.base }),
    await startOnward('onward', upstream, { of: builds.now }),
  ]
  const warm = lane.requests ? lane : { ...lane, ms: warmMs }
  for (const target of targets) {
    await warmUp(target, lane.entry, upstream)
    await cell(target, warm, upstream)
  }
  return targets
}

/** Every lane has processes of its own: what an earlier one left compiled and in memory is no part of it. */
async function compare(lane, builds, upstream, { rounds, warmMs }) {
  const targets = await targetsFor(lane, builds, upstream, warmMs)
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

const main = (out) => resolve(out, 'main/onward.js')

function buildBoth(say) {
  const commit = baseCommit()
  say(`building ${titleOf(commit)}, and what stands here`)
  return { base: main(buildBase(commit)), now: main(buildHere()), name: titleOf(commit) }
}

/** `out`: of the base; without it both are built. @returns what was seen, and how many lanes are worse */
export async function guard(lanes, out, upstream, { rounds, warmMs = WARM_MS, say }) {
  const builds = out ? { base: main(out), now: program, name: out } : buildBoth(say)
  const lines = [
    `# This build beside ${builds.name}: CPU per request, or per event of a stream, ${rounds} rounds`,
    '',
    '| lane | base ÷ reference | now ÷ reference | now ÷ base | range | noise | |',
    '|---|--:|--:|--:|--:|--:|---|',
  ]
  let worse = 0
  let most = 0
  for (const lane of lanes) {
    say(lane.title)
    const { ratio, range, noise, before, now } = await compare(lane, builds, upstream, { rounds, warmMs })
    const isWorse = ratio > 1 + noise
    if (isWorse) worse++
    most = Math.max(most, noise)
    lines.push(
      `| ${lane.title} | ${n(before)} | ${n(now)} | ${n(ratio)} | ${range.map(n).join('–')} ` +
        `| ${n(noise)} | ${isWorse ? 'WORSE' : ratio < 1 - noise ? 'better' : 'same'} |`,
    )
    say(lines.at(-1))
  }
  lines.push(
    '',
    `The base beside itself differed by up to ${(most * 100).toFixed(0)} %: only what is beyond a lane's own noise ` +
      `counts. ${worse === 0 ? 'No lane is' : worse === 1 ? 'One lane is' : `${worse} lanes are`} worse.`,
  )
  return { text: `${lines.join('\n')}\n`, worse }
}
