// `npm run dev`: the dashboard with sample data, reloaded at every change of the page. What follows `--`:
//   --engine          on a real engine, built first; its home is a throw-away folder
//   --home DIR        on a real engine with this home
//   --port N          the page's port, 5173
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { buildIfStale } from './build-if-stale.mjs'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { engine: { type: 'boolean' }, home: { type: 'string' }, port: { type: 'string', default: '5173' } },
})
/** in reverse order, when the person ends it */
const ends = []

/** A control server over the scenes in memory. Vite reads its TypeScript, which Node 20 can't. */
async function sampleEngine() {
  const loader = await createServer({
    configFile: false,
    root,
    appType: 'custom',
    cacheDir: 'node_modules/.vite/sample-engine',
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { middlewareMode: true, hmr: false, ws: false },
  })
  const { startFakeEngine } = await loader.ssrLoadModule('/renderer/dev/fake-engine.ts')
  const engine = await startFakeEngine({ dir: root })
  ends.push(
    () => loader.close(),
    () => engine.dispose(),
  )
  return engine.url()
}

/** `onward serve` says its dashboard's link in its first line. */
async function realEngine() {
  buildIfStale()
  const home = values.home ?? mkdtempSync(join(tmpdir(), 'onward-dev-'))
  if (values.home === undefined) ends.push(() => rmSync(home, { recursive: true, force: true }))
  // An engine of its own beside the one that may serve this person's agents.
  const port = values.home === undefined ? ['--port', '0'] : []
  const child = spawn(process.execPath, ['bin/onward.mjs', 'serve', '--json', '--home', home, ...port], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((done) => child.once('close', done))
  ends.push(() => {
    child.kill()
    return ended
  })
  for await (const line of createInterface(child.stdout)) return JSON.parse(line).dashboard
  throw new Error('The engine ended before it was ready; what it printed stands above.')
}

const link = new URL(values.engine || values.home !== undefined ? await realEngine() : await sampleEngine())
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
