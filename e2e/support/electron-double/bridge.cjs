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
        invoke: (channel, ...args) => new Promise((ok, bad) => {
          const id = ++last
          waiting.set(id, { ok, bad })
          __double_ipc(JSON.stringify({ id, channel, args: structuredClone(args) }))
        }),
        send: (channel, ...args) => __double_ipc(JSON.stringify({ channel, args })),
        on: (channel, f) => { listeners.set(channel, [...(listeners.get(channel) || []), f]) },
      },
    }
    // A window that a page opens never comes to be, as under Electron with a handler that denies it. Closing one afterwards
    // will not do: while Playwright still holds it at its start, that leaves the page that opened it hanging.
    const opens = (url) => { __double_open(new URL(url ?? 'about:blank', document.baseURI).href); return null }
    globalThis.open = opens
    addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('a[target="_blank"]') : null
      if (link === null || event.defaultPrevented) return
      event.preventDefault()
      opens(link.href)
    })
    // What comes from a person (or a test's hand), which no script of the page can make.
    for (const [event, type] of [['mouseup', 'mouseUp'], ['keydown', 'rawKeyDown'], ['mousemove', 'mouseMove']])
      addEventListener(event, ({ isTrusted }) => { if (isTrusted) __double_input(type) }, true)
    const process = { platform: ${JSON.stringify(process.platform)} }
    const require = (name) => { if (name !== 'electron') throw new Error('a sandboxed preload may only require electron, not ' + name); return electron }
    const module = { exports: {} };
    (function (require, module, exports, process) { ${preload} })(require, module, module.exports, process)
  })()`
}
module.exports = { bridge }
