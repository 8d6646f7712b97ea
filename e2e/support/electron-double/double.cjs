/**
 * A stand-in for Electron's main process on machines that have no Electron binary. It is not faithful for context
 * isolation, sandbox, asar, real trays, menus and dialogs, the single-instance lock, or packaging; the same specs
 * run on a real Electron where ELECTRON_BIN names one.
 */
const { EventEmitter } = require('node:events')
const os = require('node:os')
const path = require('node:path')
const { startBrowser } = require('./browser.cjs')
const { strict } = require('./strict.cjs')
const system = require('./system.cjs')
const { windowsOf } = require('./windows.cjs')

const browser = startBrowser()
let ready = false

const app = Object.assign(new EventEmitter(), {
  isPackaged: false,
  whenReady: () => browser.ready.then(() => undefined),
  isReady: () => ready,
  getName: () => 'Onward',
  getVersion: () => '0.0.0-double',
  getPath: (name) => (name === 'home' ? os.homedir() : path.join(os.tmpdir(), `electron-double-${name}`)),
  getAppPath: () => process.cwd(),
  getLocale: () => 'en',
  setName() {},
  setAppUserModelId() {},
  setAsDefaultProtocolClient: () => true,
  requestSingleInstanceLock: () => !process.env.DOUBLE_SECOND_INSTANCE,
  commandLine: { appendSwitch() {}, hasSwitch: () => false },
  dock: undefined,
  quit() {
    let prevented = false
    app.emit('before-quit', { preventDefault: () => { prevented = true } })
    if (prevented) return
    app.emit('will-quit', { preventDefault() {} })
    setTimeout(() => process.exit(0), 20)
  },
  exit: (code = 0) => process.exit(code),
})
browser.ready.then(() => { ready = true; app.emit('ready', {}, {}) }, (error) => { process.stderr.write(`electron-double: ${error.message}\n`); process.exit(1) })

const handlers = new Map()
const ipcMain = Object.assign(new EventEmitter(), {
  handle(channel, handler) {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    handlers.set(channel, handler)
  },
  removeHandler: (channel) => handlers.delete(channel),
  async answer(channel, event, args) {
    try {
      if (!handlers.has(channel)) throw new Error(`No handler registered for '${channel}'`)
      return { ok: true, value: await handlers.get(channel)(event, ...args) }
    } catch (error) {
      return { ok: false, value: `Error invoking remote method '${channel}': ${error}` }
    }
  },
})
const electron = strict('electron', { app: strict('app', app), ipcMain, ...windowsOf({ browser, ipcMain, app }), ...system, __isDouble: true })
module.exports = { electron }
