import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { eachTransport } from '../testing/each-transport.ts'
import { answer, ask, onRequests } from '../testing/wire.ts'
import type { UpstreamCall } from '../types.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'

const { server, transport } = eachTransport()

describe('patience', () => {
  it('ends when no first byte comes', async () => {
    const clock = virtualClock()
    let asked = false
    const s = await server((socket) =>
      onRequests(socket, () => {
        asked = true
      }),
    )
    const done = ask(transport(clock), {
      url: `${s.url}/`,
      timeouts: { connectMs: 1000, firstByteMs: 60_000, idleMs: 1000 },
    })
    await waitFor('the request arrived', () => asked)
    await clock.advance(60_001)
    const told = await done
    expect(told.error?.code).toBe('upstream-timeout')
    expect(told.error?.message).toBe(`127.0.0.1:${s.port} did not begin to answer within 60 s.`)
    expect(told.error?.retryable).toBe(true)
    await waitFor('the connection was closed', () => s.connections[0]?.destroyed === true)
  })

  it('ends when the answer falls silent, counted from the last byte', async () => {
    const clock = virtualClock()
    const s = await server((socket) =>
      onRequests(socket, () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1')),
    )
    let pieces = 0
    const done = ask(
      transport(clock),
      { url: `${s.url}/`, timeouts: { connectMs: 0, firstByteMs: 0, idleMs: 10_000 } },
      (event) => {
        if (event === 'data') pieces++
      },
    )
    await waitFor('one byte arrived', () => pieces === 1)
    await clock.advance(9000)
    s.connections[0]?.write('2')
    await waitFor('another byte arrived', () => pieces === 2)
    await clock.advance(9000)
    s.connections[0]?.write('3')
    await waitFor('a third byte arrived', () => pieces === 3)
    await clock.advance(10_001)
    const told = await done
    expect(told.error?.message).toBe(`127.0.0.1:${s.port} fell silent in the middle of its answer for 10 s.`)
    expect(told.error?.code).toBe('upstream-silent')
    expect(told.error?.retryable).toBe(false)
  })

  it('ends sooner when its reader knows it for quicker, and tells how long it was silent', async () => {
    const clock = virtualClock()
    const s = await server((socket) =>
      onRequests(socket, () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1')),
    )
    const silences: (number | undefined)[] = []
    let pieces = 0
    const done = ask(
      transport(clock),
      { url: `${s.url}/`, timeouts: { connectMs: 0, firstByteMs: 0, idleMs: 300_000 } },
      (event, call) => {
        if (event === 'data') pieces++
        if (pieces === 2) silences.push(call.mayBeSilent?.(30_000))
        else if (event === 'error') silences.push(call.longestSilence?.())
      },
    )
    await waitFor('one byte arrived', () => pieces === 1)
    await clock.advance(200_000)
    s.connections[0]?.write('2')
    await waitFor('another byte arrived', () => pieces === 2)
    await clock.advance(7_000)
    s.connections[0]?.write('3')
    await waitFor('a third byte arrived', () => pieces === 3)
    await clock.advance(30_000)
    const told = await done
    expect(told.error?.code).toBe('upstream-silent')
    expect(silences).toEqual([200_000, 30_000])
  })

  it('does not count a slow reader as a silent upstream', async () => {
    const clock = virtualClock()
    const s = await server((socket) =>
      onRequests(socket, () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n1')),
    )
    const paused: UpstreamCall[] = []
    const done = ask(
      transport(clock),
      { url: `${s.url}/`, timeouts: { connectMs: 0, firstByteMs: 0, idleMs: 10_000 } },
      (event, call, told) => {
        if (event !== 'data' || told.chunks.length > 1) return
        paused.push(call)
        return false
      },
    )
    await waitFor('paused', () => paused.length === 1)
    await clock.advance(100_000)
    paused[0]?.resume()
    s.connections[0]?.write('2')
    expect((await done).body.toString()).toBe('12')
  })

  it('ends when the connection does not come to stand', async () => {
    const clock = virtualClock()
    // A TLS handshake that is never answered.
    const s = await server(() => undefined)
    const done = ask(transport(clock), {
      url: `https://127.0.0.1:${s.port}/`,
      timeouts: { connectMs: 3000, firstByteMs: 0, idleMs: 0 },
    })
    await waitFor('connected', () => s.connections.length === 1)
    await clock.advance(3001)
    const told = await done
    expect(told.error?.code).toBe('upstream-timeout')
    expect(told.error?.message).toMatch(/did not take the connection in time/)
  })

  it('leaves no timer behind', async () => {
    const clock = virtualClock()
    const s = await server((socket) => onRequests(socket, () => socket.write(answer('ok'))))
    await ask(transport(clock), { url: `${s.url}/` })
    expect(clock.pending()).toBe(0)
  })
})
