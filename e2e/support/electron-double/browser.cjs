// A headless Chromium driven over the DevTools protocol: what Electron's renderer processes are to the real thing.
const { spawn } = require('node:child_process')
const { chromiumFlags, findChromium } = require('../chromium.cjs')

const flags = [
  ...chromiumFlags,
  '--no-startup-window',
  '--hide-scrollbars',
  // For Playwright, which wants an address.
  '--remote-debugging-port=0',
  // For us. When this process dies, however it dies, the pipe closes and Chromium ends: none is ever orphaned.
  '--remote-debugging-pipe',
]
function createBrowser() {
  const waiting = new Map()
  const targets = new Map()
  let pipe = null
  let lastId = 0

  const receive = (message) => {
    if (message.id === undefined) return targets.get(message.sessionId)?.(message)
    const { ok, bad } = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error) bad(new Error(message.error.message))
    else ok(message.result)
  }
  return {
    /** @param profile folder of what Chromium keeps */
    start(profile) {
      const program = findChromium()
      if (!program) return Promise.reject(new Error('no Chromium found (set CHROMIUM_BIN)'))
      const chromium = spawn(program, [...flags, `--user-data-dir=${profile}`], {
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      })
      process.on('exit', () => chromium.kill('SIGKILL'))
      pipe = chromium.stdio[3]
      pipe.on('error', (error) => process.stderr.write(`electron-double: the pipe to Chromium: ${error.message}\n`))
      lines(chromium.stdio[4], '\0', (text) => receive(JSON.parse(text)))
      return new Promise((resolve, reject) => {
        chromium.once('error', reject)
        chromium.once('exit', (code, signal) => {
          reject(new Error(`Chromium ended with ${code ?? signal} before it was ready`))
          for (const { bad } of waiting.values()) bad(new Error('Chromium has ended'))
        })
        lines(chromium.stderr, '\n', (line) => {
          if (!line.startsWith('DevTools listening on ws://')) return
          // Playwright waits for this very line.
          process.stderr.write(`\n${line}\n`)
          resolve()
        })
      })
    },
    send: (method, params = {}, sessionId = undefined) =>
      new Promise((ok, bad) => {
        const id = ++lastId
        waiting.set(id, { ok, bad })
        pipe.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
      }),
    onTarget: (sessionId, listener) => targets.set(sessionId, listener),
  }
}

function lines(stream, end, onLine) {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (data) => {
    const parts = (text + data).split(end)
    text = parts.pop()
    for (const part of parts) onLine(part)
  })
}
module.exports = { createBrowser }
