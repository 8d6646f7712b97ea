import type { TimelineEvent } from '../../shared/events.ts'

export interface LastTools {
  tools: readonly string[]
  at: number
  /** null: the turn runs still */ turn: number | null
}

/** Tools of Onward that ran in the newest turn that had any, in order. @param events oldest first */
export function lastTools(events: readonly TimelineEvent[]): LastTools | null {
  const newest = events.findLast(toolOf)
  if (!newest) return null
  const same = events.filter((event) => event.requestId === newest.requestId)
  const ended = same.findLast(({ body }) => body.type === 'turn-ended')?.body
  return {
    tools: same.flatMap((event) => toolOf(event) ?? []),
    at: newest.at,
    turn: ended?.type === 'turn-ended' ? ended.turn : null,
  }
}

const toolOf = ({ body }: TimelineEvent): string | null =>
  body.type === 'servertool-ran' || body.type === 'servertool-failed' || body.type === 'servertool-reacted'
    ? body.tool
    : null
