// The plots of a run, where README and docs/performance.md show them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { latencyPlot } from './latency-plot.mjs'
import { ratioPlot } from './ratio-plot.mjs'

const root = resolve(import.meta.dirname, '../../..')
const plots = { 'docs/plots/cpu.svg': ratioPlot, 'docs/plots/latency.svg': latencyPlot }

/** path -> picture, of those for which the run has figures */
export const plotsOf = (run) =>
  Object.fromEntries(
    Object.entries(plots).flatMap(([path, plot]) => {
      const drawn = plot(run)
      return drawn === null ? [] : [[path, drawn]]
    }),
  )

export function writePlots(run) {
  for (const [path, drawn] of Object.entries(plotsOf(run))) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), drawn)
  }
}
