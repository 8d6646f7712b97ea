import { performance } from 'node:perf_hooks'

/** Node's pending work outside of JavaScript that will call back: files, names, connections and writes that begin. */
const atWork = /^(FSReq|FileHandleCloseReq|Immediate)|ReqWrap$|^(TCPConnect|PipeConnect|Write|Shutdown|Send)Wrap$/
/** Turns of the event loop without anything in them after which it counts as at rest. */
const QUIET_TURNS = 2
/** The limit after which work that never rests (a loop of immediates) is no longer waited for. */
const MOST_TURNS = 5_000

/**
 * Resolves when nothing goes on by itself any more: no callback of a file or socket, no promise, no immediate. Timers
 * don't count: in tests they belong to a virtual clock.
 */
export async function settled(): Promise<void> {
  let quiet = 0
  let events = handled()
  for (let turn = 0; quiet < QUIET_TURNS && turn < MOST_TURNS; turn++) {
    // Promises of any depth are through when the next turn begins.
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
    const now = handled()
    const busy = now !== events || process.getActiveResourcesInfo().some((kind) => atWork.test(kind))
    events = now
    quiet = busy ? 0 : quiet + 1
  }
}

/** How many events of files, sockets and timers the loop has handled so far. */
const handled = (): number => performance.nodeTiming.uvMetricsInfo.events
