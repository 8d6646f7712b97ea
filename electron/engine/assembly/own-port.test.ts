import { createServer, type Server } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { freePort } from './own-port.ts'

const host = '127.0.0.1'
const open: Server[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve))
})
const take = async (port: number) => {
  const server = createServer()
  open.push(server)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
}

it('is a port that the system gives to no connection, and not one that is taken', async () => {
  const fractions = [0.25, 0.25, 0.5]
  const first = await freePort(host, () => 0.25)
  expect(first).toBeLessThan(32_768)
  await take(first)
  const second = await freePort(host, () => fractions.shift() ?? 0.75)
  expect(second).toBeGreaterThan(first)
  expect(second).toBeLessThan(32_768)
})

it('is any free one where all of those are taken', async () => {
  const first = await freePort(host, () => 0.3)
  await take(first)
  const other = await freePort(host, () => 0.3)
  expect(other).not.toBe(first)
  expect(other).toBeGreaterThan(0)
})
