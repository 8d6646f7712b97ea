export interface Cluster<T> {
  place: number
  members: readonly T[]
}

/**
 * Puts together what stands closer than `gap`, so that no two clusters do. A cluster never spans more than two gaps:
 * its middle says where its members are, and a day full of alarms is not one pin.
 */
export function clusters<T>(items: readonly T[], placeOf: (item: T) => number, gap: number): readonly Cluster<T>[] {
  const open: { first: number; last: number; members: T[] }[] = []
  for (const item of items.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    const place = placeOf(item)
    const current = open.at(-1)
    if (current && place - current.last < gap && place - current.first <= 2 * gap) {
      current.last = place
      current.members.push(item)
    } else open.push({ first: place, last: place, members: [item] })
  }
  return open.map(({ first, last, members }) => ({ place: (first + last) / 2, members }))
}
