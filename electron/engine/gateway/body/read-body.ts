import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { OnwardError, messageOf } from '../../base/errors.ts'
import { freeMemory } from '../../base/free-memory.ts'
import { encodings, encodingsIn, unpacking } from '../../base/network/unpack.ts'
import type { Refusal } from '../access/authenticate.ts'

/** Whatever the limit of one body: agents send some hundred KB, and a few dozen of them at once are ordinary. */
const leastBudgetBytes = 256 * 1024 * 1024

/** The most that all request bodies may hold together: those coming in, unpacked ones, and those a turn still needs. */
export interface BodyBudget {
  open(): BodyShare
  /** how much is free now */
  free(): number
  /** One at a time: bodies that are unpacked side by side would take each other's room, and none would be whole. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

/** One request's part of it. */
export interface BodyShare {
  /** false: all is taken; nothing was */
  take(bytes: number): boolean
  give(bytes: number): void
  /** gives back all it has; again does nothing */
  close(): void
}

/** @param mostBytes of one body, as the config says now: two of them fit at any rate */
export function createBodyBudget(mostBytes: () => number, leastBytes = leastBudgetBytes): BodyBudget {
  let taken = 0
  let before: Promise<unknown> = Promise.resolve()
  const free = () => Math.max(leastBytes, 2 * mostBytes()) - taken
  return {
    free,
    inTurn(work) {
      const done = before.then(work)
      before = done.catch(() => undefined)
      return done
    },
    open() {
      let own = 0
      return {
        take(bytes) {
          if (bytes > free()) return false
          own += bytes
          taken += bytes
          return true
        },
        give(bytes) {
          const back = Math.min(bytes, own)
          own -= back
          taken -= back
        },
        close() {
          taken -= own
          own = 0
        },
      }
    },
  }
}

/** seconds: bodies come and go within one */
const retryAfter = 1

export const noRoom = (): OnwardError =>
  new OnwardError(
    'bodies-in-flight',
    'Onward holds as many request bodies as it may at a time. Send this one again in a moment.',
    { status: 503, retryable: true, details: { retryAfter } },
  )
export type BodyRead = { kind: 'whole'; body: Buffer } | { kind: 'too-large' | 'no-room' | 'left' }

/**
 * Collects a request body of at most `limit` bytes. A larger one is given up as soon as that is known, from
 * content-length before a byte is read; what still comes in is thrown away unseen. So is one for which the budget has
 * no room.
 */
export function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  limit: number,
  share: BodyShare,
): Promise<BodyRead> {
  const announced = Number(req.headers['content-length'] ?? 0)
  if (announced > limit) return Promise.resolve({ kind: 'too-large' })
  // Taken at once: of many that grow side by side none might come to its end.
  if (!share.take(announced)) return Promise.resolve({ kind: 'no-room' })
  if (req.headers.expect !== undefined) res.writeContinue()
  return new Promise((resolve) => {
    const body = growingBody(announced)
    let bytes = 0
    let held = announced
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      const fits = bytes <= limit
      const more = Math.max(0, bytes - held)
      held += more
      if (fits && share.take(more)) return body.add(chunk)
      settle({ kind: fits ? 'no-room' : 'too-large' })
      req.resume()
    }
    const onEnd = () => settle({ kind: 'whole', body: body.take() })
    const onGone = () => settle({ kind: 'left' })
    // The listeners would hold on to the body as long as the request lives, which is as long as the answer streams.
    const settle = (result: BodyRead) => {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
      body.take()
      resolve(result)
    }
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}

/** Bytes of a body as they come; `take` empties it. */
export interface GrowingBody {
  /** the piece is the body's own from then on, and may be empty */
  add(chunk: Buffer): void
  take(): Buffer
}

/** A smaller body comes in one or two pieces, which cost less to keep than memory of its own. */
const joinedFrom = 64 * 1024

/** `announced`: its length, 0 where that is not known. */
export const growingBody = (announced: number): GrowingBody =>
  announced >= joinedFrom ? bodyOfLength(announced) : bodyInPieces()

/**
 * Each piece is put where it belongs as it comes, so that its own memory can go at once: the pieces of many bodies at a
 * time would outlive the collections that are cheap. The system gives the pages as they are written to, so a length
 * that is only announced takes none. Node ends no request whose body is not as long as announced.
 */
function bodyOfLength(announced: number): GrowingBody {
  let whole: Buffer | null = null
  let length = 0
  return {
    add(chunk) {
      whole ??= Buffer.allocUnsafeSlow(announced)
      length += chunk.copy(whole, length)
      freeMemory(chunk)
    },
    take() {
      const taken = whole?.subarray(0, length) ?? nothing
      whole = null
      length = 0
      return taken
    },
  }
}

function bodyInPieces(): GrowingBody {
  let chunks: Buffer[] = []
  return {
    add(chunk) {
      chunks.push(chunk)
    },
    take() {
      const whole = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
      chunks = []
      return whole
    },
  }
}

const nothing = Buffer.alloc(0)

/**
 * Undoes `content-encoding`, piece by piece: each piece that comes out is counted before the next is made, against the
 * limit of one body, so that a small bomb stays small, and against what all bodies may hold. The share then has what
 * came out in place of what went in.
 * @throws OnwardError `unsupported-encoding` (415), `bad-encoding` (400), `body-too-large` (413), `bodies-in-flight`
 *   (503)
 */
export async function decodeBody(
  body: Buffer,
  contentEncoding: string,
  limit: number,
  share: BodyShare,
): Promise<Buffer> {
  let plain = body
  for (const name of encodingsIn(contentEncoding)) {
    const decoder = unpacking(name, plain[0])
    if (!decoder) {
      throw new OnwardError(
        'unsupported-encoding',
        `Onward can't read a body with content-encoding "${name.slice(0, 40)}". It reads: ${encodings.join(', ')}.`,
        { status: 415 },
      )
    }
    const packed = plain
    plain = await decodeOnce(decoder, packed, name, limit, share)
    share.give(packed.length)
  }
  return plain
}

function decodeOnce(decoder: Duplex, body: Buffer, name: string, limit: number, share: BodyShare): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const stop = (error: OnwardError) => {
      chunks.length = 0
      decoder.destroy()
      reject(error)
    }
    decoder.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > limit) stop(tooLarge(limit))
      else if (!share.take(chunk.length)) stop(noRoom())
      else chunks.push(chunk)
    })
    decoder.on('end', () => resolve(Buffer.concat(chunks, bytes)))
    decoder.on('error', (error: unknown) =>
      stop(
        new OnwardError('bad-encoding', `The body is not valid ${name}: ${messageOf(error)}.`, {
          status: 400,
          cause: error,
        }),
      ),
    )
    decoder.end(body)
  })
}

export const tooLarge = (limit: number): OnwardError =>
  new OnwardError(
    'body-too-large',
    `This request body is larger than ${limit} bytes, the limit server.maxBodyBytes sets.`,
    { status: 413 },
  )

/**
 * null when the body is declared as JSON text in UTF-8. Only a declared JSON body is read: no form of a web page can
 * send one.
 */
export function refuseMediaType(contentType: string | undefined): Refusal | null {
  if (contentType === 'application/json') return null
  if (contentType === undefined) return unsupported('This call has no content-type. Send the body as application/json.')
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  if (type !== 'application/json' && !/^application\/[\w.+-]+\+json$/.test(type)) {
    return unsupported(`Onward reads application/json, not "${type.slice(0, 100)}".`)
  }
  const charset = parameters
    .find((p) => p.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '')
  return charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii'
    ? null
    : unsupported(`Onward reads JSON in UTF-8, not in "${charset.slice(0, 40)}".`)
}

const unsupported = (message: string): Refusal => ({ status: 415, code: 'unsupported-media-type', message })
