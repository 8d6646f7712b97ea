import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../base/log.ts'
import { openProbes, type ProbeListener, type Readiness } from './probe-listener.ts'

const opened: ProbeListener[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.dispose()
})
let now: Readiness = 'starting'
const open = async (port = 0) => {
  const probes = await openProbes({ port, readiness: () => now, log: silentLog })
  opened.push(probes)
  return probes
}
const ask = (port: number, path: string, method = 'GET') =>
  new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method }, (res) => {
      res.resume()
      resolve({ status: res.statusCode, connection: res.headers.connection })
    })
      .on('error', reject)
      .end()
  })

describe('the port for probes', () => {
  it.each<[Readiness, number]>([
    ['starting', 503],
    ['ready', 200],
    ['ending', 503],
    ['config-unreadable', 503],
    ['policy-unreadable', 503],
  ])('says of an engine that is %s: %i', async (readiness, status) => {
    const { port } = await open()
    now = readiness
    expect(await ask(port, '/ready?x=1')).toEqual({ status, connection: 'close' })
    expect((await ask(port, '/health')).status).toBe(200)
    const body = (await (await fetch(`http://127.0.0.1:${port}/ready`)).json()) as unknown
    expect(body).toEqual({ name: 'onward', ready: readiness === 'ready', readiness })
  })

  it('serves nothing else, whatever is asked', async () => {
    const { port } = await open()
    for (const path of ['/', '/v1/models', '/dashboard/', '/control', '/t/key/v1/messages'])
      expect((await ask(port, path)).status).toBe(404)
    expect((await ask(port, '/ready', 'POST')).status).toBe(405)
  })

  it('that is taken says so', async () => {
    const { port } = await open()
    await expect(open(port)).rejects.toMatchObject({
      code: 'probe-port',
      message: expect.stringContaining(`port ${port} for probes: EADDRINUSE. Choose another server.probePort`),
    })
  })
})
