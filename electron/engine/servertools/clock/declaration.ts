import type { ToolDeclaration } from '../../protocol/server-tools.ts'

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
