// `app`: start, one instance, the order in which it quits.
const { spawn } = require('node:child_process')
const { EventEmitter } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { takeInstanceLock } = require('./instance-lock.cjs')
const { strict } = require('./strict.cjs')

/** What macOS and Windows say of one app. */
function loginItem() {
  let openAtLogin = false
  return {
    getLoginItemSettings: () => ({
      openAtLogin,
      wasOpenedAtLogin: false,
      status: openAtLogin ? 'enabled' : 'not-registered',
      executableWillLaunchAtLogin: openAtLogin,
      launchItems: [],
    }),
    setLoginItemSettings(to) {
      openAtLogin = to.openAtLogin ?? false
    },
  }
}

function createApp({ browser, windows }) {
  const packaged = process.env.DOUBLE_RESOURCES
  if (packaged) process.resourcesPath = packaged
  const paths = { home: os.homedir(), temp: os.tmpdir() }
  let name = 'Electron'
  let started = null
  let ready = false
  let quitting = false

  const start = async () => {
    paths.userData ??= fs.mkdtempSync(path.join(os.tmpdir(), 'electron-double-'))
    await browser.start(path.join(paths.userData, 'chromium'))
    ready = true
    app.emit('ready', {}, {})
  }
  const prevented = (emitter, event, ...args) => {
    let prevented = false
    emitter.emit(
      event,
      {
        preventDefault: () => {
          prevented = true
        },
      },
      ...args,
    )
    return prevented
  }
  const app = Object.assign(new EventEmitter(), {
    // Of an installed app everything lies in an archive; here, in the folder it was unpacked to.
    isPackaged: packaged !== undefined || process.env.DOUBLE_PACKAGED === '1',
    dock: undefined,
    commandLine: strict('app.commandLine', { appendSwitch() {}, hasSwitch: () => false }),
    getName: () => name,
    setName(next) {
      name = next
    },
    getVersion: () => (packaged ? manifestOf(process.argv[1]).version : '0.0.0-double'),
    getLocale: () => (ready ? (process.env.DOUBLE_LOCALE ?? 'en-US') : ''),
    // A main file given as an argument makes its own folder the app's path.
    getAppPath: () => path.dirname(path.resolve(process.argv[1])),
    getPath(which) {
      if (!(which in paths)) throw new Error(`electron-double: app.getPath('${which}') is not built`)
      return paths[which]
    },
    setPath(which, to) {
      if (!fs.existsSync(to)) throw new Error(`Failed to set path: ${to} does not exist`)
      paths[which] = to
    },
    setAppUserModelId() {},
    sandboxed: false,
    enableSandbox() {
      if (ready) throw new Error('app.enableSandbox() can only be called before app is ready')
      app.sandboxed = true
    },
    protocolClients: [],
    setAsDefaultProtocolClient(protocol, ...how) {
      app.protocolClients.push([protocol, ...how])
      return true
    },
    requestSingleInstanceLock: () =>
      takeInstanceLock(paths.userData, (argv, folder) => app.emit('second-instance', {}, argv, folder, undefined)),
    // Linux has none: there the app writes an entry for the desktop itself.
    ...(process.platform === 'linux' ? {} : loginItem()),
    isReady: () => ready,
    whenReady() {
      started ??= start().catch((error) => {
        process.stderr.write(`electron-double: ${error.stack}\n`)
        process.exit(1)
      })
      return started
    },
    /** before-quit, every window's close, will-quit, quit; whoever prevents one of them stays */
    quit() {
      if (quitting) return
      quitting = true
      setImmediate(() => {
        const stays =
          prevented(app, 'before-quit') ||
          windows().some((window) => !window.closeOrStay()) ||
          prevented(app, 'will-quit')
        quitting = false
        if (!stays) app.exit(0)
      })
    },
    /** every time it was asked for, as it was asked */
    relaunched: [],
    relaunch(options = {}) {
      app.relaunched.push(options)
      const { execPath = process.env.DOUBLE_PROGRAM, args = process.argv.slice(1) } = options
      // The next one comes when this one has gone.
      process.once('exit', () => {
        const wait = `while kill -0 ${process.pid} 2>/dev/null; do sleep 0.05; done; exec "$@"`
        spawn('sh', ['-c', wait, 'sh', execPath, ...args], { detached: true, stdio: 'ignore' }).unref()
      })
    },
    exit(code = 0) {
      app.emit('quit', {}, code)
      process.exit(code)
    },
  })
  // Electron turns these into a quit, unless the app listens itself.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    const quit = () => {
      if (process.listenerCount(signal) === 1) app.quit()
    }
    process.on(signal, quit)
  }
  return strict('app', app)
}
/** Of the app that a main file belongs to: the one that names a main file. Those below say how Node reads a folder. */
function manifestOf(main) {
  for (let folder = path.dirname(path.resolve(main)); ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json')
    const manifest = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {}
    if (manifest.main) return manifest
  }
}
module.exports = { createApp }
