/** ms for which a piece of work may keep the event loop to itself. */
const LONGEST_MS = 5
const waiting: (() => void)[] = []

/** Of several that wait each gets a turn of the loop of its own. */
function wakeNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(wakeNext)
}

/**
 * For one piece of work that is made of many small ones. What it returns is asked between two of those: nothing as a
 * rule, else what to wait for, so that everybody else has a turn.
 */
export function fairShare(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < LONGEST_MS) return undefined
    return new Promise((resolve) => {
      waiting.push(() => {
        since = performance.now()
        resolve()
      })
      if (waiting.length === 1) setImmediate(wakeNext)
    })
  }
}
