import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { aur } from './aur.mjs'
import { flatpak } from './flatpak.mjs'
import { homebrew } from './homebrew.mjs'
import { nix } from './nix.mjs'
import { schemastore } from './schemastore.mjs'
import { scoop } from './scoop.mjs'
import { winget } from './winget.mjs'

/** What each needs of the built files, and how it is made of the table: paths and texts. */
export const channels = { homebrew, winget, scoop, aur, nix, flatpak, schemastore }

/**
 * A folder for each channel whose files are all there.
 * @returns channel -> the files it lacks, where it lacks any
 */
export function writeChannels(table, to) {
  const lacking = {}
  for (const [channel, { needs, write }] of Object.entries(channels)) {
    const missing = needs.filter((kind) => table.files[kind] === undefined).map((kind) => table.names[kind])
    if (missing.length > 0) {
      lacking[channel] = missing
      continue
    }
    for (const [path, text] of Object.entries(write(table))) {
      mkdirSync(dirname(join(to, channel, path)), { recursive: true })
      writeFileSync(join(to, channel, path), text)
    }
  }
  return lacking
}
