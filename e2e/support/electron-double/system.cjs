// Tray, menus, notifications and the rest of the desktop, recorded so that specs can see and click them.
const { EventEmitter } = require('node:events')
const { strict } = require('./strict.cjs')

class Menu {
  constructor() { this.items = [] }
  static buildFromTemplate(template) {
    const menu = new Menu()
    menu.items = template.map((item) => ({ type: 'normal', enabled: true, ...item, submenu: item.submenu && Menu.buildFromTemplate(item.submenu) }))
    return menu
  }
  static setApplicationMenu() {}
}

class Tray extends EventEmitter {
  constructor(image) {
    super()
    if (process.env.DOUBLE_NO_TRAY) throw new Error('no tray on this desktop')
    this.image = image
    Tray.all.push(this)
  }
  setToolTip(text) { this.tooltip = text }
  setContextMenu(menu) { this.menu = menu }
  setImage(image) { this.image = image }
  destroy() { Tray.all.splice(Tray.all.indexOf(this), 1) }
}
Tray.all = []

class Notification extends EventEmitter {
  constructor(options) { super(); Object.assign(this, options) }
  show() { Notification.shown.push(this); queueMicrotask(() => this.emit('show')) }
  close() { this.emit('close') }
  static isSupported() { return true }
}
Notification.shown = []

const image = (file) => ({ file, isEmpty: () => !file, setTemplateImage(on) { this.template = on } })
const nativeImage = strict('nativeImage', { createEmpty: () => image(''), createFromPath: (file) => image(file) })
const nativeTheme = Object.assign(new EventEmitter(), { shouldUseDarkColors: false })
const opened = []
const shell = strict('shell', { openExternal: async (url) => { opened.push(url) }, opened })
const clipboard = strict('clipboard', { text: '', writeText(text) { this.text = text }, readText() { return this.text } })
const asked = []
const dialog = strict('dialog', { asked, answer: 0, async showMessageBox(options) { asked.push(options); return { response: this.answer, checkboxChecked: false } }, showErrorBox(title, body) { asked.push({ title, body }) } })
const defaultSession = strict('session.defaultSession', {
  setPermissionRequestHandler(handler) { this.permissionRequest = handler },
  setPermissionCheckHandler(handler) { this.permissionCheck = handler },
  permissionRequest: null,
  permissionCheck: null,
})
const powerMonitor = new EventEmitter()

module.exports = { Menu, Tray, Notification, nativeImage, nativeTheme, shell, clipboard, dialog, session: strict('session', { defaultSession }), powerMonitor }
