import { z } from 'zod'
import { OnwardError } from '../../base/errors.ts'
import { isoInstant } from '../../base/parse.ts'
import type { AlarmRequest } from '../../clock/model/types.ts'

const longest = 4_000

const item = z.object({
  dueAt: z.string(),
  task: z.string().min(1).max(longest),
  tool: z.string().max(200).default(''),
  arguments: z.string().max(longest).default('{}'),
  /** not declared, but some models know it from the list */
  taskId: z.string().optional(),
})
const items = z.array(item)
/** Fields that an action does not need are not validated: models fill them with all sorts of things. */
const input = z.discriminatedUnion('action', [
  z.object({ action: z.literal('get') }),
  z.object({ action: z.literal('schedule'), items, taskId: z.unknown() }),
  z.object({ action: z.literal('list') }),
  z.object({ action: z.literal('cancel'), taskId: z.string().min(1) }),
  z.object({ action: z.literal('clear') }),
])
export type ClockInput = z.infer<typeof input>

/** @throws OnwardError `bad-arguments`, in words by which a model can correct its call */
export function readClockInput(value: Readonly<Record<string, unknown>> | null): ClockInput {
  const read = input.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const at = issue?.path.join('.') ?? ''
  throw new OnwardError(
    'bad-arguments',
    value === null
      ? 'The arguments are no JSON object.'
      : `${at === '' ? 'The arguments' : `“${at}”`} can't be read: ` +
          `${issue?.message ?? 'not as declared'}. The actions are get, schedule, list, cancel and clear.`,
  )
}

/** @throws OnwardError `bad-due-at`, `no-items`; one bad item fails the call whole */
export function requestsOf(input: Extract<ClockInput, { action: 'schedule' }>): AlarmRequest[] {
  if (input.items.length === 0) throw new OnwardError('no-items', 'Nothing to schedule: “items” is empty.')
  return input.items.map(({ dueAt, task, tool, arguments: args, taskId }, i) => {
    const dueAtMs = isoInstant(dueAt.trim())
    if (dueAtMs === null && /\b(?:every|each|daily|hourly|rrule)\b|每/i.test(dueAt))
      throw new OnwardError(
        'bad-due-at',
        `items.${i}.dueAt “${dueAt.slice(0, 60)}” repeats, and this tool sets alarms of one time: ` +
          'repeated ones are for people to set. Schedule the next time, and the one after it when that comes. ' +
          'Nothing was scheduled.',
      )
    if (dueAtMs === null)
      throw new OnwardError(
        'bad-due-at',
        `items.${i}.dueAt “${dueAt.slice(0, 60)}” is no ISO 8601 time with ` +
          'zone, like 2026-01-21T20:30:00-08:00. Nothing was scheduled.',
      )
    return {
      dueAtMs,
      task,
      tool: tool.trim(),
      arguments: args.trim(),
      taskId: taskId || (input.items.length === 1 && typeof input.taskId === 'string' ? input.taskId : undefined),
    }
  })
}
