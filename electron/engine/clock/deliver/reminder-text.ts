import { nowFacts } from '../../base/clock.ts'
import type { Task } from '../model/task.ts'

/** Text that Onward types stays shorter than what clients take for a paste. */
const typedChars = 780
/** Characters of one alarm in a request. */
const taskChars = 4_000

const quoted = (text: string, most: number): string =>
  (text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1)).trimEnd()}…`).replaceAll('"', "'")
const due = ({ dueAtMs }: Task, zone: string): string => nowFacts(dueAtMs, zone).local

/** The user's message that goes with a request: all of it, a line per alarm. */
export function reminderText(tasks: readonly Task[], zone: string): string {
  const lines = tasks.map((task) => {
    const hint = task.tool
      ? `, suggested tool ${task.tool}${task.arguments && task.arguments !== '{}' ? ` with ${task.arguments}` : ''}`
      : ''
    return (
      `- [scheduled task:"${quoted(task.task, taskChars)}"] due ${due(task, zone)}` +
      `, set by ${task.setBy === 'model' ? 'you' : 'the user'}${hint}`
    )
  })
  return (
    `${tasks.length === 1 ? 'An alarm of this session is due:' : `${tasks.length} alarms of this session are due:`}` +
    `\n${lines.join('\n')}\nDo what they ask now; you may call tools for it, and the system completes ` +
    'the list of tools where some are missing. Then go on with what you were doing.'
  )
}

/** The same for a terminal: one line, as short as a client passes on without wrapping it. */
export function typedReminder(tasks: readonly Task[], zone: string): string {
  const head = tasks.length === 1 ? 'An alarm is due: ' : `${tasks.length} alarms are due: `
  const tail = '. Do this now; you may call tools for it, and the system completes missing ones.'
  const dues = tasks.map((task) => ` due ${due(task, zone)}`)
  const frame =
    head.length + tail.length + dues.reduce((sum, text) => sum + text.length + '[scheduled task:""]; '.length, 0)
  const each = Math.floor((typedChars - frame) / tasks.length)
  // So many at once that hardly a word of each fits: the model can list them.
  if (each < 12)
    return `${head}${quoted(
      tasks
        .map(({ task }) => task)
        .join('; ')
        .replaceAll(/\s+/g, ' '),
      typedChars - head.length - 90,
    )}. The tool clock lists all of them. Do this now.`
  return (
    `${head}` +
    tasks
      .map((task, i) => `[scheduled task:"${quoted(task.task.replaceAll(/\s+/g, ' '), each)}"]${dues[i]}`)
      .join('; ') +
    `${tail}`
  )
}
