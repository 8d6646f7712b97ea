/** The newest items of an endless row, oldest first. */
export interface Bounded<T> {
  push(item: T): void
  /** puts what came before in front; what does not fit any more is dropped */
  prepend(older: readonly T[]): void
  /** takes those out for which this is so */
  drop(gone: (item: T) => boolean): void
  items(): readonly T[]
}

/** @param dropped is called with each item that is no longer kept */
export function bounded<T>(limit: number, dropped: (item: T) => void = () => undefined): Bounded<T> {
  let items: T[] = []
  const cut = () => {
    const gone = items.slice(0, -limit)
    items = items.slice(-limit)
    for (const item of gone) dropped(item)
  }
  return {
    push(item) {
      items.push(item)
      // cut in large steps, so that one push costs next to nothing
      if (items.length >= limit * 1.25 + 16) cut()
    },
    prepend(older) {
      items = [...older, ...items]
      cut()
    },
    drop(gone) {
      const left: T[] = []
      const out: T[] = []
      for (const item of items) (gone(item) ? out : left).push(item)
      items = left
      for (const item of out) dropped(item)
    },
    items: () => (items.length > limit ? items.slice(-limit) : items),
  }
}
