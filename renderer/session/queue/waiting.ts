import type { OutboxEntryView } from '../../../shared/state.ts'

/** Returns followups that are not typed yet: those the Queue tab counts and lets a person change. */
export const waiting = (queue: readonly OutboxEntryView[]): readonly OutboxEntryView[] =>
  queue.filter((entry) => entry.state === 'queued')

/** Its text stands in the agent's input line, and only Enter is missing. */
export const stands = (entry: OutboxEntryView): boolean => entry.state === 'queued' && entry.typedAt !== null

/** On its way: typed or being typed, its receipt still to come. Nothing can be changed any more. */
export const underWay = (queue: readonly OutboxEntryView[]): readonly OutboxEntryView[] =>
  queue.filter((entry) => entry.state === 'typing' || entry.state === 'submitted')
