import { createServer } from 'node:http'
import { connect, Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { trackConnections, type Connections } from './connections.ts'
import { openGateway } from './testing/open-gateway.ts'

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Sockets that are open, each with a call on it. */
function withCalls(count: number): { connections: Connections; sockets: Socket[]; release(index: number): void } {
  const server = createServer()
  const connections = trackConnections(server)
  const calls = Array.from({ length: count }, () => ({ socket: new Socket(), gone: () => undefined }))
  for (const { socket, gone } of calls) {
    server.emit('connection', socket)
    connections.hold(socket, gone)
  }
  return {
    connections,
    sockets: calls.map(({ socket }) => socket),
    release(index) {
      const call = calls[index]
      if (call) connections.release(call.socket, call.gone)
    },
  }
}

describe('the end of an answer', () => {
  it('is written at once where no other call is open', () => {
    const { connections } = withCalls(1)
    const written: string[] = []
    connections.writeTogether(() => written.push('one'))
    expect(written).toEqual(['one'])
  })

  it('is written with those of others, in their order, when the turn of the event loop ends', async () => {
    const { connections } = withCalls(2)
    const written: string[] = []
    connections.writeTogether(() => written.push('one'))
    await Promise.resolve()
    connections.writeTogether(() => written.push('two'))
    expect(written).toEqual([])
    await tick()
    expect(written).toEqual(['one', 'two'])
    connections.writeTogether(() => written.push('three'))
    await tick()
    expect(written).toEqual(['one', 'two', 'three'])
  })

  it.each<[string, (calls: ReturnType<typeof withCalls>) => unknown]>([
    ['over', ({ release }) => (release(1), release(1))],
    ['gone with its connection', ({ sockets }) => sockets[1]?.emit('close')],
  ])('waits for no call that is %s', (_, ends) => {
    const calls = withCalls(2)
    ends(calls)
    const written: string[] = []
    calls.connections.writeTogether(() => written.push('one'))
    expect(written).toEqual(['one'])
  })

  it('is written before the connections are closed', async () => {
    const { connections, sockets } = withCalls(2)
    const written: boolean[] = []
    connections.writeTogether(() => written.push(sockets.some(({ destroyed }) => destroyed)))
    connections.dispose()
    expect(written).toEqual([false])
    await tick()
    expect(written).toEqual([false])
  })
})

describe('clients that all come back at once', () => {
  it('leave the way free for a page, and are all served then, in their order', async () => {
    const gateway = await openGateway()
    const say = async (head: string): Promise<string> => {
      const socket = connect(gateway.port, '127.0.0.1')
      socket.write(`${head} HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\nconnection: close\r\n`)
      socket.write('content-type: application/json\r\ncontent-length: 2\r\n\r\n{}')
      let said = ''
      for await (const chunk of socket.setEncoding('latin1')) {
        if (said === '' && head === 'GET /health') begun = gateway.calls.length
        said += chunk
      }
      return said
    }
    let begun = 0
    const agents = Array.from({ length: 40 }, (_, n) => say(`POST /v1/messages?n=${n}`))
    expect(await say('GET /health')).toMatch(/^HTTP\/1.1 200/)
    // the bytes of the answer are on their way for a turn or two
    expect(begun).toBeLessThan(5)
    for (const answer of await Promise.all(agents)) expect(answer).toContain('{"ok":true}')
    expect(gateway.calls.map(({ path }) => path.split('=')[1])).toEqual(Array.from({ length: 40 }, (_, n) => `${n}`))
    gateway.dispose()
  })

  it('have their call begun as well where they leave while it waits, as one that nobody reads', async () => {
    const gateway = await openGateway({ runTurn: async () => undefined })
    const connected = () => connect(gateway.port, '127.0.0.1').on('error', () => undefined)
    const leaves = connected()
    const head = `POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\ncontent-type: application/json\r\n`
    leaves.write(`${head}content-length: 2\r\n\r\n{}`)
    const others: Socket[] = []
    for (let n = 0; n < 40; n++) {
      others.push(connected())
      if (n === 20) leaves.resetAndDestroy()
      await tick()
    }
    expect(gateway.calls).toEqual([])
    for (let n = 0; n < 100 && gateway.calls.length === 0; n++) await tick()
    expect(gateway.calls.map(({ reply }) => reply.left)).toEqual([true])
    for (const socket of others) socket.destroy()
    gateway.dispose()
  })
})
