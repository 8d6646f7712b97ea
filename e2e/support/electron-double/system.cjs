// Tray, menus, notifications and the rest of the desktop, recorded so that specs can see and click them.
const { EventEmitter } = require('node:events')
const { existsSync } = require('node:fs')
const { strict } = require('./strict.cjs')

class Menu extends EventEmitter {
  constructor() {
    super()
    this.items = []
  }
  static buildFromTemplate(template) {
    for (const { label, role, type = 'normal' } of template) {
      if (label === undefined && role === undefined && type !== 'separator')
        throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type')
      if (!['normal', 'separator', 'submenu', 'checkbox', 'radio', 'header', 'palette'].includes(type))
        throw new Error(`Unknown menu item type: ${type}`)
    }
    const menu = new Menu()
    menu.items = template.map((item) => ({
      type: 'normal',
      enabled: true,
      ...item,
      submenu: Array.isArray(item.submenu) ? Menu.buildFromTemplate(item.submenu) : item.submenu,
    }))
    return menu
  }
  static setApplicationMenu(menu) {
    Menu.application = menu
  }
}
Menu.application = null

/** `DOUBLE_NO_TRAY`: making one fails. That a desktop shows none is not Electron's to tell. */
class Tray extends EventEmitter {
  constructor(image) {
    super()
    if (process.env.DOUBLE_NO_TRAY) throw new Error('no tray on this desktop')
    Object.assign(this, { image, menu: null, tooltip: '', destroyed: false })
    const self = strict('Tray', this)
    Tray.all.push(self)
    return self
  }
  setToolTip(text) {
    this.alive()
    this.tooltip = text
  }
  setContextMenu(menu) {
    this.alive()
    this.menu = menu
  }
  setImage(image) {
    this.alive()
    this.image = image
  }
  alive() {
    if (this.destroyed) throw new TypeError('Object has been destroyed')
  }
  destroy() {
    this.destroyed = true
    Tray.all.length = 0
  }
}
Tray.all = []

class Notification extends EventEmitter {
  constructor(options) {
    super()
    Object.assign(this, options)
    // Electron has no buttons on Linux (electron#24333); a spec of what they do asks for them.
    if (process.platform === 'linux' && !process.env.DOUBLE_BUTTONS) this.actions = []
    this.open = false
  }
  show() {
    Notification.shown.push(this)
    this.open = true
    queueMicrotask(() => this.emit('show', {}))
  }
  close() {
    if (!this.open) return
    this.open = false
    this.emit('close', {})
  }
  static isSupported() {
    return true
  }
}
/** every one that was ever shown; `open` says which still are */
Notification.shown = []

const imageOf = (file) =>
  strict('nativeImage', {
    file,
    template: false,
    isEmpty: () => !existsSync(file),
    setTemplateImage(on) {
      this.template = on
    },
  })
const nativeImage = strict('nativeImage', { createFromPath: imageOf })

const nativeTheme = strict(
  'nativeTheme',
  Object.assign(new EventEmitter(), { shouldUseDarkColors: false, shouldUseDarkColorsForSystemIntegratedUI: false }),
)
const workArea = { x: 0, y: 0, width: 1600, height: 1000 }
const screen = strict('screen', { getPrimaryDisplay: () => ({ workArea }), getAllDisplays: () => [{ workArea }] })
const shell = strict('shell', {
  opened: [],
  async openExternal(url) {
    this.opened.push(url)
  },
  /** `openPath` opens nothing; an empty answer says that it worked */
  files: [],
  async openPath(path) {
    this.files.push(path)
    return ''
  },
  revealed: [],
  showItemInFolder(path) {
    this.revealed.push(path)
  },
})
const clipboard = strict('clipboard', {
  text: '',
  writeText(text) {
    this.text = text
  },
})
const dialog = strict('dialog', {
  /** what was asked, and the button that answers; null: nobody answers */
  asked: [],
  answer: 0,
  async showMessageBox(options) {
    if (typeof options.message !== 'string') throw new TypeError('Message must be a string')
    if (options.detail !== undefined && typeof options.detail !== 'string')
      throw new TypeError('Detail must be a string')
    if (options.buttons !== undefined && !Array.isArray(options.buttons))
      throw new TypeError('Buttons must be an array')
    this.asked.push(options)
    if (this.answer === null) return new Promise(() => undefined)
    return { response: this.answer, checkboxChecked: false }
  },
  /** the folder that a person chooses; null: none */
  folder: null,
  folderAsked: [],
  async showOpenDialog(...args) {
    this.folderAsked.push(args.at(-1))
    return { canceled: this.folder === null, filePaths: this.folder === null ? [] : [this.folder] }
  },
  showErrorBox(title, content) {
    process.stderr.write(`electron-double: error box: ${title}: ${content}\n`)
    this.asked.push({ type: 'error', message: title, detail: content })
  },
})
const defaultSession = strict('session.defaultSession', {
  permissionRequest: null,
  permissionCheck: null,
  setPermissionRequestHandler(handler) {
    this.permissionRequest = handler
  },
  setPermissionCheckHandler(handler) {
    this.permissionCheck = handler
  },
  /** how often, and what: the browser underneath keeps what it has */
  cleared: [],
  async clearStorageData(options) {
    this.cleared.push(options)
  },
  async clearCache() {
    this.cleared.push('cache')
  },
})
/** One that is of the memory only; `cache: false` is what is asked of it here. */
const session = strict('session', { defaultSession, fromPartition: (name, options) => ({ name, ...options }) })
const powerMonitor = strict('powerMonitor', new EventEmitter())
let lastBlocker = 0
const powerSaveBlocker = strict('powerSaveBlocker', {
  /** what is kept from sleeping, by id */
  held: new Map(),
  start(type) {
    const id = ++lastBlocker
    this.held.set(id, type)
    return id
  },
  stop(id) {
    this.held.delete(id)
  },
})

module.exports = {
  Menu,
  Tray,
  Notification,
  nativeImage,
  nativeTheme,
  screen,
  shell,
  clipboard,
  dialog,
  session,
  powerMonitor,
  powerSaveBlocker,
}
