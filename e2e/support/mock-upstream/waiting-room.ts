import type { MockRequest } from './types.ts'

/** Those who wait for a request. Asked again at every change, never by the clock; the clock only ends the wait. */
export function waitingRoom(requests: () => readonly MockRequest[]) {
  const waiting = new Set<() => void>()
  let closed = false
  return {
    look: (): void => {
      for (const again of waiting) again()
    },
    waitFor<T>(
      what: string,
      find: (requests: readonly MockRequest[]) => T | undefined,
      timeoutMs = 60_000,
    ): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const done = (): void => {
          clearTimeout(timer)
          waiting.delete(again)
        }
        const again = (): void => {
          const found = find(requests())
          if (found !== undefined) {
            done()
            resolve(found)
          } else if (closed) {
            done()
            reject(new Error(`the mock was disposed before ${what} came`))
          }
        }
        const timer = setTimeout(() => {
          done()
          reject(new Error(`${what} did not come within ${timeoutMs} ms. Came: ${summary(requests())}`))
        }, timeoutMs)
        waiting.add(again)
        again()
      })
    },
    dispose(): void {
      closed = true
      for (const again of waiting) again()
    },
  }
}

const summary = (requests: readonly MockRequest[]): string =>
  requests
    .map((r) => `${r.n} ${r.auxiliary ?? r.endpoint} ${JSON.stringify(r.lastUserText?.slice(0, 60) ?? null)}`)
    .join('; ') || 'nothing'
