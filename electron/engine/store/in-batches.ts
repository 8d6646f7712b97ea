import { ownTurn } from '../base/own-turn.ts'

/** How many run at once: enough to keep the thread pool busy, few enough that one batch is far below 10 ms. */
const usualSize = 16

/**
 * Does something for thousands of files without holding up the event loop: one batch at a time, and the loop runs
 * before each, even when no answer had to be waited for. Items that fit into one batch start at once. Results keep
 * their order.
 */
export async function inBatches<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
  batchSize = usualSize,
): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += batchSize) {
    if (items.length > batchSize) await ownTurn()
    results.push(...(await Promise.all(items.slice(start, start + batchSize).map(act))))
  }
  return results
}
