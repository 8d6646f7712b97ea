// The desktop app on the Electron double, driven by Playwright as its specs do: the engine runs in its main process, or
// in one of its own that the app attaches to.
// That process has the CPU of the proxies for itself; its Chromium shares the other one, behind load and upstream.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { _electron } from 'playwright'
import { pinned, temporaryFolder } from './children.mjs'
import { program, writeConfig } from './onward.mjs'

const { findChromium } = createRequire(import.meta.url)('../support/chromium.cjs')
const double = resolve(import.meta.dirname, '../support/electron-double/electron')
const wait = (ms) => new Promise((done) => setTimeout(done, ms))

/** false: no Chromium to open a window in */
export const hasDesktop = () => findChromium() !== null

async function until(what, look) {
  const late = performance.now() + 30_000
  for (;;) {
    const found = await look()
    if (found) return found
    if (performance.now() > late) throw new Error(`${what}: not within 30 s`)
    await wait(50)
  }
}

const engineOf = (home) => {
  const file = join(home, 'engine.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

/** All processes below one, itself left out. */
export function below(pid) {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [[Number(name), Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ')[1])]]
      } catch {
        return [] // it has ended
      }
    })
  const found = [pid]
  for (const one of found) found.push(...parents.filter(([, parent]) => parent === one).map(([child]) => child))
  return found.slice(1)
}

/** What a page works is not asked here, so its browser gets what the others leave. */
export const putBehind = (pids) => pids.forEach((pid) => spawnSync('renice', ['-n', '19', '-p', String(pid)]))

/**
 * Starts it hidden, with its tray.
 * @param engine  runs in a process of its own: it is then what is measured, and the app its viewer
 */
export async function startDesktopHost(name, upstream, engine = null) {
  const home = engine?.home ?? temporaryFolder()
  if (!engine) writeConfig(home, upstream.port)
  const app = await _electron.launch({
    executablePath: double,
    args: [join(dirname(program), 'main.js'), '--hidden'],
    env: {
      ...process.env,
      ROUTECODEX_CLOCK_NTP: 'off',
      ONWARD_HOME: home,
      ONWARD_PORT: '0',
      ONWARD_TRAY: '1',
      DOUBLE_BUTTONS: '1',
      CHROMIUM_BIN: findChromium(),
    },
    timeout: 30_000,
  })
  const { pid } = app.process()
  const { port } = await until('the engine of the desktop', () => engineOf(home))
  await until('the desktop', () => app.evaluate(({ Menu }) => Menu.application !== null))
  if (pinned) spawnSync('taskset', ['-acp', '1', String(pid)])
  putBehind(below(pid))
  return {
    name,
    pid: engine?.pid ?? pid,
    port,
    async openWindow() {
      await app.evaluate(({ app }) => app.emit('second-instance', {}, [], '', undefined))
      const page = await app.firstWindow()
      await page.locator('.statusbar').waitFor()
      putBehind(below(pid))
    },
    /** Has the report of a page that crashed written every so often. @returns how to stop */
    async crashPages(everyMs) {
      await app.evaluate(({ BrowserWindow }, ms) => {
        const [window] = BrowserWindow.getAllWindows()
        const gone = { reason: 'crashed', exitCode: 5 }
        globalThis.benchCrashes = setInterval(() => window.webContents.emit('render-process-gone', {}, gone), ms)
      }, everyMs)
      return () => app.evaluate(() => clearInterval(globalThis.benchCrashes))
    },
    async close() {
      const child = app.process()
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await ended
    },
  }
}
