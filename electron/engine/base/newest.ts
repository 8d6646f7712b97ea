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
