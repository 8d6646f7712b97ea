import { connect, createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { systemClock } from './clock.ts'

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
