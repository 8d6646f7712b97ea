/** The newest items of an endless row, oldest first. */
export interface Bounded<T> {
  push(item: T): void
  /** puts what came before in front; what does not fit any more is dropped */
  prepend(older: readonly T[]): void
  /** takes those out for which this is so */
  drop(gone: (item: T) => boolean): void
  items(): readonly T[]
}

export function bounded<T>(limit: number): Bounded<T> {
  let items: T[] = []
  return {
    push(item) {
      items.push(item)
      // cut in large steps, so that one push costs next to nothing
      if (items.length >= limit * 1.25 + 16) items = items.slice(-limit)
    },
    prepend(older) {
      items = [...older, ...items].slice(-limit)
    },
    drop(gone) {
      items = items.filter((item) => !gone(item))
    },
    items: () => (items.length > limit ? items.slice(-limit) : items),
  }
}
