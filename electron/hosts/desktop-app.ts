/**
 * The desktop app: one engine, its own or one it attaches to, with tray, window and notifications around it. Loaded by
 * main.ts.
 */
import { app, dialog, powerSaveBlocker, clipboard, shell } from 'electron'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join, resolve, dirname } from 'node:path'
import { version } from '../../package.json'
import { desktopHome, usualHome } from './desktop-home.ts'
import { attachToEngine } from './attached-engine.ts'
import { connectEngine } from './connect-engine.ts'
import { recordCrash, reportOf, type CrashContext, type KeptCrash } from '../crash/record-crash.ts'
import { noteUncleanEnd } from '../crash/unclean-end.ts'
import { watchCrashes } from '../crash/watch-crashes.ts'
import { OnwardError, messageOf, systemCodeOf } from '../engine/base/errors.ts'
import { checkOwnSocket } from '../engine/base/network/own-socket.ts'
import type { EngineHost } from '../engine/host.ts'
import { findRunningEngine } from '../engine/control/attach.ts'
import { pageOrigin } from '../engine/control/page-access.ts'
import { readControlToken } from '../engine/control/token.ts'
import { startEngine } from '../engine/engine.ts'
import { lastCrash } from '../engine/records/crash-shelf.ts'
import { systemProcesses } from '../engine/store/lock.ts'
import { createNodeHost } from './node-host.ts'
import { afterCrash, mayRestart, restartArgs } from '../shell/life/crash-restart.ts'
import { startDesktop, type Desktop } from '../shell/desktop.ts'
import type { EngineLink } from '../shell/life/engine-link.ts'
import { openMemory } from '../shell/system/memory.ts'
import { openedAtLogin } from '../shell/system/login-item.ts'
import { lastWords } from '../shell/life/last-words.ts'
import { listenForOpens, startsHidden } from '../shell/window/opens.ts'
import { sandboxPages } from '../shell/system/sandbox.ts'
import { electronUpdates } from '../shell/updates/electron-updater.ts'
import { desktopWords, type DesktopWords } from '../shell/words.ts'
import { installHere } from '../installed/install.ts'

const home = desktopHome(process.env)
const crashes: CrashContext = { home, version, env: process.env, now: () => Date.now() }
const startedAt = Date.now()
const words = () => desktopWords(app.getLocale().startsWith('zh') ? 'zh-CN' : 'en')
const port = process.env.ONWARD_PORT ? Number(process.env.ONWARD_PORT) : null

/** Does everything that has to come before Electron is ready. Never throws: an error is shown, and ends the app. */
export function startDesktopApp(): void {
  try {
    start()
  } catch (error) {
    void fail(error)
  }
}

function start(): void {
  watchCrashes('desktop', crashes, (crash) => void crashed(crash))
  app.setName('Onward')
  // Chromium's data lives with the home it belongs to; the single instance is one per home, too.
  const userData = join(home, 'desktop')
  mkdirSync(userData, { recursive: true, mode: 0o700 })
  app.setPath('userData', userData)
  // Windows shows notifications only of an app it knows by this name.
  if (process.platform === 'win32') app.setAppUserModelId('dev.onward.desktop')
  const sandboxed = sandboxPages(app)
  const opens = listenForOpens(app, process.argv)
  // The first instance gets `second-instance` and comes to the front.
  if (!app.requestSingleInstanceLock()) return app.quit()
  // Links of the system belong to the usual home; another one is for experiments.
  if (home === usualHome()) registerLinks()
  app
    .whenReady()
    .then(async () => {
      const hidden = startsHidden(process.argv) || openedAtLogin(app, process.platform)
      const desktop = await run(sandboxed, hidden)
      opens.deliverTo(desktop.open, hidden)
      if (process.argv.includes(afterCrash)) tellOfCrash()
    })
    .catch(fail)
}

