import { describe, expect, it } from 'vitest'
import { eachTransport } from '../testing/each-transport.ts'
import { answer, ask, onRequests } from '../testing/wire.ts'

const { server, transport } = eachTransport()

describe('connections', () => {
  it('are kept and used again, one request at a time on each', async () => {
    const s = await server((socket) => onRequests(socket, () => socket.write(answer('ok'))))
    const t = transport()
    for (let i = 0; i < 5; i++) expect((await ask(t, { url: `${s.url}/` })).status).toBe(200)
    expect(s.connections.length).toBe(1)
    await Promise.all([1, 2, 3].map(() => ask(t, { url: `${s.url}/` })))
    expect(s.connections.length).toBeGreaterThan(1)
  })

  it('that went stale are replaced once, without the caller noticing', async () => {
    const bodies: string[] = []
    // The second request on a connection is read and then the connection is cut: a keep-alive race.
    const s = await server((socket) =>
      onRequests(socket, (_head, body, count) => {
        bodies.push(body.toString())
        if (count === 0) socket.write(answer('ok'))
        else socket.destroy()
      }),
    )
    const t = transport()
    await ask(t, { url: `${s.url}/`, body: Buffer.from('one') })
    const told = await ask(t, { url: `${s.url}/`, body: Buffer.from('two') })
    expect(told.order).toEqual(['head', 'data', 'end'])
    expect(bodies).toEqual(['one', 'two', 'two'])
    expect(s.connections.length).toBe(2)
  })

  it('that are new are not tried again: the upstream may be at work', async () => {
    let requests = 0
    const s = await server((socket) =>
      onRequests(socket, () => {
        requests++
        socket.destroy()
      }),
    )
    const told = await ask(transport(), { url: `${s.url}/` })
    expect(told.error?.code).toBe('upstream-broke-off')
    expect(told.error?.retryable).toBe(true)
    expect(requests).toBe(1)
  })

  it('a second stale one is an error, not a loop', async () => {
    let requests = 0
    const s = await server((socket) =>
      onRequests(socket, (_head, _body, count) => {
        requests++
        if (count === 0 && requests < 3) socket.write(answer('ok'))
        else socket.destroy()
      }),
    )
    const t = transport()
    await ask(t, { url: `${s.url}/` })
    const told = await ask(t, { url: `${s.url}/` })
    expect(told.error?.code).toBe('upstream-broke-off')
    expect(requests).toBe(3)
  })
})
