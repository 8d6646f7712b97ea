import type { Document } from './types.ts'

export interface DocumentDisk<T> {
  /** puts the value on the disk; null removes the file. Rejects with the error the callers get. */
  write(value: T | null): Promise<void>
  /** called when writing begins (true) and when nothing is left to write (false) */
  busy(working: boolean): void
}

export interface QueuedDocument<T> extends Document<T> {
  /** resolves when nothing is being written; rejects with the last error when the last write failed */
  settled(): Promise<void>
}

interface Step<T> {
  change(current: T | null): T | null
  done(value: T | null): void
  fail(error: unknown): void
}

/**
 * One file's writer queue. While a write runs, further changes gather and become one write; each caller is answered
 * only when its own change is on the disk, and memory shows a value only then.
 */
export function queuedDocument<T>(loaded: T | null, disk: DocumentDisk<T>): QueuedDocument<T> {
  let committed = freeze(loaded)
  let waiting: Step<T>[] = []
  let running: Promise<void> | null = null
  let lastError: unknown = null

  const enqueue = (change: Step<T>['change']) =>
    new Promise<T | null>((done, fail) => {
      waiting.push({ change, done, fail })
      running ??= drain()
    })

  const drain = async () => {
    disk.busy(true)
    // callers of the same tick share the first write
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await writeBatch(batch)
    }
    running = null
    disk.busy(false)
  }

  const writeBatch = async (batch: readonly Step<T>[]) => {
    let next = committed
    const applied: { step: Step<T>; value: T | null }[] = []
    for (const step of batch) {
      try {
        next = freeze(step.change(next))
        applied.push({ step, value: next })
      } catch (error) {
        step.fail(error)
      }
    }
    try {
      if (next !== committed) await disk.write(next)
      committed = next
      lastError = null
    } catch (error) {
      lastError = error
      for (const { step } of applied) step.fail(error)
      return
    }
    for (const { step, value } of applied) step.done(value)
  }

  return {
    get: () => committed,
    async set(value) {
      await enqueue(() => value)
    },
    update: enqueue,
    async remove() {
      await enqueue(() => null)
    },
    async settled() {
      while (running) await running
      if (lastError !== null) throw lastError
    },
  }
}

/** Freezes plain data all the way down. What is frozen already is taken as done, so repeated calls cost little. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) freeze(part)
  return Object.freeze(value)
}
