import { afterEach, describe, expect, it } from 'vitest'
import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { homeId } from '../shared/control/proof.ts'
import type { ControlApi } from '../shared/operations/index.ts'
import type { EngineUpdate } from '../shared/state.ts'
import { systemClock } from './engine/base/clock.ts'
import { OnwardError } from './engine/base/errors.ts'
import { silentLog } from './engine/base/log.ts'
import { createControlServer } from './engine/control/server.ts'
import { fakeControlApi, sampleAlarm, sampleSession, sampleStatus } from './engine/control/testing/fake-control-api.ts'
import { attachToEngine } from './attached-engine.ts'

const token = 'a'.repeat(43)
const cleanUp: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean()
})

/** The real control server in front of what a test says. */
async function engine(api: Partial<ControlApi>) {
  const keys = { keyOf: (id: string) => (id === homeId ? token : null) }
  const control = createControlServer({ api: fakeControlApi(api), keys, log: silentLog, clock: systemClock() })
  const server = createServer().on('upgrade', (request, socket, head) => {
    if (!control.handleUpgrade(request, socket, head)) socket.destroy()
  })
  const folder = await mkdtemp(join(tmpdir(), 'onward-attached-'))
  cleanUp.push(() => rm(folder, { recursive: true }))
  const socket = join(folder, 'engine.sock')
  await new Promise<void>((done) => server.listen(socket, done))
  let ended = false
  const end = async () => {
    if (ended) return
    ended = true
    control.dispose()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  cleanUp.push(end)
  return { end, attach: (with_ = token) => attachToEngine({ host: '127.0.0.1', port: 5520, socket }, with_) }
}

const snapshot: EngineUpdate = { type: 'snapshot', status: sampleStatus(), sessions: [sampleSession()], terminals: [] }
const endless = (signal: AbortSignal) =>
  new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }))

describe('an engine of another process', () => {
  it('is paused, resumed and re-armed over its control API, and its alarms snoozed and cancelled', async () => {
    const did: string[] = []
    const { attach } = await engine({
      pause: async (session) => {
        did.push(`pause ${session}`)
      },
      resume: async (session) => {
        did.push(`resume ${session}`)
      },
      rearmStopMessage: async (session) => {
        did.push(`re-arm ${session}`)
        return sampleSession()
      },
      snoozeAlarm: async ({ alarm, minutes }) => {
        did.push(`snooze ${alarm} ${minutes}`)
        return sampleAlarm({ taskId: alarm })
      },
      cancelAlarm: async (alarm) => {
        did.push(`cancel ${alarm}`)
      },
    })
    const link = attach()
    await link.pause(null)
    await link.resume('s1')
    await link.rearm('s2')
    await link.snoozeAlarm('a1', 10)
    await link.cancelAlarm('a2')
    expect(did).toEqual(['pause null', 'resume s1', 're-arm s2', 'snooze a1 10', 'cancel a2'])
    await link.dispose()
  })

  it('tells everything in order, until nobody listens any more', async () => {
    let left = false
    const { attach } = await engine({
      async *follow(signal) {
        yield snapshot
        yield { type: 'session-removed', id: 'a' }
        yield { type: 'session-removed', id: 'b' }
        await endless(signal)
        left = true
      },
    })
    const link = attach()
    const stop = new AbortController()
    const seen: string[] = []
    for await (const update of link.follow(stop.signal)) {
      seen.push(update.type === 'session-removed' ? update.id : update.type)
      if (seen.length === 3) stop.abort()
    }
    expect(seen).toEqual(['snapshot', 'a', 'b'])
    await link.dispose()
    await expect.poll(() => left).toBe(true)
  })

  it('that ends ends what follows it, and what is asked of it fails', async () => {
    const { attach, end } = await engine({
      async *follow(signal) {
        yield snapshot
        await endless(signal)
      },
    })
    const link = attach()
    const seen: string[] = []
    for await (const update of link.follow(new AbortController().signal)) {
      seen.push(update.type)
      void end()
    }
    expect(seen).toEqual(['snapshot'])
    await expect(link.pause(null)).rejects.toThrow()
  })

  it('that is not there ends what follows it', async () => {
    const { attach, end } = await engine({})
    await end()
    const link = attach()
    const seen: string[] = []
    for await (const update of link.follow(new AbortController().signal)) seen.push(update.type)
    expect(seen).toEqual([])
    await expect(link.answers()).rejects.toThrow()
  })

  it('does not answer to a wrong token', async () => {
    const { attach } = await engine({ status: async () => sampleStatus() })
    await expect(attach('b'.repeat(24)).answers()).rejects.toThrow()
    const link = attach()
    await link.answers()
    await link.dispose()
  })

  it('agrees to hand over, refuses, or is gone before it can say', async () => {
    const agrees = await engine({ handOver: async () => undefined })
    expect(await agrees.attach().handOver()).toBe(true)
    const refuses = await engine({
      handOver: async () => {
        throw new OnwardError('stays', 'This engine stays.')
      },
    })
    expect(await refuses.attach().handOver()).toBe(false)
    const leaves = await engine({
      handOver: () => {
        void leaves.end()
        return new Promise(() => undefined)
      },
    })
    expect(await leaves.attach().handOver()).toBe(true)
  })

  it('makes a link for each window; the token of the home is in none', async () => {
    let made = 0
    const { attach } = await engine({
      dashboardLink: async () => `http://127.0.0.1:5520/dashboard/#token=link-${++made}`,
    })
    const link = attach()
    expect(link.origin).toBe('http://127.0.0.1:5520')
    expect(await link.dashboardLink()).toMatch(/#token=link-1$/)
    expect(await link.dashboardLink()).toMatch(/#token=link-2$/)
  })
})
