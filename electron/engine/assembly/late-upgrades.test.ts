import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../base/log.ts'
import { lateUpgrades } from './late-upgrades.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** An HTTP server whose upgrades go to `late`, and who it hands them to. */
async function server(make?: () => Promise<void>) {
  const taken: string[] = []
  let made = 0
  let disposed = 0
  const failures: string[] = []
  const late = lateUpgrades(
    '/here',
    async () => {
      made++
      await make?.()
      return {
        handleUpgrade(request: IncomingMessage, socket: Duplex) {
          taken.push(request.url ?? '')
          socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
          return true
        },
        dispose: () => void disposed++,
      }
    },
    { ...silentLog, error: (_, message) => void failures.push(message) },
  )
  const http = createServer()
  http.on('upgrade', (request, socket, head) => {
    if (!late.handleUpgrade(request, socket, head)) socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  closing.push(() => http.close())
  const call = (path: string): Socket => {
    const socket = connect((http.address() as AddressInfo).port, '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
    closing.push(() => socket.destroy())
    return socket
  }
  return { late, failures, taken, call, made: () => made, disposed: () => disposed }
}
const firstLine = async (socket: Socket) => String((await once(socket, 'data'))[0]).split('\r\n')[0]
const opened = () => {
  let open = () => {}
  const gate = new Promise<void>((done) => (open = done))
  return { gate, open }
}

describe('who takes connections when the first one comes', () => {
  it('is made once, for all who come meanwhile, and takes later ones at once', async () => {
    const { gate, open } = opened()
    const { late, call, taken, made } = await server(() => gate)
    expect(late.made()).toBeNull()
    const both = [call('/here?a'), call('/here?b')].map(firstLine)
    open()
    for (const line of await Promise.all(both)) expect(line).toContain('101')
    expect(await firstLine(call('/here?c'))).toContain('101')
    expect(taken.toSorted()).toEqual(['/here?a', '/here?b', '/here?c'])
    expect(made()).toBe(1)
  })
  it('is not asked for other paths', async () => {
    const { call, made } = await server()
    expect(await firstLine(call('/there'))).toContain('404')
    expect(made()).toBe(0)
  })
  it('is tried again after it could not be made', async () => {
    let tries = 0
    const { call, failures } = await server(async () => {
      if (tries++ === 0) throw new Error('no such file')
    })
    await once(call('/here'), 'close')
    expect(failures).toEqual(['a connection could not be taken'])
    expect(await firstLine(call('/here'))).toContain('101')
  })
  it('ends with the engine, whoever waits for it', async () => {
    const { gate, open } = opened()
    const begun = opened()
    const { late, call, taken, disposed } = await server(() => {
      begun.open()
      return gate
    })
    const waiting = call('/here')
    await begun.gate
    late.dispose()
    open()
    await once(waiting, 'close')
    await once(call('/here'), 'close')
    expect(taken).toEqual([])
    expect(disposed()).toBe(1)
  })
})
