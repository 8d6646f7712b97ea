import { promises as fs } from 'node:fs'
import { locate, type Confines, type Place } from './confine.ts'

/** Passes over a path where the system can't say what is open: all must find the same. */
const passes = 4

/**
 * A path of what is open, whatever its name leads to by now; null where the system has none (it is Linux's, proc(5)).
 */
export async function pathOfOpen(handle: fs.FileHandle): Promise<{ path: string; real: string } | null> {
  const path = `/proc/self/fd/${handle.fd}`
  const real = await fs.readlink(path).catch(() => null)
  return real === null ? null : { path, real }
}

/**
 * True if the file that was opened is the one at the place inside. Between a check and an open a folder on the way may
 * be swapped for a link and back, so the open file is asked, not its name.
 */
export async function isAtPlace(handle: fs.FileHandle, confines: Confines, place: Place): Promise<boolean> {
  const open = await pathOfOpen(handle)
  if (open !== null) return open.real === place.real
  const opened = await handle.stat({ bigint: true })
  for (let pass = 0; pass < passes; pass++) {
    const again = await locate(confines, place.path)
    const there = await fs.lstat(place.real, { bigint: true })
    if (!again.ok || again.real !== place.real || opened.ino !== there.ino || opened.dev !== there.dev) return false
  }
  return true
}
