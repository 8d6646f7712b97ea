/** Child process of kill.test.ts: sets, moves and cancels alarms for ever, saying each only after it was answered. */
import { randomUUID } from 'node:crypto'
import { systemClock } from '../../base/clock.ts'
import { diskFiles } from '../../store/disk-files.ts'
import { openRoot } from '../../store/root.ts'
import { openOnDisk } from './real-disk.ts'

const root = process.argv[2] ?? ''
const files = diskFiles()
const clock = systemClock()
const random = { uuid: () => randomUUID(), token: () => randomUUID(), fraction: Math.random }
await openRoot({ root, files, clock })
const { alarms, problems } = await openOnDisk({ root, files, clock, random })
const say = (...words: readonly (string | number)[]) => process.stdout.write(`${words.join(' ')}\n`)
for (const { taskId, dueAtMs, task } of alarms.list(100_000)) say('has', taskId, dueAtMs, task.length)
for (const problem of problems) say('problem', problem)
say('ready')

const hour = 3_600_000
const some = (n: number) => Math.floor(random.fraction() * n)
/** Each worker has sessions of its own, so that files are written side by side. */
await Promise.all(
  [0, 1, 2].map(async (worker) => {
    for (;;) {
      const session = `s${worker}-${some(3)}`
      const there = alarms.of(session)
      const one = there[some(there.length * 3)]
      const dueAtMs = clock.now() + hour + some(24 * hour)
      if (one && there.length > 20) {
        say('cancels', one.taskId)
        await alarms.cancel(one.taskId, 'user')
        say('cancelled', one.taskId)
      } else if (one) {
        say('edits', one.taskId)
        await alarms.edit(one.taskId, { dueAtMs }, 'user')
        say('set', one.taskId, dueAtMs)
      } else {
        // texts that end inside, at and past a page
        for (const task of await alarms.schedule(
          session,
          [0, 1].map((i) => ({ dueAtMs: dueAtMs + i, task: 'x'.repeat(1 + some(3_000)) })),
          { by: 'model', requestId: null },
        ))
          say('set', task.taskId, task.dueAtMs)
      }
    }
  }),
)
