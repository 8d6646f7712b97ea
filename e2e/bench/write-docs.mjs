// `npm run bench -- --write-docs`: everything that shows the kept runs. A test holds that it is what they give.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pageWith, readmeWith } from './doc-tables.mjs'
import { keptRuns } from './kept-runs.mjs'
import { latencyPlot } from './plots/latency-plot.mjs'
import { ratioPlot } from './plots/ratio-plot.mjs'

const root = resolve(import.meta.dirname, '../..')
const read = (path) => readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')

/** @returns path -> text, from the root of the repository */
export function writtenDocs() {
  const runs = keptRuns()
  const [first] = runs
  return {
    'docs/performance.md': pageWith(read('docs/performance.md'), runs),
    'README.md': readmeWith(read('README.md'), runs),
    'docs/plots/cpu.svg': ratioPlot(first),
    'docs/plots/latency.svg': latencyPlot(first),
  }
}

export function writeDocs() {
  for (const [path, text] of Object.entries(writtenDocs())) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
