import { posix } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import { ownTurn } from '../base/work.ts'
import { freeMemory } from '../base/free-memory.ts'
import type { Log } from '../base/log.ts'
import { parseLine } from '../base/parse.ts'
import type { Files } from '../store/types.ts'

/**
 * A row of records, one JSON object per line, in a file that is rotated by size. Its last lines may be lost in a crash.
 */
export interface JsonlFile<T> {
  /**
   * Keeps a record, which is its JSON, at once and writes it a little later; records that come until then share the
   * write. @returns its line, whose chunk is held until `release`
   */
  append(json: string): Line
  /**
   * Records of the current and the rotated files with their lines, newest first; broken lines are passed by. Lets the
   * event loop run.
   */
  newestFirst(): AsyncGenerator<{ item: T; line: Line }, void, undefined>
  /**
   * Takes records out of all files, each in one piece; lines that are none of ours stay. @throws what the disk said
   */
  drop(gone: (item: T) => boolean): Promise<void>
  flush(): Promise<void>
}

export interface JsonlOptions<T> {
  clock: Clock
  files: Files
  /** absolute, ends in `.jsonl` */
  path: string
  log: Log
  /** null: not one of ours */
  parse(value: unknown): T | null
  /** bytes; a file may grow past it by one write */
  rotateAt?: number
  /** rotated files kept: `turns.1.jsonl` is the newest of them */
  keep?: number
}

/** Lines that wait for a full disk to have room again; older ones are given up beyond this many bytes. */
const longestWait = 1024 * 1024
/** Records gather for this long (milliseconds): one write a turn would cost more than the turn. */
const gatherFor = 250
/**
 * Lines looked at before the event loop may run: at a start two files are read at once, by code that is not warm yet.
 */
const slice = 20

interface Row extends Required<Omit<JsonlOptions<never>, 'parse'>> {
  waiting: ReturnType<typeof lineRow>
  size: number | null
  /** a crash may have cut the last line short: the next one must not be glued to it */
  cut: boolean
  running: Promise<void> | null
  failing: boolean
  soon: Disposable | null
}

export function jsonlFile<T>({ parse, rotateAt = 4 * 1024 * 1024, keep = 2, ...deps }: JsonlOptions<T>): JsonlFile<T> {
  const { files, path, log } = deps
  const lineOf = lineWriter()
  const waiting = lineRow()
  const state = { size: null, cut: false, running: null, failing: false, soon: null }
  const row: Row = { ...deps, rotateAt, keep, waiting, ...state }

  return {
    append(json) {
      const line = lineOf(json)
      waiting.add(line)
      if (row.running === null) beginSoon(row)
      return line
    },
    async *newestFirst() {
      let broken = 0
      for (let n = 0; n <= keep; n++) {
        // once something was written its size is known, and another look would be out of date
        const look = n === 0 && row.size === null ? inspect(row) : files.read(nth(row, n))
        const raw = await look.catch((error: unknown) => {
          // old records are not worth keeping the engine from starting
          log.warn({ file: posix.basename(path), why: messageOf(error) }, 'earlier records could not be read')
          return null
        })
        if (raw === null) continue
        let count = 0
        for (const line of linesBackwards(raw)) {
          if (++count % slice === 0) await ownTurn()
          const item = parseLine(textOf(line), parse)
          if (item === null) broken += 1
          else yield { item, line }
        }
      }
      if (broken > 0)
        log.warn({ file: posix.basename(path), lines: broken }, 'broken lines of a record file were passed by')
    },
    async drop(gone) {
      const isGone = (line: string): boolean => {
        const item = parseLine(line, parse)
        return item !== null && gone(item)
      }
      while (row.running) await row.running
      waiting.drop(isGone)
      const work = async () => {
        for (let n = 0; n <= keep; n++) await dropFrom(files, nth(row, n), isGone)
      }
      const done = work()
      // Nothing is appended meanwhile: it would be lost with the old file.
      row.running = done
        .catch(() => undefined)
        .then(() => {
          row.running = null
          // how long it is now is looked at anew
          row.size = null
          if (waiting.bytes() > 0) beginSoon(row)
        })
      await row.running
      await done
    },
    async flush() {
      await row.running
      if (waiting.bytes() === 0) return
      begin(row)
      await row.running
    },
  }
}

