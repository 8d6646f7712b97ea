import { isAscii } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Script, constants } from 'node:vm'
import { crc32 } from 'node:zlib'

const before = '(function (exports, require, module, __filename, __dirname) {'
const after = '\n})'
/** checksums of the source and of what is kept of it */
const HEAD_BYTES = 8

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
 * Loads the program's files with what V8 made of them in an earlier start, as Node 22 and later do by themselves. V8
 * takes it from the same version with the same flags only, but checks neither the source, beyond its length, nor what
 * is kept, which a crash may have cut: both have a checksum here. What doesn't fit counts as not there.
 *
 * @returns keeps what was compiled until now; what comes later is still run from what is kept, but keeps nothing more
 */
export function keepScripts(options: KeptScriptsOptions): () => void {
  const extensions = options.extensions ?? createRequire(join(options.own, 'x.js')).extensions
  const plain = extensions['.js']
  const fresh = new Map<string, { script: Script; sum: number }>()
  const { read, release } = reader()
  let saved = false
  extensions['.js'] = (module, file) => {
    if (dirname(file) !== options.own) return plain?.(module, file)
    const { text, sum } = wrappedSource(read, file)
    const kept = join(options.folder, `${basename(file)}-${process.version}-${process.arch}`)
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
    const run = script.runInThisContext() as Wrapped
    run.call(module.exports, module.exports, createRequire(file), module, file, options.own)
  }
  return () => {
    saved = true
    for (const [path, { script, sum }] of fresh) writeKept(path, sum, script.createCachedData())
    fresh.clear()
    release()
  }
}

type Read = (path: string, leading?: string, trailing?: string) => Buffer

/**
 * Reads files with something before and behind what is in them. Good until the next file is read: all share one piece
 * of memory, which would otherwise stay with an idle engine, megabytes of it.
 */
function reader(): { read: Read; release(): void } {
  const none = Buffer.alloc(0)
  let shared = none
  const read: Read = (path, leading = '', trailing = '') => {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      const whole = leading.length + size + trailing.length
      if (shared.length < whole) shared = Buffer.allocUnsafeSlow(whole)
      let end = shared.write(leading, 'latin1')
      for (let got = 1; got > 0 && end < leading.length + size; end += got)
        got = readSync(file, shared, end, leading.length + size - end, null)
      end += shared.write(trailing, end, 'latin1')
      return shared.subarray(0, end)
    } finally {
      closeSync(file)
    }
  }
  return { read, release: () => void (shared = none) }
}

/** In one piece, so that V8 need not put it together, and taken as it is where each byte is a sign. */
function wrappedSource(read: Read, file: string): { text: string; sum: number } {
  const bytes = read(file, before, after)
  return { text: bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'), sum: crc32(bytes) }
}

function readKept(read: Read, path: string, sum: number): Buffer | undefined {
  try {
    const all = read(path)
    const data = all.subarray(HEAD_BYTES)
    return all.readUInt32LE(0) === sum && all.readUInt32LE(4) === crc32(data) ? data : undefined
  } catch {
    return undefined
  }
}

/** One that can't be written is compiled again. */
function writeKept(path: string, sum: number, data: Buffer): void {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(sum, 0)
  head.writeUInt32LE(crc32(data), 4)
  const unfinished = `${path}.${process.pid}`
  try {
    writeFileSync(unfinished, Buffer.concat([head, data]), { mode: 0o600 })
    renameSync(unfinished, path)
  } catch {
    // Said by what the engine itself can't write there.
  }
}
