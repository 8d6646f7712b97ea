import type { HiddenHistory } from './types.ts'

/** Hidden calls by how many calls of the client's stand before them, of which there are `own` by now. */
export function callsByPlace(
  calls: HiddenHistory['calls'],
  own = Infinity,
): (place: number) => readonly HiddenHistory['calls'][number][] {
  const places = new Map<number, HiddenHistory['calls'][number][]>()
  for (const call of calls) {
    const place = Math.min(call.callsBefore, own)
    const there = places.get(place)
    if (there) there.push(call)
    else places.set(place, [call])
  }
  return (place) => places.get(place) ?? []
}
