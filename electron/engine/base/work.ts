import type { Clock } from './clock.ts'
import type { Disposable } from './disposable.ts'
import { messageOf } from './errors.ts'
import type { Log } from './log.ts'

/** Runs work one piece after the other, in the order it was handed in. A piece that throws does not stop the next. */
export type Serial = <T>(work: () => Promise<T>) => Promise<T>

export function serial(): Serial {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = last.then(work, work)
    last = run.catch(() => undefined)
    return run
  }
}

/** Made when first asked for, and then kept. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** Work that has begun and not ended, by kind. Shows whether the engine is at rest. */
export interface InFlight {
  track<T>(what: string, work: Promise<T>): Promise<T>
  /** It only waits for a set time (epoch milliseconds) and does nothing until then; null: it goes on. */
  waits(what: string, until: number | null): void
  /** without what waits for a time to come */
  list(): readonly string[]
}

/** @param now the clock for start times */
export function createInFlight(now: () => number): InFlight {
  const running = new Map<string, { until: number | null }>()
  return {
    async track(what, work) {
      running.set(what, { until: null })
      try {
        return await work
      } finally {
        running.delete(what)
      }
    },
    waits(what, until) {
      if (running.has(what)) running.set(what, { until })
    },
    list: () => Array.from(running).flatMap(([what, { until }]) => (until !== null && until > now() ? [] : [what])),
  }
}

/** how a request is called there */
export const requestWork = (requestId: string): string => `request ${requestId}`

/** Holds back less urgent work until something more urgent is done. */
export interface Gate {
  opened: Promise<void>
  /** once is enough */
  open(): void
}

export function gate(): Gate {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** ms of one turn of the event loop that all work of this kind together may take. */
const LONGEST_MS = 5

let began: number | null = null
let isArmed = false
const waiting: (() => void)[] = []

function arm(): void {
  if (isArmed) return
  isArmed = true
  setImmediate(nextTurn)
}

/** Each waiter gets a turn of the event loop of its own. */
function nextTurn(): void {
  isArmed = false
  began = null
  const work = waiting.shift()
  if (waiting.length > 0) arm()
  work?.()
}

/** Cuts long work on input from outside into pieces. */
export interface FairShare {
  /** to be asked before each piece; false: it is time to wait */
  hasTime(): boolean
  wait(then: () => void): void
}

/** One for the whole process, as its event loop is. */
export const fairShare: FairShare = {
  hasTime() {
    const now = performance.now()
    if (began === null) {
      began = now
      arm()
    }
    return now - began < LONGEST_MS
  },
  wait(then) {
    waiting.push(then)
    arm()
  },
}

/** To be awaited before each piece of what is long. */
export const ownShare = async (): Promise<void> => {
  if (!fairShare.hasTime()) await new Promise<void>(fairShare.wait)
}

const ownTurns: (() => void)[] = []

function next(): void {
  ownTurns.shift()?.()
  if (ownTurns.length > 0) setImmediate(next)
}

/**
 * Resolves in a turn of the event loop that no other caller gets: slices of work beside each other, at a start above
 * all, would make one long turn together.
 */
export const ownTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (ownTurns.push(resolve) === 1) setImmediate(next)
  })

/** Sums that change with every turn and are written once in a while. */
export interface LateWrite extends Disposable {
  /** they changed */
  soon(): void
  /** writes what waits */
  flush(): Promise<void>
}

export interface LateWriteParts {
  clock: Clock
  log: Log
  /** milliseconds; a crash may cost this much of the sums */
  after: number
  /** the log's text on a write that failed: sums are not worth keeping the engine from anything */
  failed: string
  write(): Promise<void>
}

export function writeLater({ clock, log, after, failed, write }: LateWriteParts): LateWrite {
  let timer: Disposable | null = null
  const stop = () => {
    timer?.dispose()
    timer = null
  }
  return {
    soon() {
      timer ??= clock.after(after, () => {
        timer = null
        write().catch((error: unknown) => log.warn({ why: messageOf(error) }, failed))
      })
    },
    async flush() {
      if (!timer) return
      stop()
      await write()
    },
    dispose: stop,
  }
}