/** Returns the path of the current file, or of the one that was rotated `n` files ago. */
const nth = ({ path }: Row, n: number) => (n === 0 ? path : `${path.slice(0, -'.jsonl'.length)}.${n}.jsonl`)

async function inspect(row: Row) {
  const raw = await row.files.read(row.path)
  row.size = raw?.length ?? 0
  row.cut = raw !== null && raw.length > 0 && raw.at(-1) !== 10
  return raw
}

async function rotate(row: Row) {
  const { files, keep, path } = row
  await files.remove(nth(row, keep))
  const names = new Set(await files.list(posix.dirname(path)))
  for (let n = keep - 1; n >= 1; n--)
    if (names.has(posix.basename(nth(row, n)))) await files.rename(nth(row, n), nth(row, n + 1))
  await files.rename(path, nth(row, 1))
  row.size = 0
  row.cut = false
}

async function write(row: Row, lines: Buffer) {
  if (row.size === null) await inspect(row)
  if ((row.size ?? 0) > row.rotateAt) await rotate(row)
  const bytes = row.cut ? Buffer.concat([Buffer.from('\n'), lines]) : lines
  await row.files.append(row.path, bytes)
  row.size = (row.size ?? 0) + bytes.length
  row.cut = false
  row.failing = false
}

/**
 * Waiting records go out in one write. Those that come meanwhile gather anew: a write a record would cost more than
 * its turn.
 */
async function drain(row: Row) {
  const { waiting, log, path } = row
  row.soon?.dispose()
  row.soon = null
  await Promise.resolve()
  const lines = waiting.take()
  try {
    // All that waited may have been taken out.
    if (lines.length > 0) await write(row, lines)
  } catch (error) {
    if (!row.failing)
      log.error(
        { file: posix.basename(path), why: messageOf(error) },
        'records could not be written; they are kept in memory and tried again',
      )
    row.failing = true
    // how much of it is on the disk is unknown now
    row.size = null
    waiting.putBack(lines)
    waiting.shorten(longestWait)
  }
  row.running = null
  if (waiting.bytes() > 0 && !row.failing) beginSoon(row)
}

function begin(row: Row) {
  row.running ??= drain(row)
}

function beginSoon(row: Row) {
  row.soon ??= row.clock.after(gatherFor, () => begin(row))
}

async function dropFrom(files: Files, file: string, isGone: (line: string) => boolean) {
  const raw = await files.read(file)
  if (raw === null) return
  const lines = raw.toString('utf8').split('\n')
  const left: string[] = []
  let count = 0
  for (const line of lines) {
    if (++count % slice === 0) await ownTurn()
    if (line === '' || !isGone(line)) left.push(line)
  }
  if (left.length < lines.length) await files.writeAtomic(file, left.join('\n'))
}

/**
 * The lines' places in the file's bytes: who keeps one line keeps all of those, which are no more than a file or two.
 */
function* linesBackwards(raw: Buffer): Generator<Line> {
  const chunk = leftToCollector(raw)
  for (let end = raw.length; end > 0;) {
    const start = raw.lastIndexOf(10, end - 1) + 1
    if (end > start) yield { chunk, start, end }
    end = start - 1
  }
}

/** Memory that several lines stand in. */
export interface Chunk {
  readonly bytes: Buffer
  /** lines that are kept, pieces that wait for the disk, and the writer that goes on in it */
  holders: number
}

/**
 * A line of text as bytes outside of V8's heap: as a string it would be copied by two minor collections before a major
 * one frees it. Its chunk holds other lines too, and goes when none of them is kept.
 */
