// A headless Chromium driven over the DevTools protocol: what Electron's renderer processes are to the real thing.
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const WebSocket = require('ws')

const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-startup-window', '--remote-debugging-port=0']

function startBrowser() {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'electron-double-'))
  const chromium = spawn(process.env.CHROMIUM_BIN || '/usr/bin/chromium', [...flags, `--user-data-dir=${profile}`], { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  const waiting = new Map()
  const targets = new Map()
  let socket
  let lastId = 0

  const reap = () => {
    try { process.kill(-chromium.pid, 'SIGKILL') } catch (error) { if (error.code !== 'ESRCH') process.stderr.write(`electron-double: ${error.message}\n`) }
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  process.on('exit', reap)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => process.exit(0))

  const ready = new Promise((resolve, reject) => {
    chromium.on('error', reject)
    chromium.stderr.on('data', (data) => {
      const address = /DevTools listening on (ws:\/\/\S+)/.exec(data)?.[1]
      if (!address) return
      socket = new WebSocket(address, { perMessageDeflate: false })
      socket.on('open', () => {
        // Playwright waits for this very line.
        process.stderr.write(`\nDevTools listening on ${address}\n`)
        resolve()
      })
      socket.on('message', (raw) => {
        const message = JSON.parse(raw)
        if (message.id) {
          const { ok, bad } = waiting.get(message.id)
          waiting.delete(message.id)
          if (message.error) bad(new Error(message.error.message))
          else ok(message.result)
        } else if (message.sessionId) targets.get(message.sessionId)?.(message)
      })
    })
  })
  const send = (method, params = {}, sessionId) => new Promise((ok, bad) => {
    const id = ++lastId
    waiting.set(id, { ok, bad })
    socket.send(JSON.stringify({ id, method, params, sessionId }))
  })
  return { ready, send, onTarget: (sessionId, listener) => targets.set(sessionId, listener) }
}
module.exports = { startBrowser }
