import type { Scope } from '../../../../shared/words.ts'
import { freeze } from '../../store/document.ts'
import { isFree } from '../model/due.ts'
import type { SessionTasks, Task } from '../model/task.ts'

/**
 * A session's alarms as memory keeps them: in one text, since as objects a hundred thousand of them take nearly twice
 * the room. Facts that are needed often are kept beside it, so that the text need not be read for them.
 */
export interface PackedTasks {
  readonly sessionId: string
  readonly scope: Scope | undefined
  readonly updatedAtMs: number
  /** a line of JSON for each alarm */
  readonly lines: string
  /** how many will still ring for it */
  readonly waiting: number
  /** where the line of the next of them begins, and when it is due; Infinity: none waits */
  readonly firstAt: number
  readonly firstDueAtMs: number
  /** of those that no route has yet */
  readonly freeDueAtMs: number
  /** of all of them, delivered ones too */
  readonly earliest: number
}

/**
 * Its time stands first: it is read alone where only that matters. null: the same time as it was created at. The rest:
 * what most alarms don't have.
 */
type Line = [
  dueAtMs: number,
  taskId: string,
  task: string,
  createdAtMs: number,
  updatedAtMs: number | null,
  deliveryCount: number,
  rest?: Partial<Task>,
]

export function packTasks({ sessionId, scope, tasks, updatedAtMs }: SessionTasks): PackedTasks {
  const lines: string[] = []
  let [waiting, firstAt, length] = [0, 0, 0]
  let [firstDueAtMs, freeDueAtMs, earliest] = [Infinity, Infinity, Infinity]
  for (const task of tasks) {
    const line = lineOf(task, sessionId)
    lines.push(line)
    if (task.dueAtMs < earliest) earliest = task.dueAtMs
    if (task.deliveredAtMs === undefined) {
      waiting += 1
      if (task.dueAtMs < firstDueAtMs) {
        firstAt = length
        firstDueAtMs = task.dueAtMs
      }
    }
    if (task.dueAtMs < freeDueAtMs && isFree(task)) freeDueAtMs = task.dueAtMs
    length += line.length + 1
  }
  return {
    sessionId,
    scope,
    updatedAtMs,
    lines: lines.join('\n'),
    waiting,
    firstAt,
    firstDueAtMs,
    freeDueAtMs,
    earliest,
  }
}

export function unpackTasks({ sessionId, scope, lines, updatedAtMs }: PackedTasks): SessionTasks {
  const tasks = lines.split('\n').map((line) => taskOf(line, sessionId))
  return freeze({ sessionId, ...(scope === undefined ? {} : { scope }), tasks, updatedAtMs })
}

/** The next that will ring for it, without reading the others. */
export function firstOf({ sessionId, lines, waiting, firstAt }: PackedTasks): Task | null {
  if (waiting === 0) return null
  const end = lines.indexOf('\n', firstAt)
  return freeze(taskOf(lines.slice(firstAt, end < 0 ? undefined : end), sessionId))
}

/** Those that are due by then. */
export function* dueBy({ sessionId, lines }: PackedTasks, bound: number): Generator<Task> {
  for (let at = 0, end; at < lines.length; at = end + 1) {
    end = lines.indexOf('\n', at)
    if (end < 0) end = lines.length
    if (Number(lines.slice(at + 1, lines.indexOf(',', at))) <= bound)
      yield freeze(taskOf(lines.slice(at, end), sessionId))
  }
}

/** The text in the lines of an alarm with this id, or with an id that begins like this. It may be elsewhere, too. */
export const markOfId = (id: string): string => `,${JSON.stringify(id)}`
export const markOfStart = (start: string): string => markOfId(start).slice(0, -1)

function lineOf(alarm: Task, ofSession: string): string {
  const { taskId, task, dueAtMs, createdAtMs, updatedAtMs, deliveryCount, ...others } = alarm
  const { sessionId, setBy, ...rest } = others
  const line: Line = [
    dueAtMs,
    taskId,
    task,
    createdAtMs,
    updatedAtMs === createdAtMs ? null : updatedAtMs,
    deliveryCount,
  ]
  const kept: { -readonly [K in keyof Task]?: Task[K] } = rest
  if (sessionId !== ofSession) kept.sessionId = sessionId
  if (setBy !== 'model') kept.setBy = setBy
  for (const _ in kept) {
    line.push(kept)
    break
  }
  return JSON.stringify(line)
}

function taskOf(text: string, ofSession: string): Task {
  // Written by `lineOf`, and never outside of this process.
  const [dueAtMs, taskId, task, createdAtMs, updatedAtMs, deliveryCount, rest] = JSON.parse(text) as Line
  return {
    taskId,
    sessionId: ofSession,
    dueAtMs,
    createdAtMs,
    updatedAtMs: updatedAtMs ?? createdAtMs,
    task,
    setBy: 'model',
    deliveryCount,
    ...rest,
  }
}
