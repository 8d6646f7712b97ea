import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { ask } from './testing/wire.ts'
import { transportFor } from './transport.ts'
import type { Transport } from './types.ts'

let home = ''
let transport: Transport
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'onward-transport-'))
  await mkdir(join(home, 'inner', 'scenarios'), { recursive: true })
  await writeFile(join(home, 'inner', 'scenarios', 'a.json'), '{"replies":[{"text":"from the file"}]}')
  await writeFile(join(home, 'secret.json'), '{"replies":[{"text":"not this"}]}')
  const read = (path: string) =>
    readFile(path).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    })
  transport = transportFor({ clock: systemClock(), env: {}, home: join(home, 'inner'), files: { read } })
})
afterAll(async () => {
  await transport.dispose()
  await rm(home, { recursive: true, force: true })
})

const body = Buffer.from('{"messages":[{"role":"user","content":"hi"}]}')

describe('where a request goes', () => {
  it('simulator: to the simulator, with a scenario below the home', async () => {
    expect((await ask(transport, { url: 'simulator://s/v1/messages', body })).body.toString()).toContain(
      'simulator, not a model',
    )
    expect(
      (await ask(transport, { url: 'simulator://s/~scenarios%2Fa.json/v1/messages', body })).body.toString(),
    ).toContain('from the file')
  })

  it.each(['../secret.json', '/etc/passwd', 'a/../../secret.json', 'C:\\x.json'])(
    'never to a file outside the home: %s',
    async (path) => {
      const told = await ask(transport, { url: `simulator://s/~${encodeURIComponent(path)}/v1/messages`, body })
      expect(told.error?.code).toBe('bad-scenario')
    },
  )

  it('http: to the network; anything else nowhere', async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end('network'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const told = await ask(transport, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, body })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(told.body.toString()).toBe('network')
    expect((await ask(transport, { url: 'file:///etc/passwd', body })).error?.code).toBe('upstream-unreachable')
  })
})
