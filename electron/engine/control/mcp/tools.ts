/**
 * The tools of `onward mcp`, each of one operation of the control API, whose input it has. What a tool says of itself
 * is for models to read.
 */
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { operations, type OperationName } from '../../../../shared/operations/index.ts'

export interface ToolShape {
  title: string
  description: string
  operation: OperationName
  /** what an input that is no object is called, and what it is where it is left out */
  named?: { name: string; otherwise?: unknown }
  annotations: ToolAnnotations
  /** a person says yes first */
  asks?: 'goal' | 'dialog'
}

const reads = { readOnlyHint: true, openWorldHint: false } as const
const session = 'session: its id, an unambiguous beginning of it, its name, or its terminal’s id.'
const times = 'Times are epoch milliseconds; read_time turns words into one.'

export const tools: Readonly<Record<string, ToolShape>> = {
  status: {
    title: 'Status',
    description: 'What Onward does right now: whether it is paused, how many sessions work or need a person.',
    operation: 'status',
    annotations: reads,
  },
  sessions: {
    title: 'Sessions',
    description: 'Every session of a coding agent: what it does, why, its goal and what waits for it.',
    operation: 'sessions',
    annotations: reads,
  },
  why: {
    title: 'Why',
    description: `What happened, oldest first, and why something was sent or not. ${session} null: all of them.`,
    operation: 'timeline',
    annotations: reads,
  },
  report: {
    title: 'Report',
    description:
      'What each agent did since a time, what kept it from working, and what it needs. ' +
      'since: epoch milliseconds; left out: 18:00 of the day before.',
    operation: 'report',
    named: { name: 'since', otherwise: null },
    annotations: reads,
  },
  say: {
    title: 'Say',
    description:
      `Queues a message for a session: it is typed once, when its agent is idle and nothing stands in the way. ` +
      `The agent then acts on it. ${session}`,
    operation: 'say',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  alarms: {
    title: 'Alarms',
    description: 'Messages that sessions get at set times: those that wait, that were missed, and how the last ended.',
    operation: 'alarms',
    annotations: reads,
  },
  read_time: {
    title: 'Read a time',
    description: 'Reads “in 20 min”, “tomorrow 9:00”, “every weekday at 9:30” or an ISO instant; changes nothing.',
    operation: 'readTime',
    named: { name: 'text' },
    annotations: reads,
  },
  add_alarm: {
    title: 'Add an alarm',
    description: `Sets an alarm: at dueAt the session is told the task. ${times} ${session}`,
    operation: 'addAlarm',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  },
  edit_alarm: {
    title: 'Change an alarm',
    description: `Changes time, text or repetition of an alarm; what is left out stays. ${times}`,
    operation: 'editAlarm',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  },
  cancel_alarm: {
    title: 'Cancel an alarm',
    description: 'Cancels an alarm, of a repeated one all that is to come. alarm: its id or the beginning of it.',
    operation: 'cancelAlarm',
    named: { name: 'alarm' },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
  arm_goal: {
    title: 'Arm a goal',
    description:
      'Asks a person to set a goal for a session: each time its agent stops, a reviewer looks and sends the next ' +
      'message until the goal is reached. Without the person’s yes nothing is set. ' +
      `rounds: how many at most; left out: no limit. ${session}`,
    operation: 'askForGoal',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    asks: 'goal',
  },
  answer_dialog: {
    title: 'Answer a dialog',
    description:
      'Asks a person whether a choice of an agent’s open dialog is to be pressed. Without their yes nothing is. ' +
      'terminalId, question, about and choice: as `sessions` shows them under asked.',
    operation: 'answerDialog',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    asks: 'dialog',
  },
}

/** What a tool takes, as an object. */
export function inputOf({ operation, named }: ToolShape): z.ZodType {
  const made = operations[operation].input as ((zod: typeof z) => z.ZodType) | null
  if (made === null) return z.object({})
  const shape = made(z)
  if (!named) return shape
  return z.object({ [named.name]: 'otherwise' in named ? shape.default(named.otherwise) : shape })
}

export interface JsonSchema {
  [member: string]: unknown
  type: 'object'
}

export function schemaOf(tool: ToolShape): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(inputOf(tool), { io: 'input', unrepresentable: 'any' })
  return { ...schema, type: 'object' }
}
