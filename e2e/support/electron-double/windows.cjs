// BrowserWindow and WebContents over one Chromium target each.
const { EventEmitter } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const { bridge } = require('./bridge.cjs')

function windowsOf({ browser, ipcMain, app }) {
  const open = new Set()

  class WebContents extends EventEmitter {
    constructor(window) { super(); this.window = window; this.openHandler = null }
    send(channel, ...args) { void this.window.started.then(() => browser.send('Runtime.evaluate', { expression: `__double_emit(${JSON.stringify(channel)}, ${JSON.stringify(args)})` }, this.window.session)) }
    getURL() { return this.window.url ?? '' }
    isDestroyed() { return this.window.dead }
    setWindowOpenHandler(handler) { this.openHandler = handler }
    close() { this.window.close() }
    focus() {}
  }

  class BrowserWindow extends EventEmitter {
    constructor(options = {}) {
      super()
      this.options = options
      this.dead = false
      this.visible = options.show !== false
      this.minimized = false
      this.webContents = new WebContents(this)
      open.add(this)
      this.started = browser.ready.then(() => this.start())
      queueMicrotask(() => app.emit('web-contents-created', {}, this.webContents))
    }
    async start() {
      const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', newWindow: true, width: this.options.width, height: this.options.height })
      const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
      this.target = targetId
      this.session = sessionId
      browser.onTarget(sessionId, (message) => void this.onMessage(message))
      for (const domain of ['Page', 'Runtime']) await browser.send(`${domain}.enable`, {}, sessionId)
      await browser.send('Runtime.addBinding', { name: '__double_ipc' }, sessionId)
      const preload = this.options.webPreferences?.preload
      await browser.send('Page.addScriptToEvaluateOnNewDocument', { source: bridge(preload ? fs.readFileSync(preload, 'utf8') : '') }, sessionId)
    }
    async onMessage({ method, params }) {
      if (method === 'Page.loadEventFired') this.emit('ready-to-show')
      if (method !== 'Runtime.bindingCalled' || params.name !== '__double_ipc') return
      const { id, channel, args } = JSON.parse(params.payload)
      const event = { sender: this.webContents, senderFrame: { url: this.url } }
      if (!id) { ipcMain.emit(channel, event, ...args); return }
      const { ok, value } = await ipcMain.answer(channel, event, args)
      await browser.send('Runtime.evaluate', { expression: `__double_reply(${id}, ${ok}, ${JSON.stringify(value ?? null)})` }, this.session)
    }
    async loadURL(url) { await this.started; this.url = url; await browser.send('Page.navigate', { url }, this.session) }
    loadFile(file) { return this.loadURL(String(pathToFileURL(path.resolve(file)))) }
    show() { this.visible = true; this.emit('show') }
    hide() { this.visible = false; this.emit('hide') }
    focus() { this.emit('focus') }
    minimize() { this.minimized = true; this.emit('minimize') }
    restore() { this.minimized = false; this.emit('restore') }
    isMinimized() { return this.minimized }
    isVisible() { return this.visible }
    isFocused() { return this.visible && !this.minimized }
    isDestroyed() { return this.dead }
    close() {
      let prevented = false
      this.emit('close', { preventDefault: () => { prevented = true } })
      if (!prevented) this.destroy()
    }
    destroy() {
      if (this.dead) return
      this.dead = true
      open.delete(this)
      void this.started.then(() => browser.send('Target.closeTarget', { targetId: this.target }))
      this.emit('closed')
      if (open.size === 0) app.emit('window-all-closed')
    }
    static getAllWindows() { return [...open] }
    static fromWebContents(contents) { return contents?.window ?? null }
  }
  return { BrowserWindow, webContents: { fromDevToolsTargetId: (id) => [...open].find((w) => w.target === id)?.webContents } }
}
module.exports = { windowsOf }
