import { alarmRoutes } from '../../../../shared/alarms/alarms.ts'
import type { SessionTasks, Task } from '../model/task.ts'

/**
 * A session's alarms as Onward itself wrote them, seen at a glance: a hundred thousand are read at a start, and
 * checking each by its schema would take most of the time. Only what the schema would leave as it is passes; of
 * anything else (a member too many or too few, a default to fill in) the schema is asked. @param value fresh from JSON:
 * it is kept
 */
export function plainFile(value: unknown): SessionTasks | null {
  if (!isPlain(value) || !isPlainFile(value)) return null
  // One text for all of them, in the place of one more for each.
  for (const task of value.tasks as readonly unknown[] as { sessionId: string; arguments?: unknown }[]) {
    if (task.sessionId === value.sessionId) task.sessionId = value.sessionId
    if (typeof task.arguments === 'object') task.arguments = JSON.stringify(task.arguments)
  }
  return value
}

type Plain = Readonly<Record<string, unknown>>

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)
const isNumber = (value: unknown): boolean => Number.isFinite(value)
const isName = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isText = (value: unknown): boolean => typeof value === 'string'

function isPlainFile(file: Plain): file is Plain & SessionTasks {
  let needed = 0
  for (const key in file) {
    const value = file[key]
    switch (key) {
      case 'sessionId':
        if (!isName(value)) return false
        needed += 1
        break
      case 'scope':
        if (!isText(value)) return false
        break
      case 'tasks':
        if (!Array.isArray(value) || !value.every(isPlainTask)) return false
        needed += 1
        break
      case 'updatedAtMs':
        if (!isNumber(value)) return false
        needed += 1
        break
      default:
        return false
    }
  }
  return needed === 3
}

function isPlainTask(task: unknown): task is Task {
  if (!isPlain(task)) return false
  let needed = 0
  for (const key in task) {
    const value = task[key]
    switch (key) {
      case 'taskId':
      case 'sessionId':
        if (!isName(value)) return false
        needed += 1
        break
      case 'dueAtMs':
      case 'createdAtMs':
      case 'updatedAtMs':
        if (!isNumber(value)) return false
        needed += 1
        break
      case 'task':
        if (!isText(value)) return false
        needed += 1
        break
      case 'setBy':
        if (value !== 'model' && value !== 'user') return false
        needed += 1
        break
      case 'deliveryCount':
        if (!Number.isSafeInteger(value) || Number(value) < 0) return false
        needed += 1
        break
      case 'arguments':
        if (!isText(value) && !isPlain(value)) return false
        break
      case 'tool':
      case 'notBeforeRequestId':
        if (!isText(value)) return false
        break
      case 'rangAtMs':
      case 'deliveredAtMs':
        if (!isNumber(value)) return false
        break
      case 'claim':
        if (!isPlainClaim(value)) return false
        break
      // Repeated alarms are left to the schema: there are few.
      default:
        return false
    }
  }
  return needed === 8
}

function isPlainClaim(claim: unknown): boolean {
  if (!isPlain(claim)) return false
  let needed = 0
  for (const key in claim) {
    const value = claim[key]
    switch (key) {
      case 'route':
        if (!routes.has(value)) return false
        break
      case 'by':
        if (!isText(value)) return false
        break
      case 'at':
        if (!isNumber(value)) return false
        break
      default:
        return false
    }
    needed += 1
  }
  return needed === 3
}

const routes: ReadonlySet<unknown> = new Set(alarmRoutes)
