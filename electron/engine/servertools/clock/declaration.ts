import type { ToolDeclaration } from '../../protocol/take-over.ts'

const text = (description: string) => ({ type: 'string', description })

/** Strict schema of spec 04: all properties are required, and an action that needs none of a field gets `[]` or `""`. */
export const clockDeclaration: ToolDeclaration = {
  name: 'clock',
  description: 'Time. action "get" tells the exact time, date and zone. "schedule", "list", "cancel" and "clear" are for alarms, which this version can not set yet. Give items [] and taskId "" where an action needs none.',
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
            dueAt: text('ISO 8601 with zone'),
            task: text('what to do then'),
            tool: text('a hint which tool to use, or ""'),
            arguments: text('a hint with what arguments, as a JSON string, or "{}"'),
          },
          required: ['dueAt', 'task', 'tool', 'arguments'],
          additionalProperties: false,
        },
      },
      taskId: text('the alarm to cancel, else ""'),
    },
    required: ['action', 'items', 'taskId'],
    additionalProperties: false,
  },
  strict: true,
}
