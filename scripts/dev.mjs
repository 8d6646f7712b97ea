// `npm run dev`: the dashboard on a real engine, built first, reloaded at every change of the page. What follows `--`:
//   --home DIR        with this home; without it with a throw-away one in which agents have worked
//   --port N          the page's port, 5173
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { fillHome } from '../e2e/bench/many-sessions.mjs'
import { buildIfStale } from './build-if-stale.mjs'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { home: { type: 'string' }, port: { type: 'string', default: '5173' } },
})
/** in reverse order, when the person ends it */
const ends = []

/** Starts it, and asks for a link to its dashboard. */
async function startEngine() {
  buildIfStale()
  const home = values.home ?? mkdtempSync(join(tmpdir(), 'onward-dev-'))
  if (values.home === undefined) ends.push(() => rmSync(home, { recursive: true, force: true }))
  const env = values.home === undefined ? fillHome(home, 40) : {}
  // An engine of its own beside the one that may serve this person's agents.
  const port = values.home === undefined ? ['--port', '0'] : []
  const child = spawn(process.execPath, ['bin/onward.mjs', 'serve', '--json', '--home', home, ...port], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((done) => child.once('close', done))
  ends.push(() => {
    child.kill()
    return ended
  })
  for await (const _ of createInterface(child.stdout)) {
    const asked = spawnSync(process.execPath, ['bin/onward.mjs', 'dashboard', '--json', '--home', home], { cwd: root })
    return JSON.parse(asked.stdout.toString()).url
  }
  throw new Error('The engine ended before it was ready; what it printed stands above.')
}

const link = new URL(await startEngine())
const page = await createServer({
  configFile: false,
  root: join(root, 'renderer'),
  plugins: [react()],
  server: {
    port: Number(values.port),
    host: '127.0.0.1',
    fs: { allow: [root] },
    // The engine takes pages of its own address only.
    proxy: { '^/control$': { target: link.origin, ws: true, changeOrigin: true, rewriteWsOrigin: true } },
  },
})
await page.listen()
ends.push(() => page.close())
process.stdout.write(`Open http://127.0.0.1:${page.config.server.port}/${link.hash}\nEnd it with Ctrl C.\n`)

let ending = false
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, async () => {
    if (ending) return
    ending = true
    for (const end of ends.reverse()) await end()
    process.exit(0)
  })
