/** What a folder's beads say of open work. */

export type BeadsState =
  /** no `.beads`, or nobody knows: it goes on */
  { kind: 'unknown' } | { kind: 'open'; say: string } | { kind: 'finished' }
