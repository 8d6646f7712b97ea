import { expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { openJournal } from '../store/read-journal.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import { countingRandom } from '../terminals/outbox/testing/bench.ts'
import { openOnDisk } from './testing/real-disk.ts'

const minute = 60_000
const clock = virtualClock()
const random = countingRandom()
const disk = memoryFiles()
let written: { path: string; length: number }[] = []
const files: typeof disk = {
  ...disk,
  writeAtomic: (path, data) => {
    written.push({ path, length: data.length })
    return disk.writeAtomic(path, data)
  },
}
const onProblem = ({ message }: { message: string }) => {
  throw new Error(message)
}
async function open() {
  const journal = await openJournal({ root: '/r', files, clock, onProblem })
  const engine = await openOnDisk({ root: '/r', files, clock, random, journal })
  return { journal, alarms: engine.alarms }
}

it('a large file of alarms is not written whole for one of them, and nothing of it is lost', async () => {
  const { alarms } = await open()
  const set = (from: number, count: number, length: number) =>
    alarms.schedule(
      's1',
      Array.from({ length: count }, (_, i) => ({
        dueAtMs: clock.now() + (from + i) * minute,
        task: `no. ${from + i} ${'x'.repeat(length)}`,
      })),
      { by: 'user', requestId: null },
    )
  await set(60, 10, 100)
  await set(70, 1, 100)
  await alarms.idle()
  // as long as it is small its file is all there is
  expect(written.filter(({ path }) => path.includes('/clock/'))).toHaveLength(2)
  await set(80, 100, 1_000)
  await alarms.idle()

  written = []
  const [one] = await set(200, 1, 1_000)
  await alarms.edit(one?.taskId ?? '', { task: 'something else' }, 'user')
  await alarms.snooze(one?.taskId ?? '', clock.now() + 300 * minute)
  await alarms.idle()
  expect(alarms.of('s1')).toHaveLength(112)
  expect(written.filter(({ path }) => path.includes('/clock/'))).toEqual([])
  expect(written.every(({ length }) => length < 8_000)).toBe(true)

  const expected = alarms.of('s1')
  const killed = await open()
  expect(killed.alarms.of('s1')).toEqual(expected)
  await killed.alarms.cancel(one?.taskId ?? '', 'user')
  await killed.alarms.idle()
  await killed.journal.close()
  expect((await open()).alarms.of('s1')).toEqual(expected.slice(0, -1))
})
