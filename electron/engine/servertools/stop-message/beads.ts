/** What a folder's beads say of open work (spec 03, BD state). */
export type BeadsState =
  /** no `.beads`, or nobody knows: it goes on */
  | { kind: 'unknown' }
  | { kind: 'open'; say: string }
  | { kind: 'finished' }
