/**
 * Tells how long the event loop was held up at a time, longest first. `end` resolves with it. Of the time that went by
 * only what the process worked itself counts: where others want the same CPU, it is waited for and no block of ours.
 * @param spentMs milliseconds that were worked so far
 */
export function watchLoop(spentMs = ofProcess) {
  const blocks = []
  let last = performance.now()
  let worked = spentMs()
  const began = last
  let ending = false
  const tick = () => {
    const now = performance.now()
    // asked once: to look is work of the process as well
    const spent = spentMs()
    blocks.push({ ms: Math.min(now - last - 1, spent - worked), at: now - began })
    last = now
    worked = spent
    if (!ending) setTimeout(tick, 1)
  }
  setTimeout(tick, 1)
  return {
    async end() {
      // what holds it up right now counts, too
      await new Promise((done) => setTimeout(done, 2))
      ending = true
      return blocks.sort((a, b) => b.ms - a.ms)
    },
  }
}

/** With its other threads: a little too much. */
function ofProcess() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
