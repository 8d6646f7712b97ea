import type { OutboxEntryView } from '../../../shared/state.ts'

/** Followups that are not typed yet: what the Queue tab counts and lets a person change. */
export const waiting = (queue: readonly OutboxEntryView[]): readonly OutboxEntryView[] =>
  queue.filter((entry) => entry.state === 'queued')

/** On its way: typed or being typed, its receipt still to come. Nothing can be changed any more. */
export const underWay = (queue: readonly OutboxEntryView[]): readonly OutboxEntryView[] =>
  queue.filter((entry) => entry.state === 'typing' || entry.state === 'submitted')
