// The runs that are kept in results/: one for each major version of Node, each lane and group of figures with the date
// and the commit it was measured at.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'results')
const fileOf = (version) => join(folder, `run-${version.split('.')[0]}.json`)
const versions = ['v20', 'v24']

/** @returns the kept runs, the oldest Node first */
export const keptRuns = () =>
  versions.map(fileOf).flatMap((file) => (existsSync(file) ? [JSON.parse(readFileSync(file, 'utf8'))] : []))

/** When something is measured, of which commit, and in how many rounds. */
export function stampOf(rounds) {
  const git = (...args) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout?.trim() ?? ''
  const changed = git('status', '--porcelain', '--untracked-files=no', ':!:results', ':!/docs', ':!/README.md') !== ''
  const commit = git('rev-parse', '--short=8', 'HEAD') || 'unknown'
  return { date: new Date().toISOString().slice(0, 10), commit: changed ? `${commit} and changes` : commit, rounds }
}

/** Keeps a run; of what is `partial`, in the place of the same lanes and figures of the kept one. */
export function keepRun(run, { partial }) {
  const file = fileOf(run.node)
  const before = partial && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
  const others = (before?.engine ?? []).filter(({ group }) => !(group in run.stamps))
  const cells = (before?.cells ?? []).filter(({ lane }) => !(lane in run.stamps))
  const kept = {
    ...run,
    peers: run.peers.length > 0 ? run.peers : (before?.peers ?? []),
    stamps: { ...before?.stamps, ...run.stamps },
    engine: [...others, ...run.engine],
    cells: [...cells, ...run.cells],
  }
  writeFileSync(file, `${JSON.stringify(kept)}\n`)
}
