import type { HiddenHistory } from './types.ts'

/** Groups hidden calls by the number of the client's calls before them; the client now has `own` calls. */
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
