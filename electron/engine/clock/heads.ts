import type { Book } from './book.ts'
import type { SessionTasks, Task } from './task.ts'

/** What is asked of a session's alarms over and over, so that nobody goes through all of them for it. */
export interface Head {
  state: SessionTasks
  /** how many will still ring for it, and the next of them */
  waiting: number
  first: Task | null
  /** of all of them, delivered ones too */
  earliest: number
}

/** In the order of the book. */
export interface Heads {
  changed(sessionId: string): void
  of(sessionId: string): Head | null
  all(): IterableIterator<Head>
}

export function createHeads(book: Pick<Book, 'of'>): Heads {
  const heads = new Map<string, Head>()
  return {
    changed(sessionId) {
      const state = book.of(sessionId)
      if (state) heads.set(sessionId, headOf(state))
      else heads.delete(sessionId)
    },
    of: (sessionId) => heads.get(sessionId) ?? null,
    all: () => heads.values(),
  }
}

function headOf(state: SessionTasks): Head {
  const head: Head = { state, waiting: 0, first: null, earliest: Infinity }
  for (const task of state.tasks) {
    if (task.dueAtMs < head.earliest) head.earliest = task.dueAtMs
    if (task.deliveredAtMs !== undefined) continue
    head.waiting += 1
    if (head.first === null || task.dueAtMs < head.first.dueAtMs) head.first = task
  }
  return head
}
