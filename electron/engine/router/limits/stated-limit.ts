/** A limit that lifts at a time of day, or when a person acts; `lifts` null: no time given. */
export interface StatedLimit {
  window: string | null
  lifts: number | null
}
