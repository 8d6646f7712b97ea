// Loaded before the engine's own code (`--import`): notes each time that its loop was kept by one piece of work, in ms
// of the processor's time, so that a busy machine counts for nothing.
import { appendFileSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env['TEST_WATCHDOG']
// A thread of the engine's may take as long as it likes.
if (file !== undefined && isMainThread) {
  const own = `/proc/self/task/${process.pid}/schedstat`
  const cpuMs = () => Number(readFileSync(own, 'latin1').split(' ', 1)[0]) / 1e6
  let last = cpuMs()
  const look = () => {
    const kept = cpuMs() - last
    if (kept > 20) appendFileSync(file, `${Math.round(kept)}\n`)
    last = cpuMs()
  }
  setInterval(look, 1).unref()
}
