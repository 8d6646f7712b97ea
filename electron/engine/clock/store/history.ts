import { z } from 'zod'
import { alarmRoutes } from '../../../../shared/alarms/alarms.ts'
import type { LedgerFile } from './ledger-file.ts'
import { taskShape } from '../model/task.ts'
import type { Past } from '../model/types.ts'

const pastShape = z.object({
  id: z.string(),
  at: z.number(),
  end: z.discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('delivered'), route: z.enum(alarmRoutes), late: z.boolean().optional() })
      .transform(({ late, ...end }) => (late ? { ...end, late } : end)),
    z.object({ kind: z.literal('cancelled'), by: z.enum(['model', 'user', 'marker']) }),
    z.object({ kind: z.literal('missed'), why: z.enum(['expired', 'failed', 'unknown']) }),
    z.object({ kind: z.literal('skipped') }),
    z.object({ kind: z.literal('dismissed') }),
    z.object({ kind: z.literal('rescheduled'), to: z.number() }),
  ]),
  task: taskShape,
})
export const parsePast = (value: unknown): Past | null => pastShape.safeParse(value).data ?? null

/** How alarms ended, for people to look at; nothing depends on it. */
export interface History {
  load(): Promise<void>
  /** newest first */
  list(): readonly Past[]
  add(items: readonly Past[]): void
  /** what ended in a session. @throws OnwardError `store-failed` */
  forget(sessionId: string): Promise<void>
  idle(): Promise<void>
}

/** lines shown, and lines at which the file is written anew at the next start */
const most = { shown: 200, kept: 2_000 }

export function createHistory(file: LedgerFile<Past>, failed: (error: unknown) => void): History {
  let shown: Past[] = []
  let writing: Promise<void> = Promise.resolve()
  return {
    async load() {
      const lines = await file.load()
      shown = lines.slice(-most.shown).reverse()
      if (lines.length > most.kept) await file.rewrite(lines.slice(-most.shown))
    },
    list: () => shown,
    add(items) {
      shown = [...items.toReversed(), ...shown].slice(0, most.shown)
      const done = file.add(items).catch(failed)
      writing = Promise.all([writing, done]).then(() => undefined)
    },
    async forget(sessionId) {
      const gone = ({ task }: Past) => task.sessionId === sessionId
      shown = shown.filter((past) => !gone(past))
      await writing
      await file.drop(gone)
    },
    idle: () => writing,
  }
}
