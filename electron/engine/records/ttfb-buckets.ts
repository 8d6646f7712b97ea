/**
 * Times to the first byte, counted in buckets that grow by a fixed share. A value read back is the geometric middle of
 * its bucket and so at most `sqrt(growth) - 1`, 3.5 %, away from the true one, whatever hours are added up.
 */
export type TtfbCounts = Map<number, number>

const growth = 1.07
const stretch = Math.log(growth)
/** an hour, in milliseconds; what took longer counts as that */
const longest = 3_600_000

/** 0 is everything below a millisecond. */
export const bucketOf = (ms: number): number => (ms < 1 ? 0 : 1 + Math.floor(Math.log(Math.min(ms, longest)) / stretch))

const middleOf = (bucket: number): number =>
  bucket === 0 ? 0 : Math.round(Math.exp((bucket - 0.5) * stretch) * 10) / 10

export const count = (counts: TtfbCounts, ms: number): void => add(counts, bucketOf(ms), 1)

export function merge(into: TtfbCounts, counts: TtfbCounts): void {
  for (const [bucket, n] of counts) add(into, bucket, n)
}

function add(counts: TtfbCounts, bucket: number, n: number): void {
  counts.set(bucket, (counts.get(bucket) ?? 0) + n)
}

/** Nearest rank: the smallest value that at least this share of all is not above. null where nothing was counted */
export function ttfbOf(counts: TtfbCounts): { median: number; p95: number } | null {
  const sorted = Array.from(counts).sort(([a], [b]) => a - b)
  const all = sorted.reduce((sum, [, n]) => sum + n, 0)
  if (all === 0) return null
  const at = (share: number): number => {
    let left = Math.ceil(all * share)
    for (const [bucket, n] of sorted) if ((left -= n) <= 0) return middleOf(bucket)
    return middleOf(sorted.at(-1)?.[0] ?? 0)
  }
  return { median: at(0.5), p95: at(0.95) }
}
