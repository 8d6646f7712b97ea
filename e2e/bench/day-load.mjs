// A process of its own (--expose-gc): an engine's day on a virtual clock, weighed every hour of it.
import { pathToFileURL } from 'node:url'

const [partPath, home, sessions, turnsEach] = process.argv.slice(2)
const { virtualDay } = await import(pathToFileURL(partPath).href)
const hours = []
const from = performance.now()
const day = await virtualDay({
  home,
  sessions: Number(sessions),
  turnsEach: Number(turnsEach),
  from: 0,
  hours: 24,
  hourly(facts) {
    globalThis.gc()
    const { heapUsed, external, rss } = process.memoryUsage()
    hours.push({ ...facts, heapMb: (heapUsed + external) / 1048576, rssMb: rss / 1048576 })
  },
})
const counts = (ids) => ids.map((id) => day.rang.get(id) ?? 0)
process.stdout.write(
  `${JSON.stringify({
    seconds: (performance.now() - from) / 1_000,
    turns: day.turns,
    upstream: day.upstream,
    summed: day.summed,
    often: counts(day.often),
    daily: counts(day.daily),
    problems: day.problems.length,
    hours,
  })}\n`,
)
process.exit(0)
