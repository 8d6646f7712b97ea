/**
 * Puts a value into a map that holds no more than `most`: what was put there longest ago goes. While less than half of
 * that is there, what is known keeps its place: to be moved, a Map copies all of it from time to time.
 */
export function putNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  if (map.size > most / 2) map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}

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
