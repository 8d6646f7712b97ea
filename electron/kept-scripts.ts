import { createRequire } from 'node:module'
import { basename, dirname, sep } from 'node:path'
import { Script, constants } from 'node:vm'
import { readKept, reader, wrappedSource, writeKept } from './kept-code.ts'

const before = '(function (exports, require, module, __filename, __dirname) {'
const after = '\n})'

interface Loaded {
  exports: unknown
}
type Wrapped = (exports: unknown, require: NodeJS.Require, module: unknown, file: string, folder: string) => void

export interface KeptScriptsOptions {
  /** the folder of the program's files, CommonJS as they are built; what lies elsewhere is loaded as ever */
  own: string
  /** of what is kept; it exists */
  folder: string
  /** by which a program's files are loaded: Node's own table */
  extensions?: NodeJS.Dict<(module: NodeJS.Module, file: string) => unknown>
}

/**
 * Loads the program's files with V8's compiled code of an earlier start, as Node 22 and later do by themselves. V8
 * takes it from the same version with the same flags only, but checks neither the source, beyond its length, nor the
 * kept code, which a crash may have cut: both have a checksum here. Code that doesn't fit counts as not there.
 *
 * @returns a function that keeps the code compiled until now; files loaded later still run from kept code, but add
 * nothing to it
 */
export function keepScripts(options: KeptScriptsOptions): () => void {
  const ofProgram = createRequire(options.own + sep + 'x.js')
  const extensions = options.extensions ?? ofProgram.extensions
  const plain = extensions['.js']
  const fresh = new Map<string, { script: Script; sum: number }>()
  const { read, release } = reader()
  let saved = false

  const scriptOf = (file: string): Script => {
    const { text, sum } = wrappedSource(read, file, before, after)
    const kept = options.folder + sep + `${basename(file)}-${process.version}-${process.arch}`
    const cachedData = readKept(read, kept, sum)
    const script = new Script(text, {
      filename: file,
      // where an error points to is where it stands in the file
      columnOffset: -before.length,
      cachedData,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
    if (saved) release()
    else if (!cachedData || script.cachedDataRejected) fresh.set(kept, { script, sum })
    return script
  }

  // To find a file of the program there is nothing to look for, which is half of what Node does for each of dozens.
  const loaded = new Map<string, Loaded>()
  const load = (file: string, module: Loaded = { exports: {} }): unknown => {
    loaded.set(file, module)
    try {
      const run = scriptOf(file).runInThisContext() as Wrapped
      run.call(module.exports, module.exports, requireOwn, module, file, options.own)
      return module.exports
    } catch (error) {
      loaded.delete(file)
      throw error
    }
  }
  const requireOwn: NodeJS.Require = Object.assign((id: string): unknown => {
    if (!id.startsWith('./')) return ofProgram(id)
    const file = options.own + sep + id.slice(2)
    const known = loaded.get(file) ?? ofProgram.cache[file]
    return known ? known.exports : load(file)
  }, ofProgram)

  extensions['.js'] = (module, file) => {
    if (dirname(file) !== options.own) return plain?.(module, file)
    const known = loaded.get(file)
    if (known) module.exports = known.exports
    else load(file, module)
  }
  return () => {
    saved = true
    for (const [path, { script, sum }] of fresh) writeKept(path, sum, script.createCachedData())
    fresh.clear()
    release()
  }
}
