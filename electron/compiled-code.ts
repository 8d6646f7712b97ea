import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { freeCompilerAtOnce } from './compiler-memory.ts'
import { keepScripts } from './kept-scripts.ts'
import { systemCodeOf } from './engine/base/errors.ts'
import { limitOldGeneration } from './old-generation.ts'
import { makeAllObjectsYoung } from './young-generation.ts'

/** A Node's own functions for it; 22 and later have both. */
interface Does {
  enableCompileCache?: ((folder: string) => unknown) | undefined
  flushCompileCache?: (() => void) | undefined
}

const ofNode: Does = {
  enableCompileCache: Reflect.get(nodeModule, 'enableCompileCache'),
  flushCompileCache: Reflect.get(nodeModule, 'flushCompileCache'),
}

/**
 * Has V8's compiled code of the program's files kept, so that the next start need not compile them again. It is kept in
 * the home, which only its owner can write: the code there is run. Node does it where it can, and for Node 20 we do.
 * Where the folder can't be made it starts as it would without.
 *
 * It waits for nothing: the desktop app has to speak before Electron is ready.
 *
 * @param own the folder of the program's files
 * @returns a function that writes the code compiled until now, if nothing is kept yet: best when all is started, since
 * V8 forgets code that it compiled for a start and never needs again. `late` is loaded before that: parts that a start
 * doesn't need, but a caller waits for later, and that would be gone by then where an update replaces the program's
 * files under it.
 */
export function keepCompiledCode(
  home: string,
  version: string,
  own: string,
  node = ofNode,
): (late: () => Promise<unknown>) => Promise<void> {
  // V8 takes kept code only where its flags are what they were, so all that we set are set before it is read.
  makeAllObjectsYoung()
  limitOldGeneration()
  freeCompilerAtOnce()
  const folder = join(home, 'compiled-code')
  const ofVersion = join(folder, version)
  try {
    for (const one of [home, folder, ofVersion]) makeFolder(one)
    const { enableCompileCache, flushCompileCache } = node
    const save = enableCompileCache ? flushCompileCache : keepScripts({ own, folder: ofVersion })
    enableCompileCache?.(ofVersion)
    removeOthers(folder, version)
    return async (late) => {
      // A part that can't be loaded fails again when it is needed.
      await late().catch(() => undefined)
      save?.()
    }
  } catch {
    // The start matters, not its speed; the host says right after this that the home can't be written.
    return async () => undefined
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error
  }
}

/** Each version has files of its own, which no other one reads. */
function removeOthers(folder: string, version: string): void {
  for (const name of readdirSync(folder))
    if (name !== version) rmSync(join(folder, name), { recursive: true, force: true })
}
