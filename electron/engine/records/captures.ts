import { open, rm, writeFile, type FileHandle, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordEvent } from '../../../shared/events.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf, OnwardError, systemCodeOf } from '../base/errors.ts'
import type { Mutable } from '../base/mutable.ts'
import { fileNameOf } from '../store/disk-files.ts'

/**
 * Bodies of turns, for sessions whose person asked for it:
 * `captures/<session>/<request>/{request.json,upstream.json,response.txt,meta.json}`. Headers and credentials never.
 */
export interface Captures {
  begin(turn: CapturedTurn): Capture
  /** where the bodies of a turn are, or would be */
  folderOf(sessionId: string, requestId: string): string
  /** all of a session's. @throws what the disk said */
  forget(sessionId: string): Promise<void>
  /** resolves when everything that was handed in is in the files */
  flush(): Promise<void>
}

export interface CapturedTurn {
  sessionId: string
  requestId: string
  body: Buffer
  meta: CaptureMeta
}
export type CaptureMeta = Readonly<Record<string, unknown>>
export type Body = Buffer | readonly Buffer[] | null

/** Never throws and never waits: a failure is reported once, and then nothing more of this turn is kept. */
export interface Capture {
  /** the body as it goes to a provider; the newest counts */
  upstream(body: Body): void
  /** bytes to the client */
  response(chunk: Uint8Array): void
  end(meta: CaptureMeta): void
  readonly failed: boolean
}

export interface CapturesOptions {
  /** absolute; the session root */
  root: string
  clock: Clock
  record: RecordEvent
  limits?: ShelfLimits
}

/** per session */
const sessionLimits: ShelfLimits = { bytes: 64 * 1024 * 1024, turns: 200 }
/**
 * Bytes of an answer that wait for the disk; beyond this the disk is too slow, and the rest of the answer is left out.
 */
const longestWait = 16 * 1024 * 1024
/** An answer is written when this much of it is there, or this long (milliseconds) after its last write. */
const gatherMost = 64 * 1024
const gatherFor = 250
/** sessions whose files are remembered while nothing of them is written */
const mostShelves = 50

