import { z } from 'zod'
import { alarmRoutes } from '../../../../shared/alarms/alarms.ts'
import { parseLine } from '../../base/parse.ts'
import { storeFailed } from '../../store/store-failed.ts'
import type { Files } from '../../store/types.ts'
import { taskShape } from '../model/task.ts'
import type { Past } from '../model/types.ts'

/** Lines that are on the disk when `add` resolves; what comes while one write runs shares the next. */
export interface LedgerFile<T> {
  /** oldest first; a line that was cut short by a crash is passed by */
  load(): Promise<readonly T[]>
  /** @throws OnwardError `store-failed`; nothing of it counts as written then, though it may be on the disk */
  add(items: readonly T[]): Promise<void>
  /** takes lines out, in one piece. @throws OnwardError `store-failed`; then all of them are there */
  drop(gone: (item: T) => boolean): Promise<void>
  /** in one piece, in the place of all lines so far */
  rewrite(items: readonly T[]): Promise<void>
}

/** `parse`: null for what is none of ours. `path`: absolute, ends in `.jsonl` */
export function ledgerFile<T>(files: Files, path: string, parse: (value: unknown) => T | null): LedgerFile<T> {
  let waiting: { text: string; done(): void; fail(error: unknown): void }[] = []
  let running: Promise<void> | null = null
  /** a crash may have cut the last line short: the next one must not be glued to it */
  let cut = true

  const drain = async () => {
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await files.append(path, (cut ? '\n' : '') + batch.map(({ text }) => text).join(''), { sync: true })
        cut = false
        for (const { done } of batch) done()
      } catch (error) {
        // How much of it is on the disk is not known.
        cut = true
        for (const { fail } of batch) fail(storeFailed('save', path, error))
      }
    }
    running = null
  }
  const load = async (): Promise<T[]> => {
    const raw = await files.read(path)
    if (raw === null) return []
    return raw
      .toString('utf8')
      .split('\n')
      .flatMap((line) => {
        const item = line === '' ? null : parseLine(line, parse)
        return item === null ? [] : [item]
      })
  }
  return {
    load,
    async drop(gone) {
      while (running) await running
      const work = async () => {
        const items = await load()
        const left = items.filter((item) => !gone(item))
        if (left.length < items.length) await files.writeAtomic(path, linesOf(left))
      }
      const done = work().catch((error: unknown) => {
        throw storeFailed('save', path, error)
      })
      // Nothing is appended meanwhile: it would be lost with the old file.
      running = done
        .catch(() => undefined)
        .then(() => {
          running = null
          if (waiting.length > 0) running = drain()
        })
      await done
    },
    add: (items) =>
      items.length === 0
        ? Promise.resolve()
        : new Promise((done, fail) => {
            waiting.push({ text: linesOf(items), done, fail })
            running ??= drain()
          }),
    async rewrite(items) {
      await running
      await files.writeAtomic(path, linesOf(items))
      cut = false
    },
  }
}

const linesOf = (items: readonly unknown[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('')

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
