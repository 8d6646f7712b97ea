import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { systemCodeOf } from '../engine/base/errors.ts'

/** Node 22.8 and later can. */
const ofNode: unknown = Reflect.get(nodeModule, 'enableCompileCache')

/**
 * Has Node keep V8's compiled code of the program's files, so that the next start need not compile them again: in the
 * home, which only its owner can write, for the code there is run. Each version has a folder of its own. Where it can't
 * be made the program starts as it would without.
 */
export function keepCompiledCode(home: string, version: string, enable = ofNode): void {
  if (typeof enable !== 'function') return
  const folder = join(home, 'compiled-code')
  const own = join(folder, version)
  try {
    for (const one of [home, folder, own]) makeFolder(one)
    enable(own)
    for (const name of readdirSync(folder))
      if (name !== version) rmSync(join(folder, name), { recursive: true, force: true })
  } catch {
    // The start matters, not its speed; the host says right after this that the home can't be written.
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error
  }
}
