import type { TimelineEvent } from '../../shared/events.ts'

/** One stop of an agent, and how many milliseconds after it what happened. */
export interface Stop {
  /** the followup was decided on, and is on the disk */
  queuedMs: number
  /** it was typed and entered, and the engine knows */
  typedMs: number
  /** its request had come */
  receivedMs: number
  /** Enter had to be pressed a second time */
  enterTwice: boolean
}

/** Of a timeline that holds one session: each stop that a followup answered. */
export function stopsOf(events: readonly TimelineEvent[]): Stop[] {
  const stops: Stop[] = []
  let endedAt = NaN
  let stop: Omit<Stop, 'receivedMs'> = { queuedMs: NaN, typedMs: NaN, enterTwice: false }
  for (const { at, body } of events) {
    if (body.type === 'turn-ended' && body.kind === 'turn') endedAt = at
    else if (body.type === 'queued') stop = { queuedMs: at - endedAt, typedMs: NaN, enterTwice: false }
    else if (body.type === 'submitted') stop = { ...stop, typedMs: at - endedAt, enterTwice: body.extraEnter }
    else if (body.type === 'confirmed') stops.push({ ...stop, receivedMs: at - endedAt })
  }
  return stops
}
