import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCodeOf } from '../base/errors.ts'

/**
 * The bodies kept of one session: a folder with one folder per turn, and a bound on both their number and their bytes.
 */
export interface CaptureShelf {
  /** Runs after what was asked for before; one thing at a time happens to the folder. */
  next<T>(work: () => Promise<T>): Promise<T>
  /** A turn's own folder, new. Inside `next` only. */
  begin(name: string): Promise<string>
  /**
   * Makes room for more bytes of a turn that was begun; the oldest turns go for it. @returns whether there is any.
   * Inside `next` only
   */
  room(name: string, bytes: number): Promise<boolean>
  /** Gives back what was not used after all. */
  unused(name: string, bytes: number): void
  end(name: string): void
  /** turns that were begun and not ended */
  open(): number
}

export interface ShelfLimits {
  bytes: number
  turns: number
}

interface Kept {
  name: string
  bytes: number
  open: boolean
}

export function captureShelf(folder: string, limits: ShelfLimits): CaptureShelf {
  /** oldest first; null: not read yet */
  let kept: Kept[] | null = null
  let total = 0
  let last: Promise<unknown> = Promise.resolve()

  const load = async (): Promise<Kept[]> => {
    if (kept) return kept
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const found = await Promise.all((await readdir(folder)).map(async (name) => sized(folder, name)))
    const all = found.sort((a, b) => a.at - b.at).map(({ name, bytes }): Kept => ({ name, bytes, open: false }))
    total = all.reduce((sum, { bytes }) => sum + bytes, 0)
    return (kept = all)
  }
  const removeOldest = async (all: Kept[]): Promise<boolean> => {
    const at = all.findIndex(({ open }) => !open)
    const oldest = all[at]
    if (!oldest) return false
    await rm(join(folder, oldest.name), { recursive: true, force: true })
    all.splice(at, 1)
    total -= oldest.bytes
    return true
  }

  return {
    open: () => kept?.filter(({ open }) => open).length ?? 0,
    next(work) {
      const done = last.then(work)
      // the caller gets the failure; later calls are not kept from trying
      last = done.then(
        () => undefined,
        () => undefined,
      )
      return done
    },
    async begin(name) {
      const all = await load()
      while (all.length >= limits.turns && (await removeOldest(all)));
      const own = join(folder, name)
      await mkdir(own, { recursive: true, mode: 0o700 })
      all.push({ name, bytes: 0, open: true })
      return own
    },
    async room(name, bytes) {
      const all = await load()
      const own = all.find((one) => one.name === name)
      if (!own) return false
      while (total + bytes > limits.bytes && (await removeOldest(all)));
      if (total + bytes > limits.bytes) return false
      own.bytes += bytes
      total += bytes
      return true
    },
    unused(name, bytes) {
      const own = kept?.find((one) => one.name === name)
      if (!own) return
      own.bytes -= bytes
      total -= bytes
    },
    end(name) {
      const own = kept?.find((one) => one.name === name)
      if (own) own.open = false
    },
  }
}

async function sized(folder: string, name: string): Promise<{ name: string; bytes: number; at: number }> {
  const own = join(folder, name)
  const files = await readdir(own).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOTDIR') return []
    throw error
  })
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(own, file))).size))
  return { name, bytes: sizes.reduce((sum, size) => sum + size, 0), at: (await stat(own)).mtimeMs }
}
