// `net.request`, by Node's own HTTP. Chromium's proxies, certificates and cache are not in it.
const { EventEmitter } = require('node:events')
const http = require('node:http')
const https = require('node:https')
const { strict } = require('./strict.cjs')

/** `redirect: 'manual'`, as it is used here: whoever asked hears of it and asks anew. */
class ClientRequest extends EventEmitter {
  constructor({ protocol, hostname, port, path, method = 'GET', headers, redirect }) {
    super()
    if (redirect !== undefined && redirect !== 'manual')
      throw new Error(`electron-double: redirect ${redirect} is not built`)
    const by = protocol === 'https:' ? https : http
    this.inner = by.request({ protocol, hostname, port, path, method, headers }, (response) => {
      const { statusCode, headers } = response
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.resume()
        return this.emit('redirect', statusCode, method, new URL(headers.location, this.url).href, headers)
      }
      this.emit('response', response)
    })
    this.url = `${protocol}//${hostname}:${port ?? ''}${path}`
    this.inner.on('error', (error) => this.emit('error', error))
    return strict('net.request', this)
  }
  end(body) {
    this.inner.end(body)
  }
  abort() {
    this.inner.destroy()
    this.emit('abort')
  }
}
const net = strict('net', { request: (options) => new ClientRequest(options) })
module.exports = { net }
