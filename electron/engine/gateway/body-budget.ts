import { OnwardError } from '../base/errors.ts'

/** Whatever the limit of one body: agents send some hundred KB, and a few dozen of them at once are ordinary. */
const leastBudgetBytes = 256 * 1024 * 1024

/** What all request bodies together may hold at a time: those coming in, those unpacked, those a turn still needs. */
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
