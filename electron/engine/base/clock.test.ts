import { connect, createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { atTime, systemClock } from './clock.ts'
import { virtualClock } from './testing/virtual-clock.ts'

it.each([20, 400])('after %d ms without a turn the sockets go before the timers that are late', async (ms) => {
  const server = createServer((socket) => socket.on('data', () => order.push('bytes'))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(server, 'connection')
  const order: string[] = []
  client.write('an answer')
  const done = new Promise((resolve) => systemClock('awake').after(1, () => resolve(order.push('timer'))))
  // The process is stopped, as far as its sockets can tell.
  for (const until = performance.now() + ms; performance.now() < until;);
  await done
  client.destroy()
  server.close()
  expect(order).toEqual(['bytes', 'timer'])
})

it('gives up a timer also while it lets the sockets go first', async () => {
  const clock = systemClock('awake')
  const given = clock.after(1, () => expect.unreachable())
  setTimeout(() => given.dispose(), 1)
  for (const until = performance.now() + 400; performance.now() < until;);
  await new Promise((resolve) => clock.after(2, () => setImmediate(resolve)))
})

it('what waits for a time of the day comes at that time, also where it came in a sleep or is put off', async () => {
  const clock = virtualClock()
  const hour = 3_600_000
  const [start, came] = [clock.now(), [] as [string, number][]]
  const wait = (name: string, hours: number) =>
    atTime(clock, start + hours * hour, () => came.push([name, (clock.now() - start) / 60_000]))
  for (const hours of [-1, 1, 3]) wait(`${hours}`, hours)
  wait('given up', 2).dispose()
  await clock.advance(hour)
  expect(came).toEqual([
    ['-1', 0],
    ['1', 60],
  ])
  clock.sleep(5 * hour)
  await clock.advance(15_000)
  expect(came.at(-1)?.[0]).toBe('3')
  expect([came.length, clock.pending()]).toEqual([3, 0])
  wait('set back', 7)
  clock.sleep(-hour)
  await clock.advance(hour)
  expect(came).toHaveLength(3)
  await clock.advance(hour)
  expect(came.at(-1)).toEqual(['set back', 7 * 60])
})
