/** Five buckets, evenly apart, the first and the last among them; all of them where there are fewer. */
export function axisOf<T>(buckets: readonly T[], most = 5): readonly T[] {
  if (buckets.length <= most) return buckets
  const places = Array.from({ length: most }, (_, i) =>
    Math.min(buckets.length - 1, Math.round((i * buckets.length) / (most - 1))),
  )
  return places.flatMap((place) => {
    const bucket = buckets[place]
    return bucket === undefined ? [] : [bucket]
  })
}
