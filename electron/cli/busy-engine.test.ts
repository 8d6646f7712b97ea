import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { closeCodes } from '../../shared/control/proof.ts'
import { fakeControlApi, sampleStatus } from '../engine/control/testing/fake-control-api.ts'
import { listenControl } from '../engine/control/testing/listen.ts'
import { withControl } from './client.ts'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean()
})

/** The socket of an engine, of which the test decides what becomes of each connection. */
async function socketOf(taken: (connection: Socket, nth: number) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'onward-busy-'))
  const connections = new Set<Socket>()
  const server = createServer((connection) => {
    connections.add(connection)
    connection.on('error', () => undefined)
    taken(connection, connections.size)
  })
  await once(server.listen(join(folder, 's')), 'listening')
  cleanUp.push(() => {
    for (const connection of connections) connection.destroy()
    server.close()
    rmSync(folder, { recursive: true })
  })
  return join(folder, 's')
}
const engine = async () => {
  const listening = await listenControl(fakeControlApi({ status: async () => sampleStatus() }))
  cleanUp.push(listening.close)
  return listening
}

describe('a command, while the engine is busy', () => {
  it('connects again when the engine had no time for the first connection', async () => {
    const { host, port, token, socket: real } = await engine()
    const closing = createHttp()
    const refusing = new WebSocketServer({ server: closing })
    refusing.on('connection', (ws) => ws.close(closeCodes.late, 'no proof came in time'))
    cleanUp.push(() => refusing.close())
    const socket = await socketOf((connection, nth) => {
      if (nth === 1) return closing.emit('connection', connection)
      const there = connect(real)
      there.on('error', () => undefined)
      connection.pipe(there).pipe(connection)
    })
    const status = await withControl({ host, port, token, socket }, (calls) => calls.status.query())
    expect(status.version).toBe(sampleStatus().version)
  })

  it('says that it is busy, and not that there is none', async () => {
    const socket = await socketOf(() => undefined)
    const target = { host: '127.0.0.1', port: 5520, token: 't'.repeat(43), socket }
    await expect(withControl(target, (calls) => calls.status.query(), 50)).rejects.toMatchObject({
      code: 'engine-busy',
      exit: 'failed',
      message: expect.stringContaining('it is busy') as unknown,
    })
  })
})
