import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { virtualClock, type VirtualClock } from '../base/testing/virtual-clock.ts'
import { diskFiles } from '../store/disk-files.ts'
import { faultyFiles, type FaultyFiles } from '../store/testing/faulty-files.ts'
import { tempFolders } from '../store/testing/temp-folder.ts'
import { countingRandom } from '../terminals/outbox/testing/bench.ts'
import { fakeTarget, type FakeTarget } from '../terminals/outbox/testing/fake-target.ts'
import { openOnDisk, type OnDisk } from './testing/real-disk.ts'

const minute = 60_000
const temp = tempFolders()
const random = countingRandom()
let root: string
let clock: VirtualClock
let files: FaultyFiles
let engine: OnDisk

/** Virtual time stands or moves while real writes take theirs. */
const until = async (what: () => boolean, step = 0) => {
  // The clock is the test's, the disk is a real one and may be busy.
  for (const end = Date.now() + 20_000; !what() && Date.now() < end;) {
    await clock.advance(step)
    await engine.alarms.idle()
    await engine.outboxes.peek('tmux:main')?.exclusive(async () => {})
  }
  expect(what()).toBe(true)
}
const open = async (target: FakeTarget | null = null) => {
  engine = await openOnDisk({ root, files, clock, random, target })
}
const set = async (inMs: number, task = 'look', session = 's1') => {
  const [one] = await engine.alarms.schedule(session, [{ dueAtMs: clock.now() + inMs, task }], {
    by: 'user',
    requestId: null,
  })
  if (!one) throw new Error('nothing was set')
  return one
}
const onDisk = () =>
  Object.fromEntries(
    readdirSync(join(root, 'clock'))
      .toSorted()
      .map((name) => [name, readFileSync(join(root, 'clock', name), 'utf8')]),
  )

beforeEach(async () => {
  root = temp()
  clock = virtualClock()
  files = faultyFiles(diskFiles())
  await open()
})

describe.each([
  ['full', 'ENOSPC'],
  ['read-only', 'EROFS'],
] as const)('on a disk that is %s', (_, code) => {
  const break_ = () => files.fail(code, 'writeAtomic', 'append', 'remove', 'makeFolder')
  const refused = { code: 'store-failed', details: { system: code } }

  it('orders are refused, and change nothing in memory or on the disk', async () => {
    const waiting = await set(10 * minute, 'waits')
    await set(-19 * minute, 'soon over')
    await clock.advance(2 * minute)
    await until(() => engine.alarms.missedCount() === 1)
    await engine.alarms.idle()
    const [missed] = engine.alarms.missed()
    if (!missed) throw new Error('none is missed')
    const [before, listed] = [onDisk(), engine.alarms.list(10)]
    break_()
    await expect(set(minute)).rejects.toMatchObject(refused)
    await expect(set(minute, 'of another session', 's2')).rejects.toMatchObject(refused)
    await expect(engine.alarms.edit(waiting.taskId, { dueAtMs: clock.now() + minute }, 'user')).rejects.toMatchObject(
      refused,
    )
    await expect(engine.alarms.snooze(waiting.taskId, clock.now() + minute)).rejects.toMatchObject(refused)
    await expect(engine.alarms.cancel(waiting.taskId, 'model')).rejects.toMatchObject(refused)
    await expect(engine.alarms.clear('s1', 'user')).rejects.toMatchObject(refused)
    await expect(engine.alarms.settleMissed(missed.key, { kind: 'dismiss' })).rejects.toMatchObject(refused)
    await expect(engine.alarms.settleMissed(missed.key, { kind: 'deliver' })).rejects.toMatchObject(refused)
    await expect(engine.alarms.snooze(missed.task.taskId, clock.now() + minute)).rejects.toMatchObject(refused)
    await expect(engine.alarms.dismissAllMissed()).rejects.toMatchObject(refused)
    expect(engine.alarms.list(10)).toEqual(listed)
    expect(engine.alarms.missed()).toEqual([missed])
    expect(onDisk()).toEqual(before)
    files.mend()
    await engine.alarms.cancel(waiting.taskId, 'user')
    await engine.end()
    await open()
    expect([engine.alarms.list(10), engine.alarms.missed().map(({ task }) => task.task)]).toEqual([[], ['soon over']])
    await engine.end()
  })

  it('only the ledger being refused, an order on a missed one is taken back whole', async () => {
    await set(-20 * minute, 'over')
    await clock.advance(minute)
    await until(() => engine.alarms.missedCount() === 1)
    const [missed] = engine.alarms.missed()
    if (!missed) throw new Error('none is missed')
    files.fail(code, 'append')
    await expect(
      engine.alarms.settleMissed(missed.key, { kind: 'reschedule', dueAtMs: clock.now() + minute }),
    ).rejects.toMatchObject(refused)
    await expect(engine.alarms.snooze(missed.task.taskId, clock.now() + minute)).rejects.toMatchObject(refused)
    expect([engine.alarms.of('s1'), engine.alarms.missed()]).toEqual([[], [missed]])
    files.mend()
    await engine.end()
  })

  it('alarms ring, none is sent that is not claimed, and each goes once when the disk is well', async () => {
    const target = fakeTarget('t1')
    await engine.end()
    await open(target)
    const outbox = await engine.outboxes.of('tmux:main')
    await outbox.requestStarted({
      requestId: 'r1',
      sessionId: 's1',
      kind: 'turn',
      lastUserTexts: ['hello'],
      hasNewMainTurn: true,
    })
    outbox.requestEnded('r1')
    await set(minute)
    break_()
    await clock.advance(3 * minute)
    await until(() => engine.alarms.of('s1').some(({ rangAtMs }) => rangAtMs !== undefined))
    expect(await engine.alarms.reserve('s1', 'r2')).toBeNull()
    expect(target.typed).toEqual([])
    expect(engine.problems.length).toBeGreaterThan(0)
    files.mend()
    await until(() => target.typed.length === 1, 1_000)
    await clock.advance(minute / 2)
    expect(await engine.alarms.reserve('s1', 'r3')).toBeNull()
    expect(target.typed).toHaveLength(1)
    await engine.end()
  })
})

it('a line that a crash cut short costs only itself', async () => {
  await set(-20 * minute, 'first')
  await clock.advance(minute)
  await until(() => engine.alarms.missedCount() === 1)
  await engine.end()
  const path = join(root, 'clock', 'missed.jsonl')
  await files.append(path, '{"type":"missed","key":"cut')
  await open()
  await set(-20 * minute, 'second')
  await clock.advance(minute)
  await until(() => engine.alarms.missedCount() === 2)
  await engine.end()
  await open()
  expect(engine.alarms.missed().map(({ task }) => task.task)).toEqual(['second', 'first'])
  await engine.end()
})
