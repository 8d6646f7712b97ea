// `npm test`: set up, build once, run everything. Arguments go to vitest.
import { spawnSync } from 'node:child_process'
import { setUp } from './test-setup.mjs'

const { chromium } = setUp()
const env = { ...process.env, ...(chromium ? { CHROMIUM_BIN: chromium } : {}) }
const run = (file, ...args) => {
  const { status, signal } = spawnSync(process.execPath, [file, ...args], { stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? (signal ? 1 : 0))
}
run('node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn')
run('node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2))
