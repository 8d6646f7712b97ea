// WebContents: navigation and its guards, the preload's bridge, the page's end.
const { EventEmitter } = require('node:events')
const fs = require('node:fs')
const { bridge } = require('./bridge.cjs')
const { strict } = require('./strict.cjs')

/** Electron's errors of a failed load: the code is Chromium's name without its prefix. */
const loadError = (text, url) =>
  Object.assign(new Error(`${text.replace('net::', '')} loading '${url}'`), { code: text.replace('net::', ''), url })

class WebContents extends EventEmitter {
  constructor({ browser, ipcMain, window, preload, bounds }) {
    super()
    Object.assign(this, { browser, ipcMain, window, target: null, session: null, mainFrame: null })
    this.url = ''
    this.ended = false
    this.crashed = false
    this.openHandler = null
    /** while the app itself loads something, its navigation is not one of the page */
    this.loading = null
    this.started = this.start(preload, bounds)
    return strict('webContents', this)
  }

  async start(preload, { width, height }) {
    const { targetId } = await this.browser.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      width,
      height,
    })
    const { sessionId } = await this.browser.send('Target.attachToTarget', { targetId, flatten: true })
    this.target = targetId
    this.session = sessionId
    this.browser.onTarget(sessionId, (message) => this.onMessage(message))
    for (const domain of ['Page', 'Runtime', 'Inspector']) await this.cdp(`${domain}.enable`)
    await this.cdp('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] })
    for (const name of ['__double_ipc', '__double_open', '__double_input'])
      await this.cdp('Runtime.addBinding', { name })
    await this.cdp('Page.addScriptToEvaluateOnNewDocument', {
      source: bridge(preload ? fs.readFileSync(preload, 'utf8') : ''),
    })
    this.mainFrame = (await this.cdp('Page.getFrameTree')).frameTree.frame.id
  }

  /** What is still on its way when the page ends has nobody to tell. */
  cdp(method, params) {
    return this.browser.send(method, params, this.session).catch((error) => {
      if (!this.ended) throw error
      return {}
    })
  }

  onMessage({ method, params }) {
    switch (method) {
      case 'Page.frameNavigated':
        if (params.frame.parentId === undefined) this.url = params.frame.url + (params.frame.urlFragment ?? '')
        return
      case 'Page.navigatedWithinDocument':
        if (params.frameId !== this.mainFrame) return
        this.url = params.url
        return this.emit('did-navigate-in-page', {}, params.url, true)
      case 'Page.loadEventFired':
        this.crashed = false
        return this.emit('did-finish-load')
      case 'Inspector.targetCrashed':
        this.crashed = true
        return this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 })
      case 'Fetch.requestPaused':
        return void this.onNavigation(params)
      case 'Runtime.bindingCalled':
        if (params.name === '__double_input') return this.emit('input-event', {}, { type: params.payload })
        if (params.name === '__double_open') return this.onWindowOpen(params.payload)
        return params.name === '__double_ipc' ? void this.onIpc(JSON.parse(params.payload)) : undefined
    }
  }

  async onNavigation({ requestId, request, frameId, redirectedRequestId }) {
    let prevented = false
    const url = request.url + (request.urlFragment ?? '')
    const details = {
      url,
      isMainFrame: frameId === this.mainFrame,
      isSameDocument: false,
      preventDefault: () => {
        prevented = true
      },
    }
    if (redirectedRequestId !== undefined) this.emit('will-redirect', details, url)
    else if (details.isMainFrame && this.loading === null) this.emit('will-navigate', details, url)
    const answer = prevented
      ? this.cdp('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
      : this.cdp('Fetch.continueRequest', { requestId })
    await answer.catch((error) => {
      // Another navigation replaced it meanwhile.
      if (!error.message.startsWith('Invalid InterceptionId')) throw error
    })
  }

  /** No window comes of it (bridge.cjs): the handler may only deny it. */
  onWindowOpen(url) {
    const answer = this.openHandler
      ? this.openHandler({ url, frameName: '', features: '', disposition: 'foreground-tab' })
      : { action: 'allow' }
    if (answer.action !== 'deny') throw new Error('electron-double: windows opened by a page are not built')
  }

  async onIpc({ id, channel, args }) {
    const event = { sender: this, senderFrame: { url: this.url } }
    if (!id) return this.ipcMain.emit(channel, event, ...args)
    const { ok, value } = await this.ipcMain.answer(channel, event, args)
    await this.cdp('Runtime.evaluate', { expression: `__double_reply(${id}, ${ok}, ${JSON.stringify(value ?? null)})` })
  }

  /** Resolves when the page has loaded, or at once when only the fragment differs. */
  async loadURL(url) {
    await this.started
    const loaded = new Promise((resolve) => this.once('did-finish-load', resolve))
    this.loading = url
    try {
      const { errorText, loaderId } = await this.cdp('Page.navigate', { url })
      if (errorText) throw loadError(errorText, url)
      if (loaderId !== undefined) await loaded
    } finally {
      if (this.loading === url) this.loading = null
    }
  }

  send(channel, ...args) {
    void this.cdp('Runtime.evaluate', {
      expression: `__double_emit(${JSON.stringify(channel)}, ${JSON.stringify(args)})`,
    })
  }
  async executeJavaScript(expression) {
    const { result, exceptionDetails } = await this.cdp('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result?.value
  }
  getURL() {
    return this.url
  }
  isDestroyed() {
    return this.ended
  }
  isCrashed() {
    return this.crashed
  }
  setWindowOpenHandler(handler) {
    this.openHandler = handler
  }
  close() {
    this.window.close()
  }
  end() {
    this.ended = true
    void this.started
      .then(() => this.browser.send('Target.closeTarget', { targetId: this.target }))
      .catch(() => undefined)
  }
}
module.exports = { WebContents }
