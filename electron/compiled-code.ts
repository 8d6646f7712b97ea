import { promises as fs } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { makeFolders } from './engine/store/make-folders.ts'

/**
 * Has Node keep what V8 made of the program's files, so that the next start need not compile them again. In the home,
 * which only its owner can write: what stands there is run. Node 20 can't; it then starts as it did, and so it does
 * where the folder can't be made.
 */
export async function keepCompiledCode(
  home: string,
  version: string,
  enable: unknown = Reflect.get(nodeModule, 'enableCompileCache'),
): Promise<void> {
  if (typeof enable !== 'function') return
  const folder = join(home, 'compiled-code')
  try {
    await makeFolders(join(folder, version))
    enable(join(folder, version))
    await removeOthers(folder, version)
  } catch {
    // That it starts matters, not how soon; the host says right after this that the home can't be written.
  }
}

/** Each version has files of its own, which no other one reads. */
async function removeOthers(folder: string, version: string): Promise<void> {
  for (const name of await fs.readdir(folder))
    if (name !== version) await fs.rm(join(folder, name), { recursive: true, force: true })
}
