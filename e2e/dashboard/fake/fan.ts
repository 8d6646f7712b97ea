/** Sends every value to every listener, each at its own pace. */
export interface Fan<T> {
  send(value: T): void
  listen(signal: AbortSignal): AsyncIterable<T>
}

export function fan<T>(): Fan<T> {
  const listeners = new Set<(value: T) => void>()
  return {
    send(value) {
      for (const listener of listeners) listener(value)
    },
    listen(signal) {
      const waiting: T[] = []
      let wake: () => void = () => undefined
      const listener = (value: T) => {
        waiting.push(value)
        wake()
      }
      listeners.add(listener)
      signal.addEventListener(
        'abort',
        () => {
          listeners.delete(listener)
          wake()
        },
        { once: true },
      )
      return {
        async *[Symbol.asyncIterator]() {
          while (!signal.aborted) {
            const next = waiting.shift()
            if (next !== undefined) yield next
            else
              await new Promise<void>((resolve) => {
                wake = resolve
              })
          }
        },
      }
    },
  }
}