async function run(sandboxed: boolean, hidden: boolean): Promise<Desktop> {
  const parts: { desktop: Desktop | null } = { desktop: null }
  await noteUncleanEnd(crashes)
  const { host, dispose } = await createNodeHost({
    home,
    env: process.env,
    version,
    notify: async (notice) =>
      parts.desktop?.notify(notice) ?? { kind: 'suppressed', why: 'the desktop is still starting' },
  })
  host.stayAwake = () => {
    const id = powerSaveBlocker.start('prevent-app-suspension')
    return { dispose: () => void powerSaveBlocker.stop(id) }
  }
  if (!sandboxed) host.log.warn({}, 'started with --no-sandbox: the page of the window is not sandboxed')
  const processes = systemProcesses()
  /** Agents keep the address they were started with, whichever engine answers there. */
  let lastPort: number | null = null
  const connect = async () => {
    const link = await connectEngine({
      clock: host.clock,
      log: host.log,
      version,
      port: port ?? lastPort,
      findRunning: () => findRunningEngine(home),
      async attach(info) {
        const token = await readControlToken(home)
        if (token === null) return null
        return (await isThere(info.socket)) ? attachToEngine(info, token) : null
      },
      alive: (pid) => processes.alive(pid),
      startOwn: (at) => ownEngine(host, at, () => parts.desktop?.quitNow()),
    })
    lastPort = Number(new URL(link.origin).port)
    return link
  }
  const here = installHere(fileURLToPath(import.meta.url), process.env)
  const [first, memory] = await Promise.all([connect(), openMemory(host)])
  return (parts.desktop = startDesktop({
    host,
    first,
    connect,
    memory,
    dispose,
    language: app.getLocale().startsWith('zh') ? 'zh-CN' : 'en',
    iconFolder: join(import.meta.dirname, '../../build/icons'),
    preload: join(import.meta.dirname, '../preload/preload.cjs'),
    hidden,
    version,
    install: here,
    updates: electronUpdates(here, version, host.log),
    pageCrashed: (why) => void recordCrash('window', why, crashes),
  }))
}

/** false: the engine that was to listen there has just ended. */
async function isThere(socket: string): Promise<boolean> {
  try {
    await checkOwnSocket(socket, home)
    return true
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return false
    throw error
  }
}

async function ownEngine(host: EngineHost, at: number | null, onHandOver: () => void): Promise<EngineLink> {
  const engine = await startEngine(host, { port: at, onHandOver })
  return {
    owned: true,
    origin: pageOrigin(engine.address),
    dashboardLink: async () => engine.dashboardLink(),
    follow: (signal) => engine.api.follow(signal),
    pause: (session) => engine.api.pause(session),
    resume: (session) => engine.api.resume(session),
    rearm: (session) => engine.api.rearmStopMessage(session),
    snoozeAlarm: (alarm, minutes) => engine.api.snoozeAlarm({ alarm, minutes }),
    cancelAlarm: (alarm) => engine.api.cancelAlarm(alarm),
    wokeUp: () => engine.wokeUp(),
    finish: () => engine.finish(),
    dispose: () => engine.dispose(),
  }
}

/** Unpacked, the program is Electron itself and the app its first argument. */
function registerLinks(): void {
  const [program = process.execPath, main] = process.argv
  if (process.defaultApp && main !== undefined) app.setAsDefaultProtocolClient('onward', program, [resolve(main)])
  else app.setAsDefaultProtocolClient('onward')
}

/** After an uncaught error the app is started once more, or says that it is not. */
async function crashed(crash: KeptCrash): Promise<void> {
  const again = mayRestart(process.argv, startedAt, Date.now())
  if (again) {
    const { APPIMAGE } = process.env
    app.relaunch({ args: restartArgs(process.argv), ...(APPIMAGE ? { execPath: APPIMAGE } : {}) })
    return app.exit(1)
  }
  const { crashedAgain: message, crashedAgainDetail: detail, quit: end } = words()
  const say = async () => (app.isReady() ? showCrash(words(), { message, detail, crash, end }) : undefined)
  await lastWords(say, () => app.exit(1))
}

function tellOfCrash(): void {
  const { crashed: message, crashedDetail: detail, close: end } = words()
  // The app runs, whether its last end can be shown or not.
  void lastWords(
    async () => {
      const crash = lastCrash(home)
      if (crash !== null) await showCrash(words(), { message, detail, crash, end })
    },
    () => undefined,
  )
}

/** It did not get as far as a window. */
async function fail(error: unknown): Promise<void> {
  const message = words().notStarted
  process.stderr.write(`onward: ${message}: ${messageOf(error)}\n`)
  const say = async () => {
    if (!app.isReady()) return dialog.showErrorBox(message, messageOf(error))
    const crash = OnwardError.isInstance(error)
      ? { report: reportOf('desktop', error, crashes), path: join(home, 'desktop') }
      : recordCrash('desktop', error, crashes)
    await showCrash(words(), { message, detail: messageOf(error), crash, end: words().quit })
  }
  await lastWords(say, () => app.exit(1))
}

interface CrashDialog {
  message: string
  detail: string
  crash: KeptCrash
  /** what ends it: “Quit” or “Close” */
  end: string
}

/** Says what happened; stays while the person copies the report or looks at the folder it is in. */
async function showCrash(words: DesktopWords, { message, detail, crash, end }: CrashDialog): Promise<void> {
  for (;;) {
    const { response } = await dialog.showMessageBox({
      type: 'error',
      // The clipboard's content is lost with this program, so it goes on until the person has it.
      buttons: [end, words.copyReport, words.openFolder],
      defaultId: 1,
      cancelId: 0,
      noLink: true,
      message,
      detail,
    })
    if (response === 1) clipboard.writeText(crash.report)
    else if (response === 2 && crash.path !== null) await shell.openPath(dirname(crash.path))
    else return
  }
}
