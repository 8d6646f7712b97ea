import { z } from 'zod'
import { fileNameOf } from '../../store/file-name.ts'
import type { DocumentSpec } from '../../store/types.ts'
import { jsonObject, taskShape, type SessionTasks, type Task } from '../model/task.ts'

export const clockFolder = 'clock'
/** the time sync's own file in the same folder */
export const syncFile = 'ntp-state.json'

/** A session that is called like the sync's file gets another name, as file names of devices do. */
export const clockFile = (sessionId: string): string => {
  const name = `${fileNameOf(sessionId)}.json`
  return name === syncFile ? `%${name.charCodeAt(0).toString(16)}${name.slice(1)}` : name
}

export const fileShape = z.object({
  sessionId: z.string().min(1),
  scope: z.custom<NonNullable<SessionTasks['scope']>>((value) => typeof value === 'string').optional(),
  tasks: z.array(taskShape),
  updatedAtMs: z.number(),
})

/** Arguments are an object in the file, for other programs that read it; what is none stays the text that it is. */
const encode = (value: SessionTasks): SessionTasks =>
  value.tasks.some((task) => task.arguments !== undefined)
    ? { ...value, tasks: value.tasks.map((task) => ({ ...task, ...argumentsOf(task) })) }
    : value
function argumentsOf({ arguments: text }: Task): object {
  if (text === undefined) return {}
  const value = jsonObject(text)
  return { arguments: value ?? text }
}

/** Characters of a file that is written whole for one change of it. */
const mostWhole = 64 * 1024

export const clockSpecAt = (file: string): DocumentSpec<SessionTasks> => ({
  path: `${clockFolder}/${file}`,
  version: 1,
  journaled: mostWhole,
  parse: (value) => fileShape.parse(value),
  encode,
})
export const clockSpec = (sessionId: string): DocumentSpec<SessionTasks> => clockSpecAt(clockFile(sessionId))
