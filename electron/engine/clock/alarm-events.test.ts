import { expect, it } from 'vitest'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { countingRandom } from '../terminals/outbox/testing/bench.ts'
import { createAlarmEvents } from './alarm-events.ts'

it('what is missed while sessions are still looked at is told as one, yet not put off for ever', async () => {
  const clock = virtualClock()
  const told: number[] = []
  let busy = true
  const alarmEvents = createAlarmEvents({
    clock,
    random: countingRandom(),
    record: () => {},
    busy: () => busy,
    log: silentLog,
    history: { load: async () => {}, list: () => [], add: () => {}, forget: async () => {}, idle: async () => {} },
    notify: (_, __, taskIds) => {
      told.push(taskIds.length)
    },
  })
  const miss = (taskId: string) =>
    alarmEvents.missed([
      {
        key: taskId,
        at: 0,
        why: 'expired',
        by: null,
        task: {
          taskId,
          sessionId: taskId,
          dueAtMs: 0,
          createdAtMs: 0,
          updatedAtMs: 0,
          task: 'look',
          setBy: 'user',
          deliveryCount: 0,
        },
      },
    ])
  for (let i = 0; i < 5; i++) {
    miss(`a${i}`)
    await clock.advance(2_000)
  }
  expect(told).toEqual([])
  busy = false
  await clock.advance(500)
  expect(told).toEqual([5])
  busy = true
  miss('b')
  await clock.advance(31_000)
  expect(told).toEqual([5, 1])
  expect(clock.pending()).toBe(0)
})
