import { describe, expect, it } from 'vitest'
import { OnwardError } from './engine/base/errors.ts'
import type { Transport, UpstreamHandler, UpstreamRequest } from './engine/providers/types.ts'
import { lateTransport } from './late-transport.ts'

const request = (url: string): UpstreamRequest => ({
  url,
  method: 'GET',
  headers: {},
  body: null,
  timeouts: { connectMs: 1, firstByteMs: 1, idleMs: 1 },
})
const handler = (errors: OnwardError[] = []): UpstreamHandler => ({
  onHead() {},
  onData: () => true,
  onEnd() {},
  onError: (error) => void errors.push(error),
})

/** A transport that says what is done with it, and when it is there. */
function slow() {
  const done: string[] = []
  let arrive: ((transport: Transport) => void) | null = null
  const transport: Transport = {
    send({ url }) {
      done.push(`send ${url}`)
      return {
        abort: () => void done.push(`abort ${url}`),
        dump: () => void done.push(`dump ${url}`),
        resume: () => void done.push(`resume ${url}`),
      }
    },
    async dispose() {
      done.push('dispose')
    },
  }
  let loads = 0
  const late = lateTransport(() => {
    loads++
    return new Promise((resolve) => (arrive = resolve))
  })
  return { late, done, loads: () => loads, arrive: () => arrive?.(transport) }
}
const settled = () => new Promise((done) => setImmediate(done))

describe('a transport that is loaded late', () => {
  it('is not loaded before, nor to be disposed of', async () => {
    const { late, loads } = slow()
    await late.dispose()
    expect(loads()).toBe(0)
  })
  it('is loaded once; what was asked for meanwhile is sent in its order, and then at once', async () => {
    const { late, done, loads, arrive } = slow()
    const first = late.send(request('a'), handler())
    late.send(request('b'), handler())
    arrive()
    await settled()
    first.resume()
    late.send(request('c'), handler()).abort()
    expect(done).toEqual(['send a', 'send b', 'resume a', 'send c', 'abort c'])
    expect(loads()).toBe(1)
  })
  it('aborts what was given up before it was there', async () => {
    const { late, done, arrive } = slow()
    late.send(request('a'), handler()).abort()
    arrive()
    await settled()
    expect(done).toEqual(['send a', 'abort a'])
  })
  it('is disposed of where it was being loaded', async () => {
    const { late, done, arrive } = slow()
    late.send(request('a'), handler())
    const ended = late.dispose()
    arrive()
    await ended
    expect(done).toEqual(['send a', 'dispose'])
  })
  it('tells who asked that it can’t be loaded, and tries again for the next', async () => {
    const errors: OnwardError[] = []
    let loads = 0
    const late = lateTransport(() => Promise.reject(new Error(`no such file ${++loads}`)))
    for (let i = 0; i < 2; i++) {
      late.send(request('a'), handler(errors))
      await settled()
    }
    expect(errors.map(({ code }) => code)).toEqual(['upstream-unreachable', 'upstream-unreachable'])
    expect(errors.at(-1)?.message).toContain('no such file 2')
    await late.dispose()
  })
})
