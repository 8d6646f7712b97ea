// `npm run walk -- --steps 200 [--agents claude,codex] [--places pane,hosted]`: a person at random in front of real
// agents, against what Onward shows and what the provider is asked. `ONWARD_SEED=…` walks the same way again.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '200' },
    agents: { type: 'string', default: '' },
    places: { type: 'string', default: 'pane' },
  },
})
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'walk'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      ONWARD_WALK: values.steps,
      ONWARD_WALK_AGENTS: values.agents,
      ONWARD_WALK_PLACES: values.places,
    },
  },
)
process.exitCode = status ?? 1
