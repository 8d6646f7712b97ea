// Loaded into the engine of the load figures (--expose-gc --import): at each SIGUSR2 it tells how long its event loop
// was held up at most since the one before, and what it keeps. What is garbage is no growth, so it goes first; the
// collection asked for here holds nobody up who is measured.
import { ofMainThread, watchLoop } from './loop-blocks.mjs'

const spent = ofMainThread()
let loop = watchLoop(spent)
process.on('SIGUSR2', async () => {
  const blocks = await loop.end()
  globalThis.gc()
  const { rss, heapUsed, external } = process.memoryUsage()
  const facts = {
    blocksMs: blocks.slice(0, 8).map(({ ms }) => ms),
    over20: blocks.filter(({ ms }) => ms > 20).length,
    rssMb: rss / 1048576,
    heapMb: (heapUsed + external) / 1048576,
  }
  process.stdout.write(`${JSON.stringify(facts)}\n`)
  loop = watchLoop(spent)
})
