import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { serial, type Serial } from '../../base/work.ts'
import { fileNameOf } from '../../store/disk-files.ts'
import { inBatches } from '../../store/in-batches.ts'
import { keep, type Kept } from '../../store/kept.ts'
import type { Store, DocumentSpec } from '../../store/types.ts'
import { apply, type Applied, type ClockEvent } from '../model/apply.ts'
import type { DueRules } from '../model/due.ts'
import { type SessionTasks, jsonObject, taskShape, type Task } from '../model/task.ts'

export interface AlarmStoreDeps {
  store: Store
  clock: Pick<Clock, 'after'>
  rules(): Pick<DueRules, 'retentionMs'>
  /**
   * Written down before the session's file changes: after a crash in between it is reported twice rather than never.
   */
  beforeChange(applied: Applied): Promise<void>
  changed(sessionId: string): void
  /** a file that could not be read: its session has no alarms until it can */
  unreadable(file: string, error: unknown): void
  writeAgainMs: number
}

/** The alarms of all sessions: in memory whole, on the disk a file each. */
export interface AlarmStore extends Disposable {
  /** @param seen is called with each session's alarms as they are read */
  load(seen: (state: SessionTasks) => void): Promise<void>
  of(sessionId: string): SessionTasks | null
  all(): IterableIterator<SessionTasks>
  /** the session of one alarm */
  withTask(taskId: string): SessionTasks | null
  /**
   * Applies one event, after all earlier ones of the session. `durable`: on the disk when it resolves, else it did not
   * happen. `best-effort`: true at once, on the disk as soon as that takes it. @returns null: nothing changed
   */
  commit(sessionId: string, event: ClockEvent, how: 'durable' | 'best-effort'): Promise<Committed | null>
  /** resolves when nothing is being written any more */
  idle(): Promise<void>
}

/** `written`: on the disk already */
export interface Committed extends Applied {
  written: boolean
}

/** An open file of a session, kept while work uses it. */
interface OpenFile {
  queue: Serial
  kept: Promise<Kept<SessionTasks>>
  users: number
}

export function createAlarmStore({
  store,
  clock,
  rules,
  beforeChange,
  changed,
  unreadable,
  writeAgainMs,
}: AlarmStoreDeps): AlarmStore {
  const values = new Map<string, SessionTasks>()
  const openFiles = new Map<string, OpenFile>()
  let working: Promise<void> = Promise.resolve()

  const emptyOf = (sessionId: string): SessionTasks => ({ sessionId, tasks: [], updatedAtMs: 0 })
  const openKept = async (sessionId: string): Promise<Kept<SessionTasks>> => {
    const document = await store.document(clockSpec(sessionId))
    const value = values.get(sessionId) ?? document.get() ?? emptyOf(sessionId)
    return keep<SessionTasks>(value, (next) => (next.tasks.length === 0 ? document.remove() : document.set(next)), {
      clock,
      retryMs: () => writeAgainMs,
      queue: (work) => at(sessionId, work),
    })
  }
  /** Runs work on the session's open file. The file is closed when no work is left and everything is written. */
  const at = async <T>(sessionId: string, work: (kept: Kept<SessionTasks>) => Promise<T>): Promise<T> => {
    let openFile = openFiles.get(sessionId)
    if (!openFile) {
      openFile = { queue: serial(), kept: openKept(sessionId), users: 0 }
      openFiles.set(sessionId, openFile)
    }
    const mine = openFile
    mine.users += 1
    try {
      const kept = await mine.kept
      return await mine.queue(() => work(kept))
    } finally {
      mine.users -= 1
      const kept = await mine.kept.catch(() => null)
      if (mine.users === 0 && openFiles.get(sessionId) === mine && (kept === null || kept.durable())) {
        openFiles.delete(sessionId)
        kept?.dispose()
      }
    }
  }
  const note = (sessionId: string, value: SessionTasks) => {
    if (value.tasks.length > 0) values.set(sessionId, value)
    else values.delete(sessionId)
    changed(sessionId)
  }

  return {
    async load(seen) {
      const names = (await store.list(clockFolder, 'any')).filter((name) => name !== syncFile)
      // To list very many is a piece of work, to begin with them another.
      await nextTurn()
      await inBatches(names, async (name) => {
        try {
          const value = await store.read(clockSpecAt(name))
          // A file that was renamed by hand is skipped: its session would be saved under the right name.
          if (!value || value.tasks.length === 0 || clockFile(value.sessionId) !== name) return
          values.set(value.sessionId, value)
          seen(value)
        } catch (error) {
          unreadable(`${clockFolder}/${name}`, error)
        }
      })
    },
    of: (sessionId) => values.get(sessionId) ?? null,
    all: () => values.values(),
    withTask(taskId) {
      for (const state of values.values()) if (state.tasks.some((task) => task.taskId === taskId)) return state
      return null
    },
    commit(sessionId, event, how) {
      const done = at(sessionId, async (kept) => {
        const before = kept.value
        const applied = apply(before, event, rules())
        if (applied.state === before) return null
        await beforeChange(applied)
        if (how === 'durable') await kept.writeDurable(applied.state)
        else await kept.writeBestEffort(applied.state)
        note(sessionId, applied.state)
        return { ...applied, written: kept.durable() }
      })
      // Drops the result: a chain that keeps its results keeps them all.
      working = Promise.allSettled([working, done]).then(() => undefined)
      return done
    },
    async idle() {
      await working
    },
    dispose() {
      for (const openFile of openFiles.values())
        openFile.kept.then(
          (kept) => kept.dispose(),
          () => undefined,
        )
      openFiles.clear()
    },
  }
}

export const clockFolder = 'clock'
/** the time sync's own file in the same folder */
const syncFile = 'ntp-state.json'

/** A session that is called like the sync's file gets another name, as file names of devices do. */
const clockFile = (sessionId: string): string => {
  const name = `${fileNameOf(sessionId)}.json`
  return name === syncFile ? `%${name.charCodeAt(0).toString(16)}${name.slice(1)}` : name
}

export const fileShape = z.object({
  sessionId: z.string().min(1),
  scope: z.custom<NonNullable<SessionTasks['scope']>>((value) => typeof value === 'string').optional(),
  tasks: z.array(taskShape),
  updatedAtMs: z.number(),
})

/** Arguments are an object in the file, for other programs that read it; what is none stays the text that it is. */
const encode = (value: SessionTasks): SessionTasks =>
  value.tasks.some((task) => task.arguments !== undefined)
    ? { ...value, tasks: value.tasks.map((task) => ({ ...task, ...argumentsOf(task) })) }
    : value
function argumentsOf({ arguments: text }: Task): object {
  if (text === undefined) return {}
  const value = jsonObject(text)
  return { arguments: value ?? text }
}

/** Characters of a file that is written whole for one change of it. */
const mostWhole = 64 * 1024

const clockSpecAt = (file: string): DocumentSpec<SessionTasks> => ({
  path: `${clockFolder}/${file}`,
  version: 1,
  journaled: mostWhole,
  parse: (value) => fileShape.parse(value),
  encode,
})
export const clockSpec = (sessionId: string): DocumentSpec<SessionTasks> => clockSpecAt(clockFile(sessionId))