export function createCaptures({ root, clock, record, limits = sessionLimits }: CapturesOptions): Captures {
  const shelves = new Map<string, CaptureShelf>()
  const running = new Set<Promise<void>>()
  const sessionFolder = (sessionId: string) => join(root, 'captures', fileNameOf(sessionId))

  const shelfOf = (sessionId: string): CaptureShelf => {
    const shelf = shelves.get(sessionId) ?? captureShelf(sessionFolder(sessionId), limits)
    shelves.delete(sessionId)
    shelves.set(sessionId, shelf)
    for (const [id, other] of shelves) {
      if (shelves.size <= mostShelves) break
      if (other !== shelf && other.open() === 0) shelves.delete(id)
    }
    return shelf
  }
  const track = (work: Promise<void>): void => {
    running.add(work)
    void work.finally(() => running.delete(work))
  }

  return {
    begin({ sessionId, requestId, body, meta }) {
      const tell = (error: unknown) =>
        record(
          { sessionId, requestId },
          {
            type: 'engine-problem',
            code: 'capture-failed',
            message: `The bodies of this turn could not be kept whole: ${messageOf(error)}`,
          },
        )
      return beginCapture({
        shelf: shelfOf(sessionId),
        name: fileNameOf(requestId),
        clock,
        body,
        meta: { requestId, sessionId, startedAt: clock.now(), ...meta },
        tell,
        track,
      })
    },
    folderOf: (sessionId, requestId) => join(sessionFolder(sessionId), fileNameOf(requestId)),
    async forget(sessionId) {
      const folder = sessionFolder(sessionId)
      await shelfOf(sessionId).next(() => rm(folder, { recursive: true, force: true }))
      shelves.delete(sessionId)
    },
    async flush() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

interface CaptureParts {
  shelf: CaptureShelf
  name: string
  clock: Clock
  body: Buffer
  meta: CaptureMeta
  tell(error: unknown): void
  track(work: Promise<void>): void
}

function beginCapture({ shelf, name, clock, body, meta, tell, track }: CaptureParts): Capture {
  let folder = ''
  let answer: FileHandle | null = null
  let gathered: Uint8Array[] = []
  let gatheredBytes = 0
  /** handed to the shelf and not on the disk yet */
  let waitingBytes = 0
  let timer: Disposable | null = null
  const sizes = new Map<string, number>()
  /** files that had no room */
  const cut = new Set<string>()
  /** what the client sent; let go of with the first byte of the answer, which may last an hour */
  let sentByClient: Buffer | null = body

  const stopGathering = () => {
    timer?.dispose()
    timer = null
    gathered = []
    gatheredBytes = 0
  }
  const fail = (error: unknown) => {
    if (capture.failed) return
    capture.failed = true
    stopGathering()
    tell(error)
  }
  const step = (work: () => Promise<void>) =>
    track(
      shelf
        .next(async () => {
          if (!capture.failed) await work()
        })
        .catch(fail),
    )
  const remove = async (file: string) => {
    if (!sizes.has(file)) return
    await rm(join(folder, file), { force: true })
    shelf.unused(name, sizes.get(file) ?? 0)
    sizes.delete(file)
  }
  const keep = async (file: string, data: Body | string) => {
    await remove(file)
    const bytes = sizeOf(data)
    if (!(await shelf.room(name, bytes))) return void cut.add(file)
    cut.delete(file)
    sizes.set(file, bytes)
    await writeFile(join(folder, file), data ?? '', { mode: 0o600 })
  }
  const flush = () => {
    const parts = gathered
    const bytes = gatheredBytes
    stopGathering()
    waitingBytes += bytes
    step(async () => {
      if (cut.has('response.txt')) return
      if (!(await shelf.room(name, bytes))) return void cut.add('response.txt')
      answer ??= await open(join(folder, 'response.txt'), 'w', 0o600)
      await answer.writeFile(Buffer.concat(parts, bytes))
    })
    // counted down whether it was written or not: it is let go of either way
    track(
      shelf.next(async () => {
        waitingBytes -= bytes
      }),
    )
  }

  const capture: Mutable<Capture> = {
    failed: false,
    upstream(sent) {
      const differs = sentByClient === null || !sameBytes(sent, sentByClient)
      step(async () => (differs ? keep('upstream.json', sent) : remove('upstream.json')))
    },
    response(chunk) {
      sentByClient = null
      if (capture.failed || cut.has('response.txt')) return
      if (waitingBytes + gatheredBytes + chunk.byteLength > longestWait)
        return fail(new OnwardError('capture-too-slow', 'The disk did not keep up with the answer.'))
      gathered.push(chunk)
      gatheredBytes += chunk.byteLength
      if (gatheredBytes >= gatherMost) flush()
      else timer ??= clock.after(gatherFor, flush)
    },
    end(more) {
      if (gatheredBytes > 0) flush()
      step(async () =>
        keep(
          'meta.json',
          json({ ...meta, endedAt: clock.now(), ...more, ...(cut.size === 0 ? {} : { cut: Array.from(cut) }) }),
        ),
      )
      track(
        shelf
          .next(async () => {
            shelf.end(name)
            await answer?.close()
          })
          .catch(fail),
      )
    },
  }
  {
    // of its own block, so that nothing but this step holds it
    const request = body
    step(async () => {
      folder = await shelf.begin(name)
      await keep('meta.json', json(meta))
      await keep('request.json', request)
    })
  }
  return capture
}

const json = (value: CaptureMeta): string => `${JSON.stringify(value, null, 2)}\n`

function sizeOf(data: Body | string): number {
  if (data === null) return 0
  if (typeof data === 'string') return Buffer.byteLength(data)
  return Buffer.isBuffer(data) ? data.length : partsOf(data).reduce((sum, part) => sum + part.length, 0)
}

const partsOf = (body: Body): readonly Buffer[] => (body === null ? [] : Buffer.isBuffer(body) ? [body] : body)

function sameBytes(sent: Body, body: Buffer): boolean {
  let at = 0
  for (const part of partsOf(sent)) {
    if (!body.subarray(at, at + part.length).equals(part)) return false
    at += part.length
  }
  return at === body.length
}

/**
 * The bodies kept of one session: a folder with one folder per turn, and a bound on both their number and their bytes.
 */
interface CaptureShelf {
  /** Runs after what was asked for before; one thing at a time happens to the folder. */
  next<T>(work: () => Promise<T>): Promise<T>
  /** A turn's own folder, new. Inside `next` only. */
  begin(name: string): Promise<string>
  /**
   * Makes room for more bytes of a turn that was begun; the oldest turns go for it. @returns whether there is any.
   * Inside `next` only
   */
  room(name: string, bytes: number): Promise<boolean>
  /** Gives back what was not used after all. */
  unused(name: string, bytes: number): void
  end(name: string): void
  /** turns that were begun and not ended */
  open(): number
}

interface ShelfLimits {
  bytes: number
  turns: number
}

interface Kept {
  name: string
  bytes: number
  open: boolean
}

function captureShelf(folder: string, limits: ShelfLimits): CaptureShelf {
  /** oldest first; null: not read yet */
  let kept: Kept[] | null = null
  let total = 0
  let last: Promise<unknown> = Promise.resolve()

  const load = async (): Promise<Kept[]> => {
    if (kept) return kept
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const found = await Promise.all((await readdir(folder)).map(async (name) => sized(folder, name)))
    const all = found.sort((a, b) => a.at - b.at).map(({ name, bytes }): Kept => ({ name, bytes, open: false }))
    total = all.reduce((sum, { bytes }) => sum + bytes, 0)
    return (kept = all)
  }
  const removeOldest = async (all: Kept[]): Promise<boolean> => {
    const at = all.findIndex(({ open }) => !open)
    const oldest = all[at]
    if (!oldest) return false
    await rm(join(folder, oldest.name), { recursive: true, force: true })
    all.splice(at, 1)
    total -= oldest.bytes
    return true
  }

  return {
    open: () => kept?.filter(({ open }) => open).length ?? 0,
    next(work) {
      const done = last.then(work)
      // the caller gets the failure; later calls are not kept from trying
      last = done.then(
        () => undefined,
        () => undefined,
      )
      return done
    },
    async begin(name) {
      const all = await load()
      while (all.length >= limits.turns && (await removeOldest(all)));
      const own = join(folder, name)
      await mkdir(own, { recursive: true, mode: 0o700 })
      all.push({ name, bytes: 0, open: true })
      return own
    },
    async room(name, bytes) {
      const all = await load()
      const own = all.find((one) => one.name === name)
      if (!own) return false
      while (total + bytes > limits.bytes && (await removeOldest(all)));
      if (total + bytes > limits.bytes) return false
      own.bytes += bytes
      total += bytes
      return true
    },
    unused(name, bytes) {
      const own = kept?.find((one) => one.name === name)
      if (!own) return
      own.bytes -= bytes
      total -= bytes
    },
    end(name) {
      const own = kept?.find((one) => one.name === name)
      if (own) own.open = false
    },
  }
}

async function sized(folder: string, name: string): Promise<{ name: string; bytes: number; at: number }> {
  const own = join(folder, name)
  const files = await readdir(own).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOTDIR') return []
    throw error
  })
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(own, file))).size))
  return { name, bytes: sizes.reduce((sum, size) => sum + size, 0), at: (await stat(own)).mtimeMs }
}
