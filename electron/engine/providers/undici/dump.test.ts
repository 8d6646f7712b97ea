import { describe, expect, it } from 'vitest'
import { waitFor } from '../../../../shared/testing/wait-for.ts'
import { virtualClock, type VirtualClock } from '../../base/testing/virtual-clock.ts'
import { eachTransport } from '../testing/each-transport.ts'
import { answer, ask, onRequests } from '../testing/wire.ts'
import type { Transport } from '../types.ts'

const { server, transport } = eachTransport()
const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const lastEvent = `${head}9\r\ndata: x\n\n\r\n`

describe('an answer that is whole before its body ends', () => {
  /** Asks once, and lets go of the answer at its last event. */
  async function dumped(url: string, t: Transport) {
    const told = await ask(t, { url }, (event, call) => {
      if (event === 'data') call.dump()
    })
    expect(told.order).toHaveLength(3)
    expect(told.body.toString()).toBe('data: x\n\n')
  }
  const openTimers = (clock: VirtualClock) => clock.pending()

  it('leaves a connection that serves again where the end comes soon', async () => {
    const clock = virtualClock()
    const s = await server((socket) =>
      onRequests(socket, (_head, _body, count) => socket.write(count === 0 ? lastEvent : answer('ok'))),
    )
    const t = transport(clock)
    await dumped(`${s.url}/`, t)
    // What comes after it belongs to no answer.
    s.connections[0]?.write('9\r\ndata: y\n\n\r\n0\r\n\r\n')
    await waitFor('the end was read', () => openTimers(clock) === 0)
    expect((await ask(t, { url: `${s.url}/` })).body.toString()).toBe('ok')
    expect(s.connections).toHaveLength(1)
  })

  it('is waited for no longer than a second, whatever still comes', async () => {
    const clock = virtualClock()
    const s = await server((socket) => onRequests(socket, () => socket.write(lastEvent)))
    await dumped(`${s.url}/`, transport(clock))
    await clock.advance(900)
    s.connections[0]?.write('7\r\n: ping\n\r\n')
    expect(s.connections[0]?.destroyed).toBe(false)
    await clock.advance(100)
    await waitFor('the connection was closed', () => s.connections[0]?.destroyed === true)
    expect(openTimers(clock)).toBe(0)
  })

  it('holds nothing where both came together', async () => {
    const clock = virtualClock()
    const s = await server((socket) => onRequests(socket, () => socket.write(`${lastEvent}0\r\n\r\n`)))
    const t = transport(clock)
    for (let i = 0; i < 3; i++) {
      await dumped(`${s.url}/`, t)
      await waitFor('the end was read', () => openTimers(clock) === 0)
    }
    expect(s.connections).toHaveLength(1)
  })
})
