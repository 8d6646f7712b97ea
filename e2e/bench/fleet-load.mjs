// A process of its own: so many engines of a fleet, each with so many sessions, in which something happens all the
// time. It tells when all are at the hub, each time that they are.
import { pathToFileURL } from 'node:url'

const [partPath, url, first, engines, sessions, perSecond] = process.argv.slice(2)
const { member } = await import(pathToFileURL(partPath).href)
const tellJson = (facts) => process.stdout.write(`${JSON.stringify(facts)}\n`)
const wait = (ms) => new Promise((done) => setTimeout(done, ms))

const from = performance.now()
const members = Array.from({ length: Number(engines) }, (_, n) =>
  member(url, `engine-${Number(first) + n}`, Number(sessions)),
)
const areThere = async () =>
  (await Promise.all(members.map(({ fleet }) => fleet.view()))).every(({ state }) => state.kind === 'there')
while (!(await areThere())) await wait(20)
tellJson({ joinedMs: performance.now() - from })

let n = 0
setInterval(
  () => {
    members[n % members.length].change((n * 7) % Number(sessions))
    n += 1
  },
  1_000 / Number(perSecond),
)

let known = true
for (;;) {
  await wait(20)
  const there = await areThere()
  if (there && !known) tellJson({ back: true })
  known = there
}
