import { PassThrough } from 'node:stream'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { silentLog } from '../base/log.ts'
import { brokenRequestHandler } from './connections.ts'
import { trackConnections } from './connections.ts'

const server = createServer()
afterEach(() => {
  server.close()
})

const handle = brokenRequestHandler(
  {
    config: () => {
      throw new Error('not asked')
    },
    clock: systemClock(),
    random: { uuid: randomUUID, token: () => '', fraction: () => 0 },
    log: silentLog,
    runTurn: () => Promise.reject(new Error('not asked')),
    listModels: () => ({ data: [] }),
    terminalByKey: () => null,
    peers: { userOf: () => 'own', processOf: async () => null },
    metrics: () => null,
    turnReport: async () => null,
    errorBody: (_entry, facts) => Buffer.from(JSON.stringify(facts)),
    unreadable: () => null,
    ready: () => true,
    upgrade: () => false,
    staticPage: () => false,
  },
  trackConnections(server),
)

/** What node:http reports, and what the client then reads. */
describe('a connection without a readable request', () => {
  it.each([
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'request-too-slow'],
    ['HPE_HEADER_OVERFLOW', 431, 'headers-too-large'],
    ['HPE_INVALID_METHOD', 400, 'bad-http'],
    ['HPE_INVALID_EOF_STATE', 400, 'bad-http'],
  ])('%s is answered %i', async (code, status, told) => {
    const socket = new PassThrough()
    handle(Object.assign(new Error('from node:http'), { code }), socket)
    const text = Buffer.concat((await socket.toArray()) as Buffer[]).toString()
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(text).toMatch(/\r\nconnection: close\r\n/)
    expect(text).toContain(`"code":"${told}"`)
  })

  it('that was reset is only let go', () => {
    const socket = new PassThrough()
    handle(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), socket)
    expect(socket.destroyed).toBe(true)
    expect(socket.read()).toBeNull()
  })
})
