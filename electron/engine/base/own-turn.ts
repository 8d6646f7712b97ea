const waiting: (() => void)[] = []

function next(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(next)
}

/**
 * Resolves in a turn of the event loop that nobody else is given: what several do in slices beside each other, at a
 * start above all, would make one long turn together.
 */
export const ownTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next)
  })
