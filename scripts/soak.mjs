// `npm run soak -- --followups 1000 [--busy 2] [--beside 4] [--agents claude,codex]`: real agents in every kind of
// terminal, each followup counted at the provider. Ends by itself, with a table.
// `npm run soak -- --restarts 30 --every 20`: the engine under eight agents and 64 streams is restarted every 20 s.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    followups: { type: 'string', default: '150' },
    busy: { type: 'string', default: '0' },
    beside: { type: 'string', default: '3' },
    agents: { type: 'string', default: '' },
    restarts: { type: 'string', default: '' },
    every: { type: 'string', default: '20' },
  },
})
const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'soak']
const busy = [join(root, 'e2e/support/busy.mjs'), values.busy, '600', '--', process.execPath]
const { status, signal } = spawnSync(process.execPath, values.busy === '0' ? vitest : [...busy, ...vitest], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    ONWARD_SOAK: values.followups,
    ONWARD_SOAK_BESIDE: values.beside,
    ONWARD_SOAK_AGENTS: values.agents,
    ONWARD_SOAK_RESTARTS: values.restarts,
    ONWARD_SOAK_EVERY: values.every,
  },
})
process.exitCode = status ?? (signal ? 1 : 0)
