import { posix } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { storeFailed } from './store-failed.ts'
import type { Files } from './types.ts'

export const JOURNAL = 'journal.jsonl'

/**
 * A change of one document: `n` is larger than all before, `on` is the number of its file or of its line before,
 * `version` the document's.
 */
export interface JournalLine {
  n: number
  on: number
  at: string
  version: number
  change: Change
}

/** A document whose file lacks what the journal has; held until it is written whole. */
export interface JournalOwner {
  document(): unknown
  /** writes the file whole, and calls `written` */
  fold(): Promise<void>
}

/**
 * Writes changes of documents as lines of one file instead of each document whole: the lines of all waiting callers are
 * one write and one sync. Now and then, and as the store closes, the files get what they lack.
 */
export interface Journal {
  /** returns a number for a file that is written whole */
  next(): number
  /** notes the number of a file: those that follow are larger */
  seen(n: number): void
  /**
   * Resolves with the line's number once it is on the disk; with null if the journal can't take it now, or not so much,
   * and the file is to be written whole.
   * @throws the system error as it came
   */
  append(line: Omit<JournalLine, 'n'>, owner: JournalOwner): Promise<number | null>
  /** the file of this document is complete, or gone */
  written(at: string): void
  /**
   * Brings everything into the files now, so that no line holds what was removed.
   * @throws OnwardError `store-failed`; it is retried by itself
   */
  fold(): Promise<void>
  /**
   * Brings everything into the files; no more lines are taken. @throws the disk's error; the next start then does it
   */
  close(): Promise<void>
}

export interface JournalDeps {
  root: string
  files: Files
  clock: Pick<Clock, 'after'>
  /** the largest number of an earlier run */
  last: number
}

/** Lines are dropped, and the files completed, when a crash would leave more than this to read, or after this time. */
const most = { bytes: 4 * 1_048_576, perFile: 32_768, inAll: 32 * 1_048_576, ms: 3_600_000 }
/** a line of more characters holds most of its document */
const LONG = 65_536
/** a file lacks the changes in its lines for about this long at most: other programs read files of goals and alarms */
const LACKS_MS = 3_000
/** retry interval after the disk refused */
const AGAIN_MS = 5_000

interface Waiting {
  text: string
  at: string
  owner: JournalOwner
  done(taken: boolean): void
  fail(error: unknown): void
}

export function createJournal({ root, files, clock, last }: JournalDeps): Journal {
  const path = posix.join(root, JOURNAL)
  /** by path, in the order of their first line */
  const behind = new Map<string, JournalOwner>()
  let numbers = last
  let waiting: Waiting[] = []
  let running: Promise<void> | null = null
  let folding: Promise<void> | null = null
  let taking = true
  let closed = false
  let bytes = 0
  let timer: Disposable | null = null
  let catchingUp: Disposable | Promise<void> | null = null
  let refused: unknown = null

  const drain = async () => {
    // callers of the same tick share the first write
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      if (taking) await write(batch)
      else for (const { done } of batch) done(false)
    }
    running = null
  }
  const write = async (batch: readonly Waiting[]) => {
    const text = batch.map((one) => one.text).join('')
    try {
      // The first lines create the file, whose name has to be on the disk as well.
      await (bytes === 0 ? files.writeAtomic(path, text) : files.append(path, text, { sync: true }))
    } catch (error) {
      // How much of it was written isn't known, so nothing may follow it.
      for (const { fail } of batch) fail(error)
      bytes ||= text.length
      return fold()
    }
    bytes += text.length
    for (const { at, owner, done } of batch) {
      behind.set(at, owner)
      done(true)
    }
    catchUpAfter(LACKS_MS)
    if (bytes > Math.min(most.inAll, most.bytes + most.perFile * behind.size)) fold()
    else timer ??= clock.after(most.ms, fold)
  }
  /** Completes the files one after the other while lines go on; no caller waits for it. */
  const catchUp = async () => {
    const waitMs = await foldEach([...behind.values()], () => taking)
    catchingUp = null
    if (behind.size > 0) catchUpAfter(waitMs)
  }
  const catchUpAfter = (ms: number) => {
    if (taking)
      catchingUp ??= clock.after(ms, () => {
        catchingUp = catchUp()
      })
  }
  /** A document that changes meanwhile is written whole anyway. */
  const foldAll = async () => {
    await running
    for (const owner of behind.values()) await owner.fold()
    if (bytes > 0) await files.remove(path)
    bytes = 0
    taking = !closed
  }
  const stopTaking = () => {
    if (catchingUp && 'dispose' in catchingUp) {
      catchingUp.dispose()
      catchingUp = null
    }
    timer?.dispose()
    timer = null
    taking = false
  }
  const fold = () => {
    stopTaking()
    folding ??= foldAll().then(
      () => {
        folding = null
      },
      (error: unknown) => {
        folding = null
        refused = error
        // The document that could not be written has reported it.
        if (!closed) timer = clock.after(AGAIN_MS, fold)
      },
    )
  }

  return {
    next: () => ++numbers,
    seen: (n) => void (numbers = Math.max(numbers, n)),
    append(line, owner) {
      if (!taking) return Promise.resolve(null)
      const n = ++numbers
      const text = `${JSON.stringify({ n, ...line } satisfies JournalLine)}\n`
      if (text.length > LONG) return Promise.resolve(null)
      return new Promise((resolve, fail) => {
        waiting.push({ text, at: line.at, owner, done: (taken) => resolve(taken ? n : null), fail })
        running ??= drain()
      })
    },
    written: (at) => void behind.delete(at),
    async fold() {
      await running
      if (bytes === 0) return
      fold()
      await folding
      if (bytes > 0) throw storeFailed('save', JOURNAL, refused)
    },
    async close() {
      closed = true
      stopTaking()
      await catchingUp
      await folding
      await foldAll()
    },
  }
}

