/** The page's side: contextBridge and ipcRenderer for a sandboxed preload, over one CDP binding. */
function bridge(preload) {
  return `(() => {
    const listeners = new Map(), waiting = new Map()
    let last = 0
    globalThis.__double_emit = (channel, args) => (listeners.get(channel) || []).forEach((f) => f({}, ...args))
    globalThis.__double_reply = (id, ok, value) => { const p = waiting.get(id); waiting.delete(id); ok ? p.ok(value) : p.bad(new Error(value)) }
    const wrap = (v) => typeof v === 'function' ? (...a) => v(...a.map((x) => typeof x === 'function' ? x : structuredClone(x)))
      : v && typeof v === 'object' ? Object.freeze(Object.fromEntries(Object.entries(v).map(([k, x]) => [k, wrap(x)]))) : v
    const electron = {
      contextBridge: { exposeInMainWorld: (name, api) => Object.defineProperty(globalThis, name, { value: wrap(api) }) },
      ipcRenderer: {
        invoke: (channel, ...args) => new Promise((ok, bad) => { const id = ++last; waiting.set(id, { ok, bad }); __double_ipc(JSON.stringify({ id, channel, args: structuredClone(args) })) }),
        send: (channel, ...args) => __double_ipc(JSON.stringify({ channel, args })),
        on: (channel, f) => { listeners.set(channel, [...(listeners.get(channel) || []), f]) },
      },
    }
    const process = { platform: ${JSON.stringify(process.platform)} }
    const require = (name) => { if (name !== 'electron') throw new Error('a sandboxed preload may only require electron, not ' + name); return electron }
    const module = { exports: {} };
    (function (require, module, exports, process) { ${preload} })(require, module, module.exports, process)
  })()`
}
module.exports = { bridge }
