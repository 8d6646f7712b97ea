import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { eachTransport } from '../testing/each-transport.ts'
import { answer, ask, onRequests } from '../testing/wire.ts'
import type { UpstreamCall } from '../types.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'

const { server, transport } = eachTransport()
const noTimeouts = { connectMs: 0, firstByteMs: 0, idleMs: 0 }

describe('abort', () => {
  it('in the middle of an answer reaches the upstream', async () => {
    const s = await server((socket) =>
      onRequests(socket, () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1')),
    )
    const told = await ask(transport(), { url: `${s.url}/` }, (event, call) => {
      if (event === 'data') call.abort()
    })
    expect(told.error?.code).toBe('upstream-aborted')
    await waitFor('the upstream saw it', () => s.connections[0]?.destroyed === true)
  })

  it.each([
    ['in the middle of an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1'],
    ['before the first byte', ''],
  ])('%s opens no other connection for what nobody waits for', async (_when, said) => {
    let asked = () => {}
    const wasAsked = new Promise<void>((done) => {
      asked = done
    })
    const s = await server((socket) =>
      onRequests(socket, () => {
        socket.write(said)
        asked()
      }),
    )
    const t = transport()
    const over = new Promise<string>((done) => {
      const call = t.send(
        { url: `${s.url}/`, method: 'POST', headers: {}, body: Buffer.from('x'), timeouts: noTimeouts },
        {
          onHead: () => undefined,
          onData: () => {
            call.abort()
            return true
          },
          onEnd: () => done('end'),
          onError: (error) => done(error.code),
        },
      )
      if (said === '') void wasAsked.then(() => call.abort())
    })
    expect(await over).toBe('upstream-aborted')
    await waitFor('the upstream saw it', () => s.connections[0]?.destroyed === true)
    // The server accepts all earlier connections before this one.
    const last = connect(s.port, '127.0.0.1')
    await once(last, 'connect')
    await waitFor('the last connection', () => s.connections.some(({ remotePort }) => remotePort === last.localPort))
    last.destroy()
    expect(s.connections.length).toBe(2)
  })

  it('before a connection stands sends nothing', async () => {
    let bytes = 0
    const s = await server((socket) =>
      socket.on('data', (chunk) => {
        bytes += chunk.length
      }),
    )
    const t = transport()
    let end: string | null = null
    const call = t.send(
      {
        url: `${s.url}/`,
        method: 'POST',
        headers: {},
        body: Buffer.from('x'),
        timeouts: { connectMs: 0, firstByteMs: 0, idleMs: 0 },
      },
      {
        onHead: () => undefined,
        onData: () => true,
        onEnd: () => {
          end = 'end'
        },
        onError: (error) => {
          end = error.code
        },
      },
    )
    call.abort()
    call.abort()
    expect(end).toBeNull()
    await waitFor('told', () => end !== null)
    expect(end).toBe('upstream-aborted')
    await waitFor('given up', () => s.connections.length === 0 || s.connections[0]?.destroyed === true)
    expect(bytes).toBe(0)
  })

  it('while waiting for the first byte, while paused, and after the end', async () => {
    let mode: 'silent' | 'pause' | 'done' = 'silent'
    const s = await server((socket) =>
      onRequests(socket, () => {
        if (mode === 'pause') socket.write('HTTP/1.1 200 OK\r\ncontent-length: 900000\r\n\r\nabc')
        if (mode === 'done') socket.write(answer('ok'))
      }),
    )
    const t = transport()
    const calls: UpstreamCall[] = []
    const silent = new Promise<string>((resolve) => {
      const call = t.send(
        {
          url: `${s.url}/`,
          method: 'POST',
          headers: {},
          body: Buffer.from('x'),
          timeouts: { connectMs: 0, firstByteMs: 0, idleMs: 0 },
        },
        {
          onHead: () => undefined,
          onData: () => true,
          onEnd: () => resolve('end'),
          onError: (error) => resolve(error.code),
        },
      )
      calls.push(call)
    })
    await waitFor('connected', () => s.connections.length === 1)
    calls[0]?.abort()
    expect(await silent).toBe('upstream-aborted')
    mode = 'pause'
    const paused = await ask(t, { url: `${s.url}/` }, (event, call) => {
      if (event === 'data') {
        setTimeout(() => call.abort(), 5)
        return false
      }
    })
    expect(paused.error?.code).toBe('upstream-aborted')
    mode = 'done'
    const done = await ask(t, { url: `${s.url}/` }, (event, call) => {
      if (event === 'end') call.abort()
    })
    expect(done.order).toEqual(['head', 'data', 'end'])
  })

  it('dispose ends what runs', async () => {
    const s = await server((socket) =>
      onRequests(socket, () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1')),
    )
    const t = transport()
    const told = await ask(t, { url: `${s.url}/` }, (event) => {
      if (event === 'data') void t.dispose()
    })
    expect(told.error?.code).toBe('upstream-aborted')
    expect(told.error?.message).toMatch(/shutting down/)
  })
})
