/** One row for a review: its outcome takes the place of the line about its beginning. Pure. */
import type { TimelineEvent } from '../../../shared/events.ts'

interface Row {
  event: TimelineEvent
}

export function openReviews<R extends Row>(): {
  began(round: number, row: R): void
  over(round: number, done: TimelineEvent): boolean
} {
  const open = new Map<number, R>()
  return {
    began(round, row) {
      open.set(round, row)
    },
    /** @returns true if its line stood there */
    over(round, done) {
      const row = open.get(round)
      if (!row) return false
      open.delete(round)
      row.event = done
      return true
    },
  }
}
