import { promises as fs } from 'node:fs'
import { locate, type Confines } from './confine.ts'
import { openToRead } from './read-start.ts'
import { isAtPlace, pathOfOpen } from './open-inside.ts'

export interface Entry {
  name: string
  kind: 'folder' | 'file' | 'link' | 'other'
}
/** Entries of a folder, which is given relative to the session's: folders first, by name. Empty if it can't be read. */
export type Entries = (path: string) => Promise<readonly Entry[]>

/** Entries read of one folder; one with more is no source code. */
const mostOfOne = 5_000

/** As the disk has it, without what tools fill. */
export const entriesOnDisk =
  (confines: Confines): Entries =>
  async (path) => {
    const place = await locate(confines, path)
    if (!place.ok || place.kind !== 'folder') return []
    try {
      const handle = process.platform === 'win32' ? null : await openToRead(place.real)
      try {
        if (handle !== null && !(await isAtPlace(handle, confines, place))) return []
        const open = handle === null ? null : await pathOfOpen(handle)
        const found = await entriesIn(open?.path ?? place.real)
        if (open !== null) return sorted(found)
        // Read by its name, it may have been swapped for a link outside meanwhile.
        const again = await locate(confines, path)
        return again.ok && again.real === place.real ? sorted(found) : []
      } finally {
        await handle?.close()
      }
    } catch {
      // not readable, or gone meanwhile: nothing there is to be shown
      return []
    }
  }

async function entriesIn(path: string): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const one of await fs.opendir(path)) {
    if (one.isDirectory() && isLeftOut(one.name)) continue
    found.push({
      name: one.name,
      kind: one.isDirectory() ? 'folder' : one.isSymbolicLink() ? 'link' : one.isFile() ? 'file' : 'other',
    })
    if (found.length >= mostOfOne) break
  }
  return found
}

/** Only entries on a list of files that git made, so that ignored ones are left out. */
export function entriesOfFiles(files: readonly string[], onDisk: Entries): Entries {
  const listed = new Set<string>()
  for (const file of files) {
    // A repository inside is listed as a folder.
    const parts = file.split('/').filter((part) => part !== '')
    parts.forEach((_part, at) => listed.add(parts.slice(0, at + 1).join('/')))
  }
  return async (path) =>
    (await onDisk(path)).filter((entry) => listed.has(path === '' ? entry.name : `${path}/${entry.name}`))
}

const sorted = (entries: Entry[]): Entry[] =>
  entries.sort((a, b) => Number(b.kind === 'folder') - Number(a.kind === 'folder') || (a.name < b.name ? -1 : 1))

/**
 * Folders that tools fill: no one's own work, and often with more files than all the rest. A path that names one is
 * looked at all the same.
 */
const names: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  'bower_components',
  'dist',
  'build',
  'out',
  'target',
  'coverage',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.cache',
  '.parcel-cache',
  '.turbo',
  '.gradle',
  '__pycache__',
  '.venv',
  'venv',
  '.tox',
  '.nox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
])

export const isLeftOut = (folderName: string): boolean => names.has(folderName.toLowerCase())
