/** Tells how long the event loop was held up at a time, longest first. `end` resolves with it. */
export function watchLoop() {
  const blocks = []
  let last = performance.now()
  const began = last
  let ending = false
  const tick = () => {
    const now = performance.now()
    blocks.push({ ms: now - last - 1, at: now - began })
    last = now
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
