import type { IncomingMessage, ServerResponse } from 'node:http'
import { OnwardError } from '../../base/errors.ts'
import { growingBody } from './growing-body.ts'

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
