import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'

/** Far more often than any client's idle limit requires. */
const everyMs = 10_000

/** Calls `beat` as long as nothing else goes to the client. */
export function keepAlive(clock: Clock, beat: () => void): Disposable {
  let timer: Disposable | null = null
  const again = () => {
    timer = clock.after(everyMs, () => {
      beat()
      again()
    })
  }
  again()
  return {
    dispose() {
      timer?.dispose()
      timer = null
    },
  }
}
