/** Open work according to a folder's beads. */

export type BeadsState =
  /** no `.beads`, or it can't be found out: the goal goes on */
  { kind: 'unknown' } | { kind: 'open'; say: string } | { kind: 'finished' }