/** @returns how long to wait before the next time */
async function foldEach(owners: readonly JournalOwner[], goesOn: () => boolean): Promise<number> {
  let waitMs = LACKS_MS
  for (const owner of owners) {
    if (!goesOn()) break
    await owner.fold().catch(() => {
      waitMs = AGAIN_MS
    })
  }
  return waitMs
}

/**
 * A change that turns one value of plain JSON into another, small where little changed. Parts that are the same object
 * are not compared: states share what they have in common.
 */
export type Change =
  | { is: unknown }
  | { members: Record<string, Change>; gone?: string[] }
  /** an array: `from` elements are taken off its front, then it has this length, with these items replaced or added */
  | { from: number; length: number; items: Record<number, Change> }

type Members = Readonly<Record<string, unknown>>

/** Returns null for equal values. What JSON leaves out of an object (`undefined`) counts as absent. */
export function changeBetween(before: unknown, after: unknown): Change | null {
  if (Object.is(before, after)) return null
  if (Array.isArray(before) && Array.isArray(after)) return changeOfArray(before, after)
  if (isMembers(before) && isMembers(after)) return changeOfMembers(before, after)
  // In a list JSON writes `undefined` as null.
  return { is: after === undefined ? null : after }
}

function changeOfMembers(before: Members, after: Members): Change | null {
  const members: [string, Change][] = []
  for (const [name, value] of Object.entries(after)) {
    if (value === undefined) continue
    const change = Object.hasOwn(before, name) ? changeBetween(before[name], value) : { is: value }
    if (change) members.push([name, change])
  }
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name) || after[name] === undefined)
  if (members.length === 0 && gone.length === 0) return null
  return { members: Object.fromEntries(members), ...(gone.length === 0 ? {} : { gone }) }
}

function changeOfArray(before: readonly unknown[], after: readonly unknown[]): Change | null {
  // Lists of events lose their oldest as they get a new one.
  const from = Math.max(0, before.indexOf(after[0]))
  const items: Record<number, Change> = {}
  for (const [i, value] of after.entries()) {
    const change = from + i < before.length ? changeBetween(before[from + i], value) : { is: value ?? null }
    if (change) items[i] = change
  }
  if (from === 0 && before.length === after.length && Object.keys(items).length === 0) return null
  return { from, length: after.length, items }
}

/** @throws TypeError where the change was not made for such a value */
export function withChange(value: unknown, change: Change): unknown {
  if ('is' in change) return change.is
  if ('items' in change) {
    if (!Array.isArray(value)) throw new TypeError('a list was expected')
    const kept: readonly unknown[] = value.slice(change.from, change.from + change.length)
    return Array.from({ length: change.length }, (_, i) => {
      const item = change.items[i]
      return item ? withChange(kept[i], item) : kept[i]
    })
  }
  if (!isMembers(value)) throw new TypeError('an object was expected')
  const members = new Map(Object.entries(value))
  for (const name of change.gone ?? []) members.delete(name)
  for (const [name, part] of Object.entries(change.members)) members.set(name, withChange(members.get(name), part))
  return Object.fromEntries(members)
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
