import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex, Transform } from 'node:stream'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { configSchema, type ConfigInput } from '../../shared/config/schema.ts'
import { contract } from '../../shared/control/contract.ts'
import { homeId } from '../../shared/control/proof.ts'
import { runs } from '../../shared/testing/runs.ts'
import type { TurnRecord } from '../../shared/state.ts'
import { systemClock } from '../engine/base/clock.ts'
import { createRedactor } from '../engine/secrets/redact.ts'
import { createLendDoor } from '../engine/gateway/lend-door.ts'
import { createLending } from '../engine/pipeline/lend/lend.ts'
import { goldens } from '../engine/protocol/testing/golden/load.ts'
import { unpackedTransport, withVia } from '../engine/providers/transport.ts'
import { answer, ask, onRequests } from '../engine/providers/testing/wire.ts'
import { eachTransport } from '../engine/providers/testing/each-transport.ts'
import { borrowTransport } from '../engine/providers/via/borrow.ts'
import { windowBytes } from '../engine/providers/via/frames.ts'
import { routerScene } from '../engine/router/testing/scene.ts'
import { lendLine } from './lend-line.ts'
import { machineOf } from './machine.ts'

const token = 'the-control-token-there'
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => log }
function quiet() {}
const { transport: direct, server } = eachTransport()
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Bytes that go on in other pieces than they came in. */
const cutting = (cuts: readonly number[]) => {
  let at = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let from = 0; from < chunk.length;) {
        const to = Math.min(chunk.length, from + (cuts[at++ % cuts.length] ?? chunk.length))
        this.push(chunk.subarray(from, to))
        from = to
      }
      done()
    },
  })
}

const provider = (url: string, more: object = {}) => ({
  type: 'openai-chat' as const,
  baseUrl: `${url}/v1`,
  keys: [{ alias: 'main', value: 'sk-first-0123456789' }],
  lend: true,
  ...more,
})

/** An engine that lends behind its real door, and the transport of one that borrows. */
async function between(providers: ConfigInput['providers'], { cuts = [65_536] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'onward-lend-'))
  const path = join(folder, 'engine.sock')
  const config = configSchema.parse({ providers })
  const router = routerScene({ providers })
  const records: TurnRecord[] = []
  const lending = createLending({
    clock: systemClock(),
    random: { uuid: () => 'x' },
    log,
    config: {
      current: () => config,
      key: (id, alias) => {
        const key = config.providers[id]?.keys.find((one) => one.alias === alias)
        return key && 'value' in key ? { ok: true, value: key.value } : { ok: false, why: 'none' }
      },
    },
    transport: direct(),
    router,
    redactor: (headers) => createRedactor(Object.values(headers).map((one) => one.replace(/^Bearer /, ''))),
    addRecord: (record) => records.push(record),
    closed: () => false,
  })
  const keys = { keyOf: (id: string) => (id === homeId ? token : null) }
  const door = createLendDoor({ keys, lending: async () => lending, clock: systemClock(), log })
  const http = createServer()
  http.on('upgrade', (request, socket, head) => void door.handleUpgrade(request, socket, head))
  await new Promise<void>((resolve) => http.listen(path, resolve))
  const sockets: Socket[] = []
  let opened = 0
  const open = async () => {
    opened += 1
    const socket = connect(path)
    sockets.push(socket)
    const [up, down] = [cutting(cuts), cutting(cuts)]
    up.pipe(socket)
    socket.pipe(down)
    socket.on('error', () => socket.destroy())
    let lose: (error: Error) => void = () => undefined
    const lost = new Promise<Error>((resolve) => (lose = resolve))
    socket.once('close', () => {
      down.destroy()
      lose(new Error('The line to devbox broke.'))
    })
    return lendLine({
      machine: machineOf({ name: 'devbox', target: 'devbox', program: null }),
      version: '1',
      started: false,
      engine: { pid: 1, version: '1', contract, host: '127.0.0.1', port: 1, token },
      channel: Duplex.from({ readable: down, writable: up }) as Duplex,
      pid: 1,
      lost,
      close: () => socket.destroy(),
    })
  }
  const borrowing = borrowTransport({ clock: systemClock(), open, name: 'laptop' })
  ends.push(async () => {
    await borrowing.dispose()
    door.dispose()
    http.close()
    http.closeAllConnections()
    rmSync(folder, { recursive: true })
  })
  return {
    transport: withVia(direct(), async () => unpackedTransport(borrowing)),
    records,
    lending,
    router,
    opened: () => opened,
    cut: () => sockets.at(-1)?.destroy(),
  }
}

const url = 'via:devbox/openai-chat/lent/v1/chat/completions'
const body = Buffer.from('{"model":"m","messages":[]}')
const lent = { url, body, headers: { 'content-type': 'application/json', 'x-mine': 'kept' } }

