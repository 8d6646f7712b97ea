/** What comes of work that can't be stopped itself; rejects with the signal's reason as soon as that is aborted. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal, explain: (error: unknown) => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, (error) => reject(explain(error))).finally(() => signal.removeEventListener('abort', stop))
  })
}