export interface Line {
  readonly chunk: Chunk
  readonly start: number
  /** its line break stands here */
  readonly end: number
}

export const textOf = ({ chunk, start, end }: Line): string => chunk.bytes.toString('utf8', start, end)

export const holds = ({ chunk, start, end }: Line, text: string): boolean =>
  chunk.bytes.subarray(start, end).includes(text)

/** Bytes that are not freed by hand: they go with a collection. */
const leftToCollector = (bytes: Buffer): Chunk => ({ bytes, holders: Number.POSITIVE_INFINITY })

/**
 * Gives up one hold on the chunk. With the last one its memory is freed at once: by then it is old, and would weigh
 * until a major collection, which comes seldom. A later read of it is empty.
 */
export function release(chunk: Chunk): void {
  chunk.holders--
  if (chunk.holders === 0) freeMemory(chunk.bytes)
}

/** bytes of a chunk: the first is small, for an engine that has little to say */
const smallest = 4 * 1024
const largest = 64 * 1024

/** Puts lines one after the other. The receiver of a line holds its chunk. */
export function lineWriter(): (text: string) => Line {
  let chunk: Chunk = leftToCollector(Buffer.alloc(0))
  let used = 0
  let size = smallest
  return (text) => {
    // no sign takes more in UTF-8
    const most = text.length * 3 + 1
    if (most > largest / 4) {
      const own = Buffer.from(`${text}\n`)
      return { chunk: leftToCollector(own), start: 0, end: own.length - 1 }
    }
    if (used + most > chunk.bytes.length) {
      release(chunk)
      chunk = { bytes: Buffer.allocUnsafeSlow(Math.max(size, most)), holders: 1 }
      size = Math.min(size * 2, largest)
      used = 0
    }
    const start = used
    const end = start + chunk.bytes.write(text, start)
    chunk.bytes[end] = 10
    used = end + 1
    chunk.holders++
    return { chunk, start, end }
  }
}

/** Lines in a row, with their line breaks, for a write. Those of one chunk are one piece. */
export interface LineRow {
  /** how many they are */
  bytes(): number
  add(line: Line): void
  /** takes all of it out; the bytes are the taker's own */
  take(): Buffer
  /** puts back what was taken */
  putBack(bytes: Buffer): void
  /** takes the oldest lines out until no more than `bytes` are left */
  shorten(bytes: number): void
  /** takes those out for which this is so */
  drop(gone: (text: string) => boolean): void
}

export function lineRow(): LineRow {
  let pieces: { chunk: Chunk; start: number; end: number }[] = []
  let length = 0
  const take = () => {
    const bytes = Buffer.concat(pieces.map(({ chunk, start, end }) => chunk.bytes.subarray(start, end)))
    for (const { chunk } of pieces) release(chunk)
    pieces = []
    length = 0
    return bytes
  }
  const putBack = (bytes: Buffer) => {
    if (bytes.length > 0) pieces.unshift({ chunk: leftToCollector(bytes), start: 0, end: bytes.length })
    length += bytes.length
  }
  return {
    bytes: () => length,
    add({ chunk, start, end }) {
      const last = pieces.at(-1)
      if (last?.chunk === chunk && last.end === start) last.end = end + 1
      else {
        chunk.holders++
        pieces.push({ chunk, start, end: end + 1 })
      }
      length += end + 1 - start
    },
    take,
    putBack,
    shorten(most) {
      if (length <= most) return
      const bytes = take()
      // what is left begins with a whole line
      putBack(bytes.subarray(bytes.indexOf(10, bytes.length - most - 1) + 1))
    },
    drop(gone) {
      const kept = take()
        .toString('utf8')
        .split('\n')
        .filter((text) => text !== '' && !gone(text))
      putBack(Buffer.from(kept.map((text) => `${text}\n`).join('')))
    },
  }
}
