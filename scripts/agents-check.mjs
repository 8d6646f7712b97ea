// `npm run agents:check [-- --only claude,codex] [--versions claude=2.1.331,codex=pinned]`: the scenarios of the real
// agents against their newest versions, each installed by itself, apart from the pinned ones. Ends with a table.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { agents, installInto, readPinned } from './agents-check/install.mjs'
import { reportOf } from './agents-check/report.mjs'
import { wantedOf } from './agents-check/wanted.mjs'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, versions: { type: 'string', default: '' } },
})
const pinned = readPinned(join(root, 'e2e/agents'))
const wanted = wantedOf(values, pinned)
if ('problem' in wanted) {
  process.stderr.write(`${wanted.problem}\n`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'onward-agents-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const installed = installInto(folder, join(root, 'e2e/agents'), wanted.versions)
const ready = installed.filter((one) => one.problem === null)
const results = ready.length === 0 ? [] : runScenarios(ready.map((one) => one.client))
const { text, faults } = reportOf(installed, pinned, results)
process.stdout.write(`\n${text}\n`)
process.exitCode = faults === 0 ? 0 : 1

/** @returns each test, as vitest's JSON reporter tells it */
function runScenarios(clients) {
  const names = clients.map((client) => agents[client].name).join('|')
  const files = new Set(clients.flatMap((client) => agents[client].specs))
  const told = join(folder, 'results.json')
  const reporters = ['default', './e2e/support/summary-reporter.ts', 'json'].map((name) => `--reporter=${name}`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const chosen = ['run', '--project', 'e2e', '-t', `a real (?:${names})`]
  spawnSync(process.execPath, [vitest, ...chosen, ...reporters, `--outputFile.json=${told}`, ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ONWARD_AGENTS: folder },
  })
  return JSON.parse(readFileSync(told, 'utf8')).testResults.flatMap((file) => file.assertionResults)
}
