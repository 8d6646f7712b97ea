/**
 * Collects what arrives close together, so that a busy engine costs thirty renders a second. A timer rather than an
 * animation frame: a window in the background still counts what needs a person.
 */
export function batch<T>(
  flush: (items: readonly T[]) => void,
  schedule: (run: () => void) => void = (run) => {
    setTimeout(run, 32)
  },
): (item: T) => void {
  let waiting: T[] = []
  return (item) => {
    waiting.push(item)
    if (waiting.length > 1) return
    schedule(() => {
      const items = waiting
      waiting = []
      flush(items)
    })
  }
}
