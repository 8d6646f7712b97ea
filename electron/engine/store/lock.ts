import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { pause, type Clock } from '../base/clock.ts'
import { OnwardError, systemCodeOf } from '../base/errors.ts'
import { diskFiles } from './disk-files.ts'
import { systemProcesses, type Processes } from './process-start.ts'

export interface RootLock {
  /** lets another engine have the folder, also while this process lives on */
  release(): Promise<void>
}

export interface LockOptions {
  /** an existing folder */
  root: string
  clock: Clock
  pid?: number
  processes?: Processes
}

const holderShape = z.object({ pid: z.number().int().positive(), start: z.string().nullable(), since: z.number(), released: z.boolean() })
type Holder = z.infer<typeof holderShape>

/** A lock file without content is being written; after this long its writer is taken for dead (milliseconds). */
const writingTakes = 1000

/**
 * Makes this process the only engine of a session root.
 *
 * Locks are numbered (`engine-7.lock`) and the highest number rules. Whoever finds its holder dead creates the next
 * number, which only one can, and then looks again: with a higher one in sight it gives way. So two engines that find
 * the same dead holder in the same instant can't both win, which removing and creating one file could not promise.
 * @throws OnwardError `root-locked` with `pid` in its details while another engine holds the folder
 */
export async function lockRoot({ root, clock, pid = process.pid, processes = systemProcesses() }: LockOptions): Promise<RootLock> {
  const files = diskFiles()
  const start = await processes.startOf(pid)
  const pathOf = (number: number) => join(root, `engine-${number}.lock`)
  for (;;) {
    const top = highest(await fs.readdir(root))
    const holder = top === 0 ? null : await readHolder(pathOf(top), clock)
    if (holder && await holds(holder, processes)) throw locked(root, holder)

    const mine = top + 1
    const content: Holder = { pid, start, since: clock.now(), released: false }
    if (!await createNew(pathOf(mine), JSON.stringify(content))) continue

    const names = await fs.readdir(root)
    if (highest(names) > mine) {
      await files.remove(pathOf(mine))
      continue
    }
    for (const number of numbersOf(names)) if (number < mine) await files.remove(pathOf(number))
    let released = false
    return {
      async release() {
        if (released) return
        released = true
        await files.writeAtomic(pathOf(mine), JSON.stringify({ ...content, released: true }))
      },
    }
  }
}

const numbersOf = (names: readonly string[]) =>
  names.flatMap((name) => { const found = /^engine-(\d{1,15})\.lock$/.exec(name); return found ? [Number(found[1])] : [] })

const highest = (names: readonly string[]) => Math.max(0, ...numbersOf(names))

/** @returns false when somebody else was first */
async function createNew(path: string, content: string): Promise<boolean> {
  const handle = await fs.open(path, 'wx', 0o600).catch((error: unknown) => {
    if (systemCodeOf(error) === 'EEXIST') return null
    throw error
  })
  if (!handle) return false
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return true
}

/** Null: gone, or never finished by a process that died while writing it. */
async function readHolder(path: string, clock: Clock): Promise<Holder | null> {
  for (let waited = 0; ; waited += 50) {
    const text = await fs.readFile(path, 'utf8').catch((error: unknown) => {
      if (systemCodeOf(error) === 'ENOENT') return null
      throw error
    })
    const holder = text === null ? null : parse(text)
    if (holder || text === null || waited >= writingTakes) return holder
    await awake(pause(clock, 50))
  }
}

/** The clock's timers let a process end; one that only waits for its lock must not. */
async function awake<T>(waiting: Promise<T>): Promise<T> {
  const keep = setInterval(() => undefined, 60_000)
  try { return await waiting } finally { clearInterval(keep) }
}

function parse(text: string): Holder | null {
  try {
    return holderShape.parse(JSON.parse(text))
  } catch {
    // half-written or foreign content names nobody
    return null
  }
}

async function holds(holder: Holder, processes: Processes): Promise<boolean> {
  if (holder.released || !processes.alive(holder.pid)) return false
  const start = await processes.startOf(holder.pid)
  // another start means the number was given to another process since
  return start === null || holder.start === null || start === holder.start
}

const locked = (root: string, holder: Holder) =>
  new OnwardError('root-locked', `Another Onward engine (process ${holder.pid}) is using ${root}. Stop it first, or start this one on another port or with another ROUTECODEX_SESSION_DIR.`, {
    details: { pid: holder.pid, since: holder.since, root },
  })
