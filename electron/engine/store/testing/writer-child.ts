/** Child process of the kill tests: writes for ever, and prints each number only after the store acknowledged it. */
import { silentLog } from '../../base/log.ts'
import { systemClock } from '../../base/clock.ts'
import { createStore, type StoreProblem } from '../create-store.ts'
import { diskFiles } from '../disk-files.ts'
import { openJournal } from '../read-journal.ts'
import { openRoot } from '../root.ts'

const root = process.argv[2] ?? ''
const files = diskFiles()
const clock = systemClock()
await openRoot({ root, files, clock })
const onProblem = (problem: StoreProblem) => console.log(`problem ${problem.message}`)
const journal = process.argv[3] === 'journal' ? await openJournal({ root, files, clock, onProblem }) : null
const store = createStore({ root, files, clock, log: silentLog, ...(journal && { journal }), onProblem })
const spec = (path: string) => ({
  path,
  version: 1,
  journaled: true as const,
  parse: (value: unknown) => value as { n: number; filler: string },
})
const documents = await Promise.all(['a.json', 'outbox/b.json'].map((path) => store.document(spec(path))))
console.log(`ready ${documents.map((document) => document.get()?.n ?? 0).join(' ')}`)
await Promise.all(
  documents.map(async (document, which) => {
    for (;;) {
      // sizes that end inside, at and past a page
      const next = await document.update((old) => ({
        n: (old?.n ?? 0) + 1,
        filler: 'x'.repeat(((old?.n ?? 0) * 997) % 9000),
      }))
      process.stdout.write(`${which} ${next?.n}\n`)
    }
  }),
)
