import { z } from 'zod'
import { taskShape, type Task } from './task.ts'
import type { Missed } from './types.ts'
import type { LedgerFile } from './ledger-file.ts'

const lineShape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('missed'), key: z.string(), at: z.number(), why: z.enum(['expired', 'failed', 'unknown']), by: z.string().nullable().default(null), task: taskShape }),
  /** a person's word on it, or a receipt that came late */
  z.object({ type: z.literal('settled'), key: z.string(), at: z.number(), how: z.enum(['dismissed', 'rescheduled', 'delivered-late']) }),
])
export type MissedLine = z.infer<typeof lineShape>
export type MissedEntry = Missed & { by: string | null }

export const parseMissedLine = (value: unknown): MissedLine | null => lineShape.safeParse(value).data ?? null

/** Names a due time of an alarm: the same alarm may be missed twice. */
export const missedKey = ({ taskId, dueAtMs }: Pick<Task, 'taskId' | 'dueAtMs'>): string => `${taskId}@${dueAtMs}`

/** Alarms that were not delivered and wait for a person's word (`clock/missed.jsonl`). */
export interface MissedLedger {
  load(): Promise<void>
  /** newest first */
  list(): readonly MissedEntry[]
  count(): number
  get(key: string): MissedEntry | null
  /** On the disk when it resolves; one that stands there already is not told again. @returns those that are new. @throws what the disk said */
  add(entries: readonly MissedEntry[]): Promise<readonly MissedEntry[]>
  settle(keys: readonly string[], how: Extract<MissedLine, { type: 'settled' }>['how'], at: number): Promise<void>
}

/** Settled lines beyond this many make the file be written anew at the next start. */
const manySettled = 500

export function createMissedLedger(file: LedgerFile<MissedLine>): MissedLedger {
  const open = new Map<string, MissedEntry>()
  /** said once, and for good: a crash may have left it in the session's file, too */
  const known = new Set<string>()
  return {
    async load() {
      const lines = await file.load()
      for (const line of lines) {
        if (line.type === 'settled') open.delete(line.key)
        else if (!known.has(line.key)) open.set(line.key, { key: line.key, at: line.at, why: line.why, by: line.by, task: line.task })
        known.add(line.key)
      }
      if (lines.length - open.size > manySettled) await file.rewrite(Array.from(open.values(), asLine))
    },
    list: () => Array.from(open.values()).reverse(),
    count: () => open.size,
    get: (key) => open.get(key) ?? null,
    async add(entries) {
      const fresh = entries.filter(({ key }) => !known.has(key))
      await file.add(fresh.map(asLine))
      for (const entry of fresh) {
        known.add(entry.key)
        open.set(entry.key, entry)
      }
      return fresh
    },
    async settle(keys, how, at) {
      const there = keys.filter((key) => open.has(key))
      await file.add(there.map((key): MissedLine => ({ type: 'settled', key, at, how })))
      for (const key of there) open.delete(key)
    },
  }
}

const asLine = ({ key, at, why, by, task }: MissedEntry): MissedLine => ({ type: 'missed', key, at, why, by, task })
