/** What shows the terminal in which a program runs: keys that its agent was started with, and its ancestors. */
import { readFile } from 'node:fs/promises'
import { keyPrefix } from '../../sessions/binding/find-terminal.ts'
import { parseStat } from '../../terminals/process/linux.ts'

export interface Inherited {
  /** of terminals, the nearest first */
  keys: string[]
  /** parent first */
  pids: number[]
}

/** A file of /proc; null: it is not there, or not ours to read. */
export type ReadProc = (path: string) => Promise<string | null>

const mostAncestors = 50
const keyForm = new RegExp(`${keyPrefix}[A-Za-z0-9_-]{20,64}`, 'g')

/**
 * Agents start tools with less than their own environment (Codex hands on a few variables), so that of each ancestor is
 * looked at as well. An agent could leave all this out: it runs as the person, and may read what they may.
 */
export async function inherited(
  own: { env: Readonly<Record<string, string | undefined>>; ppid: number },
  read: ReadProc,
): Promise<Inherited> {
  const keys = new Set(Object.values(own.env).flatMap((value) => value?.match(keyForm) ?? []))
  const pids: number[] = []
  for (let pid = own.ppid; pid > 1 && pids.length < mostAncestors && !pids.includes(pid);) {
    pids.push(pid)
    const [stat, environ] = await Promise.all([read(`/proc/${pid}/stat`), read(`/proc/${pid}/environ`)])
    for (const key of environ?.match(keyForm) ?? []) keys.add(key)
    pid = (stat === null ? null : parseStat(stat)?.ppid) ?? 0
  }
  return { keys: [...keys].slice(0, mostAncestors), pids }
}

export const readProc: ReadProc = (path) => readFile(path, 'latin1').catch(() => null)
