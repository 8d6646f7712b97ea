/**
 * A call of one of Onward's tools and its result are one row: the row of the call becomes the row of its end.
 * Pure.
 */
import type { EventBody, TimelineEvent } from '../../../shared/events.ts'

type Called = Extract<EventBody, { type: 'servertool-called' }>
type Over = Extract<EventBody, { type: 'servertool-ran' | 'servertool-failed' }>
export type ToolEvent = TimelineEvent & { body: Called | Over }

export const isToolEvent = (event: TimelineEvent): event is ToolEvent =>
  event.body.type === 'servertool-called' ||
  event.body.type === 'servertool-ran' ||
  event.body.type === 'servertool-failed'

/**
 * Calls that have not ended yet, and the rows that show them: the same tool called twice in a round ends in the calls'
 * order.
 */
export function openCalls<Row extends { event: TimelineEvent }>(): {
  began(event: ToolEvent, row: Row): void
  over(event: ToolEvent): boolean
} {
  const open = new Map<string, Row[]>()
  const keyOf = ({ requestId, body }: ToolEvent): string => `${requestId} ${body.round} ${body.tool}`
  return {
    began(event, row) {
      const rows = open.get(keyOf(event))
      if (rows) rows.push(row)
      else open.set(keyOf(event), [row])
    },
    /** @returns true if its call was there: else it is a row of its own */
    over(event) {
      const row = open.get(keyOf(event))?.shift()
      if (row) row.event = event
      return row !== undefined
    },
  }
}
