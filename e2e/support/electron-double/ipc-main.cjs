const { EventEmitter } = require('node:events')

/** `ipcMain`; `answer` is the bridge's way in. */
function createIpcMain() {
  const handlers = new Map()
  return Object.assign(new EventEmitter(), {
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
}
module.exports = { createIpcMain }
