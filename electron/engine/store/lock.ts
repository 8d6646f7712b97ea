import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { pause, type Clock } from '../base/clock.ts'
import { OnwardError, systemCodeOf } from '../base/errors.ts'
import { diskFiles } from './disk-files.ts'

export interface RootLock {
  /** lets another engine have the folder, also while this process lives on */
  release(): Promise<void>
}

export interface LockOptions {
  /** an existing folder */
  root: string
  clock: Clock
  /** the first part of the lock files' names: one folder may have both locks */
  name?: 'engine' | 'home'
  /** what a second engine can do instead, as part of its refusal */
  instead?: string
  pid?: number
  processes?: Processes
  /** gets the names in the folder once it is locked: to list ten thousand names again takes 10 ms */
  onLocked?(names: readonly string[]): void
}

const holderShape = z.object({
  pid: z.number().int().positive(),
  start: z.string().nullable(),
  since: z.number(),
  released: z.boolean(),
})
type Holder = z.infer<typeof holderShape>

const elsewhere = 'on another port or with another ROUTECODEX_SESSION_DIR'

/** A lock file without content is being written; after this time its writer is taken for dead (milliseconds). */
const writingTakes = 1000

/**
 * Makes this process the only engine of a session root.
 *
 * Locks are numbered (`engine-7.lock`) and the highest number rules. A process that finds the holder dead creates the
 * next number, which only one can, and then looks again: with a higher one in sight it gives way. So two engines that
 * find the same dead holder in the same instant can't both win, which removing and creating one file could not promise.
 * @throws OnwardError `root-locked` with `pid` in its details while another engine holds the folder
 */
export async function lockRoot({
  root,
  clock,
  name = 'engine',
  instead = elsewhere,
  pid = process.pid,
  processes = systemProcesses(),
  onLocked,
}: LockOptions): Promise<RootLock> {
  const files = diskFiles()
  const start = await processes.startOf(pid)
  const pathOf = (number: number) => join(root, `${name}-${number}.lock`)
  const numbersIn = (names: readonly string[]) =>
    names.flatMap((file) => (file.startsWith(`${name}-`) ? numberOf(file.slice(name.length + 1)) : []))
  for (;;) {
    const top = highest(numbersIn(await fs.readdir(root)))
    const holder = top === 0 ? null : await readHolder(pathOf(top), clock)
    if (holder && (await holds(holder, processes))) throw locked(root, holder, instead)

    const mine = top + 1
    const content: Holder = { pid, start, since: clock.now(), released: false }
    if (!(await createNew(pathOf(mine), JSON.stringify(content)))) continue

    const names = await fs.readdir(root)
    const numbers = numbersIn(names)
    if (highest(numbers) > mine) {
      await files.remove(pathOf(mine))
      continue
    }
    for (const number of numbers) if (number < mine) await files.remove(pathOf(number))
    onLocked?.(names)
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

const numberOf = (rest: string): number[] => {
  const found = /^(\d{1,15})\.lock$/.exec(rest)
  return found ? [Number(found[1])] : []
}

const highest = (numbers: readonly number[]) => Math.max(0, ...numbers)

/** @returns false when another process was first */
async function createNew(path: string, content: string): Promise<boolean> {
  const handle = await fs.open(path, 'wx', 0o600).catch((error: unknown) => {
    if (systemCodeOf(error) === 'EEXIST') return null
    throw error
  })
  if (!handle) return false
  try {
    await handle.writeFile(content)
    await handle.sync()
  } catch (error) {
    // A full disk: an empty lock would keep the next engine waiting. It was made here, and no other process counts on
    // it yet.
    await fs.rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  return true
}

/** Returns null if the file is gone, or was never finished by a process that died while writing it. */
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

/** The clock's timers don't keep a process alive; one that only waits for its lock must stay. */
async function awake<T>(waiting: Promise<T>): Promise<T> {
  const keep = setInterval(() => undefined, 60_000)
  try {
    return await waiting
  } finally {
    clearInterval(keep)
  }
}

function parse(text: string): Holder | null {
  try {
    return holderShape.parse(JSON.parse(text))
  } catch {
    // half-written or foreign content names no holder
    return null
  }
}

async function holds(holder: Holder, processes: Processes): Promise<boolean> {
  if (holder.released || !processes.alive(holder.pid)) return false
  const start = await processes.startOf(holder.pid)
  // another start time means that another process has the number now
  return start === null || holder.start === null || start === holder.start
}

const locked = (root: string, holder: Holder, instead: string) =>
  new OnwardError(
    'root-locked',
    `Another Onward engine (process ${holder.pid}) is using ${root}. Stop it first, or start this one ${instead}.`,
    {
      details: { pid: holder.pid, since: holder.since, root },
    },
  )

/** Asks the operating system about other processes. */
export interface Processes {
  alive(pid: number): boolean
  /** a text that differs for every process that ever had this number; null where the system does not give one */
  startOf(pid: number): Promise<string | null>
}

export const systemProcesses = (): Processes => ({
  alive(pid) {
    try {
      process.kill(pid, 0)
      return true
    } catch (error) {
      // EPERM: it exists and belongs to another user
      return systemCodeOf(error) === 'EPERM'
    }
  },
  async startOf(pid) {
    try {
      const [stat, boot] = await Promise.all([
        fs.readFile(`/proc/${pid}/stat`, 'utf8'),
        fs.readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      ])
      return startFromStat(stat, boot)
    } catch (error) {
      const code = systemCodeOf(error)
      // no /proc here, or the process is gone or hidden: unknown, so the caller trusts `alive`
      if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return null
      throw error
    }
  },
})

/**
 * Reads field 22 of /proc/<pid>/stat, ticks since boot (proc_pid_stat(5)); the name in parentheses may hold anything.
 */
export function startFromStat(stat: string, boot: string): string | null {
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return start ? `${boot.trim()}:${start}` : null
}
