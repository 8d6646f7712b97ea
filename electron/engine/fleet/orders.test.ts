import { describe, expect, it } from 'vitest'
import type { Input } from '../../../shared/operations/index.ts'
import { fakeControlApi } from '../control/testing/fake-control-api.ts'
import { OnwardError } from '../base/errors.ts'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createStore } from '../store/create-store.ts'
import { crashingFiles } from '../store/testing/crashing-files.ts'
import { createOrders, takenSpec } from './orders.ts'
import { orderSubject } from './subjects.ts'
import type { Taken } from './types.ts'

const subject = orderSubject('lab', 'gpu', 'say', 'say')
const idOf = (n: number) => `0a1b2c3d-1111-4222-8333-94445555666${n}`
const hour = 3_600_000

function world() {
  const clock = virtualClock()
  /** what outlives the engine: the disk, and the messages that are queued */
  let files = crashingFiles()
  const said: Input<'say'>[] = []
  const refused: string[] = []
  let failure: OnwardError | null = null
  const start = async (rights: readonly ('say' | 'arm')[] = ['say']) => {
    const store = createStore({ root: '/root', files, clock, log: silentLog, onProblem: () => undefined })
    const orders = createOrders({
      api: fakeControlApi({
        async say(input) {
          if (failure) throw failure
          said.push(input)
          return { id: input.key } as never
        },
      }),
      granted: () => ({ rights, texts: false }),
      log: silentLog,
      document: await store.document(takenSpec),
      keptMs: hour,
      clock,
      isDone: (id) => said.some(({ key }) => key === id),
      refused: ({ code }) => refused.push(code),
    })
    await orders.settle()
    return orders
  }
  const take = async (id: string, text: unknown = { session: 'billing', text: 'hi' }, of = subject): Promise<Taken> =>
    (await start()).take({ subject: of, id, text: JSON.stringify(text) })
  return {
    clock,
    said,
    refused,
    start,
    take,
    fail(error: OnwardError | null) {
      failure = error
    },
    /** @returns whether the power went in this step */
    async powerCutAt(step: number, work: () => Promise<unknown>): Promise<boolean> {
      files.crashAt = step
      await Promise.race([work(), files.crash])
      const { crashed } = files
      files = crashingFiles(files.content)
      return crashed
    },
  }
}

describe('an order that waited at the hub', () => {
  it('is carried out once, at whichever step the power goes and however long the hub is away then', async () => {
    let cuts = 0
    for (let step = 0; ; step++) {
      const { powerCutAt, take, said, start, clock } = world()
      if (!(await powerCutAt(step, () => take(idOf(1))))) break
      cuts += 1
      await start()
      // meanwhile its message was typed, and is forgotten
      const before = said.splice(0)
      await clock.advance(hour / 2)
      expect(await take(idOf(1))).toBe('done')
      expect([step, before.length + said.length]).toEqual([step, 1])
    }
    expect(cuts).toBe(2)
  })

  it('is known again until the hub can’t have it any more', async () => {
    const { take, said, clock } = world()
    expect(await take(idOf(1))).toBe('done')
    await clock.advance(hour - 1)
    await take(idOf(1))
    expect(said).toEqual([{ session: 'billing', text: 'hi', key: idOf(1) }])
    await clock.advance(2)
    await take(idOf(2))
    await take(idOf(1))
    expect(said).toHaveLength(3)
  })

  it('comes again where the disk is full, and is refused for good where its session is not there', async () => {
    const { take, said, refused, fail } = world()
    fail(new OnwardError('store-failed', 'The disk is full.'))
    expect(await take(idOf(1))).toBe('again')
    fail(null)
    expect(await take(idOf(1))).toBe('done')
    fail(new OnwardError('session-unknown', 'No such session.'))
    expect(await take(idOf(2))).toBe('done')
    fail(null)
    expect(await take(idOf(2))).toBe('done')
    expect(said.map(({ key }) => key)).toEqual([idOf(1)])
    expect(refused).toEqual(['session-unknown'])
  })

  it.each([
    ['an operation that is not done once', orderSubject('lab', 'gpu', 'arm', 'pause'), idOf(1), 'fleet-may-not'],
    ['another right than its own', orderSubject('lab', 'gpu', 'look', 'say'), idOf(1), 'fleet-may-not'],
    ['a right that this engine does not give', orderSubject('lab', 'gpu', 'arm', 'addAlarm'), idOf(1), 'fleet-may-not'],
    ['an id of another form', subject, 'again', 'bad-request'],
  ])('is refused with %s', async (_, of, id, code) => {
    const { take, said, refused } = world()
    expect(await take(id, { session: 'billing', text: 'hi' }, of)).toBe('done')
    expect([said, refused]).toEqual([[], [code]])
  })
})
