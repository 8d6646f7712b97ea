import { z } from 'zod'
import type { ClockSync } from '../../../../shared/alarms/alarms.ts'
import { sentencesOf } from '../../../../shared/sentences/index.ts'
import { type Clock, nowFacts } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import { isoInstant } from '../../base/calendar/iso-instant.ts'
import type { Task } from '../../clock/model/task.ts'
import type { AlarmLists, AlarmCommands, AlarmRequest } from '../../clock/model/types.ts'
import type { ToolDeclaration } from '../../protocol/server-tools/types.ts'
import type { CalledTool, ToolPlan, TurnView } from '../types.ts'

export interface ClockToolDeps {
  /** corrected by the time sync */
  clock: Clock
  sync(): ClockSync
  /** IANA name of the machine's zone */
  timezone(): string
  alarms: Pick<AlarmCommands, 'schedule' | 'cancel' | 'clear'> & Pick<AlarmLists, 'listFor' | 'of'>
}

/** The tool `clock`. A call is answered once its effect is on the disk. */
export function createClockTool(deps: ClockToolDeps): CalledTool {
  return {
    trigger: 'tool_call',
    name: 'clock',
    aliases: [],
    about: 'Tells the model the time and sets alarms for its session.',
    onByDefault: true,
    declared: 'every-turn',
    declaration: () => clockDeclaration,
    offered: () => true,
    problem: () => null,
    inOrder: true,
    timeoutMs: () => 10_000,
    did: 'used the clock',
    async run({ input }, { turn }) {
      try {
        return await act(readClockInput(input), turn, deps)
      } catch (error) {
        if (!OnwardError.isInstance(error)) throw error
        const { code, message } = error
        return {
          kind: 'result',
          text: JSON.stringify({ ok: false, error: { code, message } }),
          isError: true,
          failure: { code, message },
        }
      }
    },
  }
}

async function act(
  input: ClockInput,
  { sessionId, requestId }: TurnView,
  { alarms, clock, sync, timezone }: ClockToolDeps,
): Promise<ToolPlan> {
  const { action } = input
  const done = (result: object, note: string): ToolPlan => ({
    kind: 'result',
    text: JSON.stringify({ ok: true, ...result }),
    note,
  })
  const zone = timezone()
  if (action === 'get') {
    const { status, offsetMs, at, lastError } = sync()
    return done(
      { action, active: true, ...nowFacts(clock.now(), zone), ntp: { status, offsetMs, lastSyncMs: at, lastError } },
      'the time',
    )
  }
  if (sessionId === null)
    throw new OnwardError(
      'no-session',
      `This client names no session, so alarms can't be kept for it: “${action}” can't be done. “get” works.`,
    )
  const asItem = ({ taskId, dueAtMs, task, repeat }: Task) => ({
    taskId,
    dueAt: nowFacts(dueAtMs, zone).local,
    task,
    ...(repeat ? { repeats: sentencesOf('en').repeatNow({ ...repeat, shownIn: zone }) } : {}),
  })
  switch (action) {
    case 'schedule': {
      if (input.items.length > 1 && alarms.of(sessionId).some(({ taskId }) => taskId === input.taskId))
        throw new OnwardError(
          'one-item',
          'A taskId overwrites that one alarm: give one item with it, or taskId "" to set several. ' +
            'Nothing was scheduled.',
        )
      const scheduled = await alarms.schedule(sessionId, requestsOf(input), { by: 'model', requestId })
      return done({ scheduled: scheduled.map(asItem) }, count(scheduled.length, 'set'))
    }
    case 'list': {
      const items = alarms.listFor(sessionId, requestId).map((task) => ({
        ...asItem(task),
        ...(task.deliveredAtMs === undefined ? {} : { deliveredAt: nowFacts(task.deliveredAtMs, zone).local }),
      }))
      return done({ items }, count(items.length, 'listed'))
    }
    case 'cancel':
      await alarms.cancel(input.taskId, 'model', { sessionId, requestId })
      return done({ removed: input.taskId }, count(1, 'cancelled'))
    case 'clear': {
      const removedCount = await alarms.clear(sessionId, 'model', requestId)
      return done({ removedCount }, count(removedCount, 'cancelled'))
    }
  }
}

const count = (n: number, what: string): string => (n === 1 ? `1 alarm ${what}` : `${n} alarms ${what}`)

const text = (description: string) => ({ type: 'string', description })

/** A strict schema: all properties are required, and an action gets `[]` or `""` for those it does not need. */
export const clockDeclaration: ToolDeclaration = {
  name: 'clock',
  description:
    'Time and alarms of this session. "get": the exact time, date and zone. "schedule": sets alarms, or ' +
    'with a taskId overwrites that one; at its time each comes back to you as a message, also hours later and ' +
    'after your turn has ended, so schedule one instead of waiting or polling. "list": what is set. "cancel": ' +
    'one, by taskId. "clear": all of this session. Give items [] and taskId "" where an action needs none.',
  parameters: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['get', 'schedule', 'list', 'cancel', 'clear'] },
      items: {
        type: 'array',
        description: 'alarms to schedule, else []',
        items: {
          type: 'object',
          properties: {
            dueAt: text(
              'ISO 8601 with zone, like 2026-01-21T20:30:00-08:00; ask "get" first if you are not sure of the time',
            ),
            task: text('what to do then, in words that say enough without this conversation'),
            tool: text('a hint which tool to use, or ""'),
            arguments: text('a hint with what arguments, as a JSON string, or "{}"'),
          },
          required: ['dueAt', 'task', 'tool', 'arguments'],
          additionalProperties: false,
        },
      },
      taskId: text('the alarm to cancel, or that the one item overwrites, else ""'),
    },
    required: ['action', 'items', 'taskId'],
    additionalProperties: false,
  },
  strict: true,
}

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
type ClockInput = z.infer<typeof input>

/** @throws OnwardError `bad-arguments`, in words by which a model can correct its call */
function readClockInput(value: Readonly<Record<string, unknown>> | null): ClockInput {
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
function requestsOf(input: Extract<ClockInput, { action: 'schedule' }>): AlarmRequest[] {
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
