// Loaded into the engine of the soak (--expose-gc --import): what is garbage is no leak, so it goes before it is
// weighed.
process.on('SIGUSR2', () => {
  globalThis.gc()
  globalThis.gc()
  const { rss, heapUsed, external } = process.memoryUsage()
  process.stdout.write(`${JSON.stringify({ rssMb: rss / 1048576, heapMb: (heapUsed + external) / 1048576 })}\n`)
})
