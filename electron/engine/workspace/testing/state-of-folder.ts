import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Every file and folder below one with its mode, size and time; links are not followed. */
export function stateOfFolder(folder: string): readonly string[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name)
      const { mode, size, mtimeMs, ctimeMs } = lstatSync(path)
      const own = `${path} ${mode} ${size} ${mtimeMs} ${ctimeMs}`
      return lstatSync(path).isDirectory() ? [own, ...stateOfFolder(path)] : [own]
    })
}
