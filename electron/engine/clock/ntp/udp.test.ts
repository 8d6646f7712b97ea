import { createSocket } from 'node:dgram'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { ClockSync } from '../../../../shared/alarms/alarms.ts'
import { systemClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import { systemRandom } from '../../base/ids.ts'
import { createStore } from '../../store/create-store.ts'
import { bundleChild, startChild } from '../../store/testing/child.ts'
import { memoryFiles } from '../../store/testing/memory-files.ts'
import { tempFolders } from '../../store/testing/temp-folder.ts'
import { addressesOf } from './udp.ts'
import { answerTo } from './testing/answer-to.ts'
import { startSntpResponder, type SntpResponder } from './testing/sntp-responder.ts'
import { createTimeSync } from '../time-sync.ts'

const temp = tempFolders()
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function responder(...how: Parameters<typeof startSntpResponder>): Promise<SntpResponder> {
  const started = await startSntpResponder(...how)
  ends.push(started.close)
  return started
}

/** Resolves with the first state that the time sync announces. */
async function firstTold(servers: string[], timeoutMs = 5000): Promise<ClockSync & { now: number }> {
  const clock = systemClock()
  const store = createStore({ root: '/r', files: memoryFiles(), clock, log: silentLog, onProblem: () => undefined })
  const sync = createTimeSync({
    store,
    clock,
    random: systemRandom(),
    log: silentLog,
    env: {},
    config: () => ({ enabled: true, servers, timeoutMs, refreshMs: 3_600_000 }),
  })
  ends.push(sync.dispose)
  const told = new Promise<ClockSync>((done) => {
    sync.onChange(done)
  })
  await sync.start()
  return { ...(await told), now: sync.clock.now() - clock.now() }
}

describe('real datagrams', () => {
  it('bring the time', async () => {
    const ports: number[] = []
    const server = await responder({
      offsetMs: 3_600_000,
      says(_, port) {
        ports.push(port)
        return {}
      },
    })
    const state = await firstTold([server.address])
    expect(state).toMatchObject({ status: 'synced', lastError: null })
    // Half of the longest delay there can be, and what a clock of whole milliseconds hides.
    expect(Math.abs(state.offsetMs - 3_600_000)).toBeLessThanOrEqual(2502)
    expect(Math.abs(state.now - state.offsetMs)).toBeLessThanOrEqual(1)
    // Its socket is closed: the port is free again.
    const again = createSocket('udp4')
    ends.push(() => again.close())
    await new Promise<void>((done, failed) => {
      again.once('error', failed).bind(ports[0], '127.0.0.1', done)
    })
    expect(server.requests.map((request) => [request.length, request[0]])).toEqual([[48, 0x23]])
  })
  it('are sent to the next server where nobody listens, and where nobody answers', async () => {
    const gone = await startSntpResponder()
    await gone.close()
    const silent = await responder({ says: () => null })
    const good = await responder({ offsetMs: -7_200_000 })
    expect(await firstTold([gone.address, silent.address, good.address], 300)).toMatchObject({
      status: 'synced',
      lastError: null,
    })
    expect([silent.requests.length, good.requests.length]).toEqual([1, 1])
  })
  it('that say nothing are told of', async () => {
    const kiss = await responder({ says: () => ({ stratum: 0, leap: 3, code: 'RATE' }) })
    const state = await firstTold([kiss.address])
    expect(state).toMatchObject({
      status: 'error',
      offsetMs: 0,
      lastError: `${kiss.address}: wants to be left alone (RATE)`,
    })
  })
  it('of a stranger are not heard', async () => {
    const stranger = createSocket('udp4')
    ends.push(() => stranger.close())
    // Even one that has read the request, and knows to whom to send.
    const server = await responder({
      says(request, port) {
        stranger.send(answerTo(request, { received: 0, answered: 0 }), port, '127.0.0.1')
        return null
      },
    })
    expect(await firstTold([server.address], 200)).toMatchObject({
      status: 'error',
      lastError: `${server.address}: no answer within 200 ms`,
    })
  })
  it('keep no process alive', async () => {
    const silent = await responder({ says: () => null })
    const child = startChild(await bundleChild(join(import.meta.dirname, 'testing/idle-child.ts'), temp()), [
      silent.address,
    ])
    ends.push(() => child.kill())
    await child.line((line) => line === 'started')
    expect(await child.ended).toBe(0)
  })
})

describe('addresses', () => {
  it.each(['127.0.0.1', '::1'])('%s is one', async (address) =>
    expect(await addressesOf(address, new AbortController().signal)).toEqual([address]),
  )
  it('are not looked for any more when nobody waits', async () => {
    const over = new AbortController()
    over.abort()
    await expect(addressesOf('time.invalid', over.signal)).rejects.toThrow('aborted')
  })
})
