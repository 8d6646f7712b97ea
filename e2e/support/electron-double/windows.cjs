// BrowserWindow over one Chromium target each. Nothing is on a screen; what a screen would show is kept as state.
const { EventEmitter } = require('node:events')
const { strict } = require('./strict.cjs')
const { WebContents } = require('./web-contents.cjs')

const firstPlace = { x: 60, y: 60, width: 800, height: 600 }

function windowsOf({ browser, ipcMain, app }) {
  const open = new Set()

  class BrowserWindow extends EventEmitter {
    constructor(options = {}) {
      super()
      this.options = options
      this.bounds = {
        ...firstPlace,
        ...Object.fromEntries(Object.entries(options).filter(([key]) => key in firstPlace)),
      }
      this.state = {
        dead: false,
        visible: options.show !== false,
        focused: false,
        minimized: false,
        maximized: false,
        fullScreen: false,
      }
      this.webContents = new WebContents({
        browser,
        ipcMain,
        window: this,
        preload: options.webPreferences?.preload,
        bounds: this.bounds,
      })
      this.webContents.once('did-finish-load', () => this.emit('ready-to-show'))
      const self = strict('BrowserWindow', this)
      this.webContents.window = self
      open.add(self)
      app.emit('web-contents-created', {}, this.webContents)
      return self
    }
    set(change, event) {
      Object.assign(this.state, change)
      this.emit(event)
    }
    loadURL(url) {
      return this.webContents.loadURL(url)
    }
    show() {
      if (!this.state.visible) this.set({ visible: true }, 'show')
      this.focus()
    }
    hide() {
      this.blur()
      if (this.state.visible) this.set({ visible: false }, 'hide')
    }
    focus() {
      if (this.state.visible && !this.state.focused) this.set({ focused: true }, 'focus')
    }
    blur() {
      if (this.state.focused) this.set({ focused: false }, 'blur')
    }
    minimize() {
      this.blur()
      if (!this.state.minimized) this.set({ minimized: true }, 'minimize')
    }
    restore() {
      if (this.state.minimized) this.set({ minimized: false }, 'restore')
    }
    maximize() {
      if (!this.state.maximized) this.set({ maximized: true }, 'maximize')
    }
    setFullScreen(on) {
      if (on !== this.state.fullScreen) this.set({ fullScreen: on }, on ? 'enter-full-screen' : 'leave-full-screen')
    }
    isVisible() {
      return this.state.visible
    }
    isFocused() {
      return this.state.focused
    }
    isMinimized() {
      return this.state.minimized
    }
    isMaximized() {
      return this.state.maximized
    }
    isFullScreen() {
      return this.state.fullScreen
    }
    isDestroyed() {
      return this.state.dead
    }
    getNormalBounds() {
      return { ...this.bounds }
    }
    setBounds(bounds) {
      Object.assign(this.bounds, bounds)
      this.emit('resize')
    }
    close() {
      this.closeOrStay()
    }
    /** false: somebody prevented it */
    closeOrStay() {
      let prevented = false
      this.emit('close', {
        preventDefault: () => {
          prevented = true
        },
      })
      if (!prevented) this.destroy()
      return !prevented
    }
    destroy() {
      if (this.state.dead) return
      this.state.dead = true
      open.delete(this.webContents.window)
      this.webContents.end()
      this.emit('closed')
      if (open.size > 0) return
      if (app.listenerCount('window-all-closed') > 0) app.emit('window-all-closed')
      else app.quit()
    }
    static getAllWindows() {
      return [...open]
    }
    static fromWebContents(contents) {
      return contents?.window ?? null
    }
  }
  return {
    BrowserWindow,
    webContents: { fromDevToolsTargetId: (id) => [...open].find((w) => w.webContents.target === id)?.webContents },
  }
}
module.exports = { windowsOf }
