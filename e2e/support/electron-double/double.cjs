/**
 * A stand-in for Electron's main process on machines that have no Electron binary. Not faithful for context isolation,
 * sandbox, asar, real trays, menus and dialogs, GPU and packaging; the same specs run on a real Electron where
 * ELECTRON_BIN names one.
 */
const { createApp } = require('./app.cjs')
const { createBrowser } = require('./browser.cjs')
const { createIpcMain } = require('./ipc-main.cjs')
const { net } = require('./net.cjs')
const { strict } = require('./strict.cjs')
const system = require('./system.cjs')
const { windowsOf } = require('./windows.cjs')

const browser = createBrowser()
const ipcMain = createIpcMain()
const app = createApp({ browser, windows: () => windows.BrowserWindow.getAllWindows() })
const windows = windowsOf({ browser, ipcMain, app })

const electron = strict('electron', {
  app,
  ipcMain: strict('ipcMain', ipcMain),
  ...windows,
  ...system,
  net,
  __isDouble: true,
})
module.exports = { electron }
