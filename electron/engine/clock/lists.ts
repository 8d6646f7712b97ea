import { OnwardError } from '../base/errors.ts'
import type { Book } from './book.ts'
import type { History } from './history.ts'
import type { MissedLedger } from './missed-ledger.ts'
import type { Task } from './task.ts'
import type { AlarmLists } from './types.ts'

const byDue = (a: Task, b: Task): number => a.dueAtMs - b.dueAtMs
/** it will still ring for its session */
const waits = ({ deliveredAtMs }: Task): boolean => deliveredAtMs === undefined
/** shorter beginnings of an id say too little */
const shortest = 4

/** What there is to see. `stale` is called when anything changed. */
export function createLists(book: Book, missed: MissedLedger, history: History): AlarmLists & { stale(): void } {
  let summary: { waiting: number; first: Task | null } | null = null

  const firstWaiting = (tasks: readonly Task[]): { waiting: number; first: Task | null } => {
    let waiting = 0
    let first: Task | null = null
    for (const task of tasks) {
      if (!waits(task)) continue
      waiting += 1
      if (first === null || task.dueAtMs < first.dueAtMs) first = task
    }
    return { waiting, first }
  }
  const matching = function* (wanted: string): Generator<Task> {
    for (const { tasks } of book.all()) for (const task of tasks) if (task.taskId.startsWith(wanted)) yield task
  }
  const only = (ids: ReadonlySet<string>, wanted: string): string => {
    const [id, other] = ids
    if (ids.has(wanted)) return wanted
    if (id === undefined || wanted.length < shortest) throw new OnwardError('alarm-unknown', `There is no alarm “${wanted}”. \`onward alarm list\` shows them.`, { status: 404 })
    if (other !== undefined) throw new OnwardError('alarm-ambiguous', `“${wanted}” could be several alarms. Write more of the id.`, { status: 409 })
    return id
  }
  return {
    stale() { summary = null },
    of: (sessionId) => (book.of(sessionId)?.tasks ?? []).toSorted(byDue),
    find(wanted) {
      const found = [...matching(wanted)]
      const id = only(new Set(found.map(({ taskId }) => taskId)), wanted)
      const task = found.find(({ taskId }) => taskId === id)
      if (!task) throw new OnwardError('alarm-unknown', `There is no alarm “${wanted}”.`, { status: 404 })
      return task
    },
    idOf(wanted) {
      const past = [...missed.list(), ...history.list()].map(({ task }) => task.taskId).filter((id) => id.startsWith(wanted))
      return only(new Set([...[...matching(wanted)].map(({ taskId }) => taskId), ...past]), wanted)
    },
    list(most) {
      // Of very many only the next are wanted: sorting them all for every change would cost more than the change.
      let found: Task[] = []
      let bound = Infinity
      for (const { tasks } of book.all()) {
        for (const task of tasks) if (task.dueAtMs < bound) found.push(task)
        if (found.length < 2 * most) continue
        found = found.sort(byDue).slice(0, most)
        bound = found.at(-1)?.dueAtMs ?? Infinity
      }
      return found.sort(byDue).slice(0, most)
    },
    next() {
      if (summary) return summary
      let waiting = 0
      let first: Task | null = null
      for (const { tasks } of book.all()) {
        const one = firstWaiting(tasks)
        waiting += one.waiting
        if (one.first && (first === null || one.first.dueAtMs < first.dueAtMs)) first = one.first
      }
      summary = { waiting, first }
      return summary
    },
    nextOf(sessionId) {
      const { waiting, first } = firstWaiting(book.of(sessionId)?.tasks ?? [])
      return first && { waiting, first }
    },
    missed: () => missed.list(),
    missedCount: () => missed.count(),
    history: () => history.list(),
  }
}
