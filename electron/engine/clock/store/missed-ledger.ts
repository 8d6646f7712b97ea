import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { taskShape, type Task } from '../model/task.ts'
import type { Missed } from '../model/types.ts'
import type { LedgerFile } from './ledger-file.ts'

const lineShape = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('missed'),
    key: z.string(),
    at: z.number(),
    why: z.enum(['expired', 'failed', 'unknown']),
    by: z.string().nullable().default(null),
    task: taskShape,
  }),
  /**
   * a person's word on it, or a receipt that came late. `not-missed`: a write that was refused may stand there all the
   * same
   */
  z.object({
    type: z.literal('settled'),
    key: z.string(),
    at: z.number(),
    how: z.enum(['dismissed', 'rescheduled', 'delivered-late', 'not-missed']),
  }),
])
export type MissedLine = z.infer<typeof lineShape>
export const parseMissedLine = (value: unknown): MissedLine | null => lineShape.safeParse(value).data ?? null

/** Names a due time of an alarm: the same alarm may be missed twice. */
export const missedKey = ({ taskId, dueAtMs }: Pick<Task, 'taskId' | 'dueAtMs'>): string => `${taskId}@${dueAtMs}`

/** Alarms that were not delivered and wait for a person's word (`clock/missed.jsonl`). */
export interface MissedLedger extends Disposable {
  load(): Promise<void>
  /** newest first */
  list(): readonly MissedEntry[]
  /** what a person is asked about: one repeated alarm is one, however often it was missed */
  count(): number
  get(key: string): MissedEntry | null
  /** this due time was reported as missed, whatever a person decided about it since */
  knows(task: Pick<Task, 'taskId' | 'dueAtMs'>): boolean
  /**
   * On the disk when it resolves; one that is there already is not reported again. @returns those that are new. @throws
   * what the disk said
   */
  add(entries: readonly MissedEntry[]): Promise<readonly MissedEntry[]>
  settle(
    keys: readonly string[],
    how: Exclude<Extract<MissedLine, { type: 'settled' }>['how'], 'not-missed'>,
    at: number,
  ): Promise<void>
  /** what was missed in a session, settled or not. @throws OnwardError `store-failed` */
  forget(sessionId: string): Promise<void>
}

/** Settled lines beyond this many make the file be written anew at the next start. */
const manySettled = 500

export function createMissedLedger(
  file: LedgerFile<MissedLine>,
  clock: Pick<Clock, 'now' | 'after'>,
  writeAgainMs: number,
): MissedLedger {
  const open = new Map<string, MissedEntry>()
  /** said once, and for good: a crash may have left it in the session's file, too */
  const known = new Set<string>()
  /** what the file says of these is not known: a write was refused, and may have arrived */
  const doubtful = new Set<string>()
  /** open ones of repeated alarms */
  const repeated = new Set<string>()
  const put = (entry: MissedEntry) => {
    open.set(entry.key, entry)
    if (entry.task.repeat) repeated.add(entry.key)
  }
  const drop = (key: string) => {
    open.delete(key)
    repeated.delete(key)
  }
  let timer: Disposable | null = null
  let disposed = false

  const truthOf = (key: string): MissedLine => {
    const entry = open.get(key)
    return entry ? asLine(entry) : { type: 'settled', key, at: clock.now(), how: 'not-missed' }
  }
  /** Lines about these keys, and the truth about all that are in doubt. */
  const write = async (keys: readonly string[], lines: readonly MissedLine[]): Promise<void> => {
    for (const key of keys) doubtful.delete(key)
    const restated = [...doubtful]
    doubtful.clear()
    try {
      await file.add([...restated.map(truthOf), ...lines])
    } catch (error) {
      for (const key of [...restated, ...keys]) doubtful.add(key)
      if (!disposed)
        timer ??= clock.after(writeAgainMs, () => {
          timer = null
          // Refused again: it is tried again.
          write([], []).catch(() => undefined)
        })
      throw error
    }
  }
  return {
    async load() {
      const lines = await file.load()
      for (const line of lines) {
        // The last word on a key counts.
        if (line.type === 'settled') drop(line.key)
        else put({ key: line.key, at: line.at, why: line.why, by: line.by, task: line.task })
        if (line.type === 'settled' && line.how === 'not-missed') known.delete(line.key)
        else known.add(line.key)
      }
      if (lines.length - open.size > manySettled) await file.rewrite(Array.from(open.values(), asLine))
    },
    async forget(sessionId) {
      for (const { key, task } of open.values()) if (task.sessionId === sessionId) drop(key)
      await file.drop((line) => line.type === 'missed' && line.task.sessionId === sessionId)
    },
    list: () => Array.from(open.values()).reverse(),
    count: () => (repeated.size === 0 ? open.size : groupMissed([...open.values()]).length),
    get: (key) => open.get(key) ?? null,
    // Asked for each alarm at the start: a key is made only where there is something to find.
    knows: (task) => known.size > 0 && known.has(missedKey(task)),
    async add(entries) {
      const fresh = entries.filter(({ key }) => !known.has(key))
      if (fresh.length > 0)
        await write(
          fresh.map(({ key }) => key),
          fresh.map(asLine),
        )
      for (const entry of fresh) {
        known.add(entry.key)
        put(entry)
      }
      return fresh
    },
    async settle(keys, how, at) {
      const there = keys.filter((key) => open.has(key))
      if (there.length > 0)
        await write(
          there,
          there.map((key): MissedLine => ({ type: 'settled', key, at, how })),
        )
      for (const key of there) drop(key)
    },
    dispose() {
      disposed = true
      timer?.dispose()
    },
  }
}

const asLine = ({ key, at, why, by, task }: MissedEntry): MissedLine => ({ type: 'missed', key, at, why, by, task })

/** One question to a person: one missed time, or all that were missed of one repeated alarm. */
export interface MissedGroup extends MissedEntry {
  /** how many due times went by */
  times: number
  /** of all entries in it, its own first */
  keys: readonly string[]
}

/** @param entries newest first, as the groups are; the newest of a repeated alarm speaks for all of it */
export function groupMissed(entries: readonly MissedEntry[]): readonly MissedGroup[] {
  const groups: MissedGroup[] = []
  const places = new Map<string, number>()
  for (const entry of entries) {
    const { taskId, repeat } = entry.task
    const times = 1 + (repeat?.passed ?? 0)
    const place = repeat && places.get(taskId)
    const group = place === undefined ? undefined : groups[place]
    if (group && place !== undefined)
      groups[place] = { ...group, times: group.times + times, keys: [...group.keys, entry.key] }
    else {
      if (repeat) places.set(taskId, groups.length)
      groups.push({ ...entry, times, keys: [entry.key] })
    }
  }
  return groups
}

/** Those that a person gets a notice of. A repeated alarm that already waits for an answer makes no second one. */
export const newlyMissed = (
  fresh: readonly MissedEntry[],
  open: () => readonly MissedEntry[],
): readonly MissedEntry[] => {
  if (fresh.every(({ task }) => task.repeat === undefined)) return fresh
  const asked = new Set(
    open().flatMap(({ key, task }) => (task.repeat && !fresh.some((one) => one.key === key) ? [task.taskId] : [])),
  )
  return fresh.filter(({ task }) => task.repeat === undefined || !asked.has(task.taskId))
}

export type MissedEntry = Omit<Missed, 'times'> & { by: string | null }
