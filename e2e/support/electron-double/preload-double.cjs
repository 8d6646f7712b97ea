// Loaded before the app's main file: makes `electron` resolve to the double, for require and for import.
const { isMainThread } = require('node:worker_threads')

// `-r` files run again in the worker that module.register starts; a second double there would be an orphan.
if (isMainThread) {
  const Module = require('node:module')
  const { electron } = require('./double.cjs')
  globalThis.__electronDouble = electron
  process.versions.electron = '0.0.0-double'
  process.type = 'browser'
  process.defaultApp = true

  const isElectron = (name) => name === 'electron' || name === 'electron/main'
  const load = Module._load
  Module._load = function (request, ...rest) {
    return isElectron(request) ? electron : load.call(this, request, ...rest)
  }
  const names = Object.keys(electron).filter((name) => !name.startsWith('__'))
  const source = [
    'const e = globalThis.__electronDouble',
    'export default e',
    ...names.map((name) => `export const ${name} = e.${name}`),
  ].join('\n')
  const url = `data:text/javascript,${encodeURIComponent(source)}`
  const hook = `const isElectron = ${isElectron}
export const resolve = (specifier, context, next) => isElectron(specifier) ? { url: ${JSON.stringify(url)}, shortCircuit: true } : next(specifier, context)`
  Module.register(`data:text/javascript,${encodeURIComponent(hook)}`)
}
