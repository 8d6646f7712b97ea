/** A limit that lifts at a time of day, or by somebody's doing; `lifts` null: no time told. */
export interface StatedLimit {
  window: string | null
  lifts: number | null
}
