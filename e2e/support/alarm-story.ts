import type { TimelineEvent } from '../../shared/events.ts'
import type { TestControl } from './control-client.ts'
import { callTool, type AnswerPlan, type MockRequest } from './mock-upstream/index.ts'
import { at } from './mock-upstream/json-path.ts'
import { conversationOf } from './provider-history.ts'

/** The model sets alarms, as its tool `clock` wants them. */
export const schedule = (
  alarms: Readonly<Record<string, number>>,
  more: Parameters<typeof callTool>[2] = {},
): AnswerPlan =>
  callTool(
    'clock',
    {
      action: 'schedule',
      items: Object.entries(alarms).map(([task, dueAt]) => ({
        dueAt: new Date(dueAt).toISOString(),
        task,
        tool: '',
        arguments: '{}',
      })),
      taskId: '',
    },
    more,
  )

/** What becomes of alarms, with the steps of the terminal they are typed into. */
const steps: ReadonlySet<TimelineEvent['body']['type']> = new Set([
  'alarm-set',
  'alarm-changed',
  'alarm-cancelled',
  'alarm-rang',
  'alarm-claimed',
  'alarm-delivered',
  'alarm-released',
  'alarm-missed',
  'alarm-settled',
  'hold-started',
  'hold-ended',
  'servertool-ran',
  'servertool-failed',
  'servertool-stripped',
  'typed',
  'submitted',
  'confirmed',
  'failed',
  'store-problem',
  'engine-problem',
])

/**
 * The session's story of alarms so far, a word each; where there are several ways, with the way: `alarm-claimed
 * terminal`.
 */
export const alarmStory = ({ events }: Pick<TestControl, 'events'>, sessionId: string): readonly string[] =>
  events
    .filter((event) => event.sessionId === sessionId && steps.has(event.body.type))
    .map(({ body }) =>
      'route' in body ? `${body.type} ${body.route}` : 'why' in body ? `${body.type} ${body.why}` : body.type,
    )

/** Texts of the user's messages as the provider got them, oldest first, without the time behind them. */
export function userTexts(request: MockRequest): readonly string[] {
  return conversationOf(request)
    .map((json): unknown => JSON.parse(json))
    .filter((item) => at(item, 'role') === 'user')
    .flatMap(textsOf)
}

function textsOf(message: unknown): readonly string[] {
  const content = at(message, 'content') ?? at(message, 'parts')
  if (typeof content === 'string') return [content]
  return Array.isArray(content)
    ? content.map((part) => at(part, 'text')).filter((text): text is string => typeof text === 'string')
    : []
}

/** The one line of a terminal, and the message of a request, that tell of one alarm. */
export const typedAlarm = (task: string): RegExp =>
  new RegExp(
    `^An alarm is due: \\[scheduled task:"${task}"\\] due \\S+\\. Do this now; you may call tools for it, ` +
      'and the system completes missing ones\\.$',
  )
export const toldAlarm = (task: string): RegExp =>
  new RegExp(
    `^An alarm of this session is due:\\n- \\[scheduled task:"${task}"\\] due \\S+, set by (you|the ` +
      'user)\\nDo what they ask now; you may call tools for it, and the system completes the list of tools ' +
      'where some are missing\\. Then go on with what you were doing\\.$',
  )