describe('a provider of another machine', () => {
  it('is asked there with its key alone, byte for byte, and shows in its records', async () => {
    const heard: string[] = []
    const vendor = await server((socket) =>
      onRequests(socket, (head, bytes) => {
        heard.push(head, bytes.toString())
        socket.write(answer('{"ok":true}', 'x-ratelimit-remaining: 3\r\nretry-after: 7\r\n'))
      }),
    )
    const there = await between({ lent: provider(vendor.url) })
    const told = await ask(there.transport, { ...lent, headers: { ...lent.headers, authorization: 'Bearer mine' } })
    expect(told).toMatchObject({ status: 200, error: null, order: ['head', 'data', 'end'] })
    expect(told.headers).toMatchObject({
      'x-ratelimit-remaining': '3',
      'retry-after': '7',
      'content-type': 'text/plain',
    })
    expect(told.body.toString()).toBe('{"ok":true}')
    expect(heard[0]).toMatch(/^POST \/v1\/chat\/completions HTTP\/1\.1/)
    expect(heard[0]).toContain('Bearer sk-first-0123456789')
    expect(heard[0]).toContain('x-mine: kept')
    expect(heard[0]).not.toContain('Bearer mine')
    expect(heard[1]).toBe(body.toString())
    expect(there.records).toMatchObject([
      { lentTo: 'laptop', model: 'm', status: 200, finish: 'stop', usage: null, costUsd: null, bytesOut: 11 },
    ])
    expect(there.router.views()).toMatchObject([{ health: { kind: 'healthy' } }])
  })

  it('answers byte for byte, wherever the bytes of link and stream are cut', async () => {
    let next: Buffer = Buffer.alloc(0)
    let cuts: readonly number[] = [1]
    const vendor = await server((socket) =>
      onRequests(socket, () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${next.length}\r\n\r\n`)
        for (let from = 0, i = 0; from < next.length; i++) {
          const to = from + (cuts[i % cuts.length] ?? 1)
          socket.write(next.subarray(from, to))
          from = to
        }
      }),
    )
    const all = goldens()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 9 }),
        fc.array(fc.nat(all.length - 1), { minLength: 4, maxLength: 4 }),
        async (lengths, chosen) => {
          const there = await between({ lent: provider(vendor.url) }, { cuts: [...lengths] })
          cuts = lengths
          for (const one of chosen) {
            next = Buffer.from(all[one]?.bytes ?? '')
            const told = await ask(there.transport, lent)
            expect(told.error).toBeNull()
            expect(told.body.equals(next)).toBe(true)
          }
          expect(there.opened()).toBe(1)
          for (const end of ends.splice(0).reverse()) await end()
        },
      ),
      runs(60),
    )
  })

  it('is heard piece by piece: each before the next one is sent', async () => {
    const vendor = await server((socket) =>
      onRequests(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n')
        socket.write('7\r\npiece 0\r\n')
      }),
    )
    const there = await between({ lent: provider(vendor.url) })
    let pieces = 0
    const told = await ask(there.transport, lent, (event, _call, { chunks }) => {
      if (event !== 'data') return
      expect(Buffer.concat(chunks).toString()).toBe(Array.from({ length: pieces + 1 }, (_, i) => `piece ${i}`).join(''))
      pieces += 1
      vendor.connections[0]?.write(pieces < 5 ? `7\r\npiece ${pieces}\r\n` : '0\r\n\r\n')
    })
    expect([told.error, pieces]).toEqual([null, 5])
  })

  it('sends no further ahead of a reader than the window, and goes on when it reads', async () => {
    const size = 40 * windowBytes
    let written = 0
    const vendor = await server((socket) =>
      onRequests(socket, () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${size}\r\n\r\n`)
        const more = () => {
          while (written < size) {
            written += 65_536
            if (!socket.write(Buffer.alloc(65_536, written / 65_536))) return
          }
        }
        socket.on('drain', more)
        more()
      }),
    )
    const there = await between({ lent: provider(vendor.url), other: provider(vendor.url) })
    let seen = 0
    let paused = false
    const told = await ask(there.transport, lent, (event, call, { chunks }) => {
      seen = chunks.reduce((sum, { length }) => sum + length, 0)
      if (event !== 'data' || paused) return
      paused = true
      // a whole other call goes by on the same line meanwhile
      void ask(there.transport, { url: 'via:devbox/openai-chat/gone/v1/x', method: 'GET', body: null }).then(
        (other) => {
          expect(other.error).toMatchObject({ code: 'via-missing' })
          expect(written).toBeLessThan(size)
          expect(seen).toBeLessThanOrEqual(windowBytes)
          call.resume()
        },
      )
      return false
    })
    expect(told.body.length).toBe(size)
    expect(told.error).toBeNull()
    expect(there.opened()).toBe(1)
  })

  it('gets a long request in pieces, whole', async () => {
    let got: Buffer = Buffer.alloc(0)
    const vendor = await server((socket) =>
      onRequests(socket, (_head, bytes) => {
        got = bytes
        socket.write(answer('ok'))
      }),
    )
    const there = await between({ lent: provider(vendor.url) })
    const long = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'é'.repeat(900_000) }] }))
    const told = await ask(there.transport, { ...lent, body: [long.subarray(0, 700_001), long.subarray(700_001)] })
    expect(told).toMatchObject({ status: 200, error: null })
    expect(got.equals(long)).toBe(true)
  })

  it('hears that its client has left', async () => {
    const vendor = await server((socket) =>
      onRequests(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n')
        socket.write('5\r\nhello\r\n')
      }),
    )
    const there = await between({ lent: provider(vendor.url) })
    const told = await ask(there.transport, lent, (event, call) => {
      if (event === 'data') call.abort()
    })
    expect(told.error).toMatchObject({ code: 'upstream-aborted' })
    await new Promise((resolve) => vendor.connections[0]?.once('close', resolve))
    expect(there.records).toMatchObject([{ finish: 'broken-off', error: null }])
    expect(there.lending.open()).toBe(0)
  })

  it('is asked with its next key where one is refused, and its last refusal comes back without a key', async () => {
    const asked: string[] = []
    const vendor = await server((socket) =>
      onRequests(socket, (head) => {
        const key = /Bearer (\S+)/.exec(head)?.[1] ?? ''
        asked.push(key)
        const said = `{"error":"no ${key}"}`
        socket.write(answer(said).replace('200 OK', '401 Unauthorized'))
      }),
    )
    const keys = [
      { alias: 'main', value: 'sk-first-0123456789' },
      { alias: 'spare', value: 'sk-second-0123456789' },
    ]
    const there = await between({ lent: provider(vendor.url, { keys }) })
    const told = await ask(there.transport, lent)
    expect(asked).toEqual(['sk-first-0123456789', 'sk-second-0123456789'])
    expect(told).toMatchObject({ status: 401, error: null })
    expect(told.body.toString()).toBe('{"error":"no [hidden]"}')
    expect(there.records).toHaveLength(2)
  })

  it.each([
    ['via-missing', 'nobody', 'openai-chat', /On devbox: There is no provider “nobody” there/],
    ['via-not-lent', 'kept', 'openai-chat', /"lend": true/],
    ['via-no-key', 'login', 'anthropic', /no key to lend/],
    ['via-other-type', 'lent', 'anthropic', /openai-chat there, and anthropic here/],
    ['no-route', 'keyless', 'openai-chat', /No provider can take/],
    ['upstream-unreachable', 'lent', 'openai-chat', /On devbox: Nothing listens/],
  ] as const)('says %s', async (code, id, type, says) => {
    const there = await between({
      lent: provider('http://127.0.0.1:1'),
      kept: provider('http://127.0.0.1:1', { lend: false }),
      keyless: provider('http://127.0.0.1:1', { keys: [{ alias: 'x', env: 'NO_SUCH' }] }),
      login: { type: 'anthropic', baseUrl: 'http://127.0.0.1:1', auth: 'client', lend: true },
    })
    const told = await ask(there.transport, { ...lent, url: `via:devbox/${type}/${id}/v1/chat/completions` })
    expect(told.order).toEqual(['error'])
    expect(told.error).toMatchObject({ code, message: expect.stringMatching(says) as string })
  })

  it.each([
    ['POST', '/v1/files'],
    ['POST', '/v1/chat/completions/../../organization/costs'],
    ['POST', '/v1/responses'],
    ['GET', '/v1/organization/costs'],
    ['GET', '/v1/chat/completions'],
  ] as const)('lends no other use of its key: %s %s', async (method, path) => {
    const asked: string[] = []
    const vendor = await server((socket) =>
      onRequests(socket, () => {
        asked.push(path)
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      }),
    )
    const there = await between({ lent: provider(vendor.url) })
    const told = await ask(there.transport, { ...lent, method, url: `via:devbox/openai-chat/lent${path}` })
    expect(told.error).toMatchObject({ code: 'bad-request' })
    expect(asked).toEqual([])
  })

  it('says what is known when the line breaks: before, in the middle, and when nothing had left', async () => {
    let begin: (() => void) | null = null
    const vendor = await server((socket) =>
      onRequests(socket, () => {
        if (begin) return begin()
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n')
        socket.write('5\r\nhello\r\n')
      }),
    )
    const there = await between({ lent: provider(vendor.url) })
    const middle = await ask(there.transport, lent, (event) => {
      if (event === 'data') there.cut()
    })
    expect(middle.order).toEqual(['head', 'data', 'error'])
    expect(middle.error).toMatchObject({ code: 'via-lost', retryable: false, message: /in the middle/ })
    begin = () => there.cut()
    const before = await ask(there.transport, lent)
    expect(before.order).toEqual(['error'])
    expect(before.error).toMatchObject({ code: 'via-lost', retryable: true, message: /not known whether/ })
    expect(there.opened()).toBe(2)
    await Promise.all(vendor.connections.map((one) => one.destroyed || new Promise((done) => one.once('close', done))))
    const away = await ask(
      withVia(direct(), async () => borrowTransport({ clock: systemClock(), open: noLine })),
      lent,
    )
    expect(away.error).toMatchObject({ code: 'via-away', retryable: true, message: /devbox.*It is off/ })
  })
})

const noLine = async () => {
  throw new Error('It is off.')
}
