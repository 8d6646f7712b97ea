import * as zlib from 'node:zlib'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'
import type { ClientCall } from '../../pipeline/turn.ts'
import { openGateway, type OpenGateway } from '../testing/open-gateway.ts'
import { rawClient } from '../testing/raw-client.ts'
import { growingBody, createBodyBudget, decodeBody } from './read-body.ts'

const megabyte = 1024 * 1024
let gateway: OpenGateway
const held: ClientCall[] = []
const ends: (() => void)[] = []
afterEach(() => {
  gateway.dispose()
  held.length = 0
  ends.length = 0
})

/** Turns go on until they are told to end. */
const open = async (budgetBytes: number, maxBodyBytes = megabyte) => {
  gateway = await openGateway({
    bodyBudgetBytes: budgetBytes,
    server: { maxBodyBytes },
    runTurn: (call) => {
      held.push(call)
      return new Promise((done) =>
        ends.push(() => {
          call.reply.head(200, {})
          call.reply.end(Buffer.from('{}'))
          done()
        }),
      )
    },
  })
}
const send = (body: Buffer, headers: Record<string, string> = {}) =>
  fetch(`${gateway.base}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: new Uint8Array(body),
  })
const plain = Buffer.alloc(megabyte, 0x20)
const gzip = { 'content-encoding': 'gzip' }

describe('request bodies in flight', () => {
  it.each([
    ['packed', gzipSync(plain), gzip],
    ['plain', plain, {}],
  ])('hold no more than their budget together: %s', async (_, body, headers) => {
    // a little more than four: what is packed takes room, too
    await open(4.5 * megabyte)
    const answers = Array.from({ length: 40 }, () => send(body, headers))
    await waitFor('as many as fit', () => held.length === 4)
    const busy: Response[] = []
    for (const answer of answers) void answer.then((response) => busy.push(response))
    await waitFor('the others to be refused', () => busy.length === 36)
    for (const response of busy) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
      expect(await response.json()).toMatchObject({ code: 'bodies-in-flight' })
    }
    for (const end of ends.splice(0)) end()
    expect((await Promise.all(answers)).filter(({ status }) => status === 200)).toHaveLength(4)
    const next = send(body, headers)
    await waitFor('the next turn', () => held.length === 5)
    for (const end of ends.splice(0)) end()
    expect((await next).status).toBe(200)
  })

  it('are free again as soon as a turn needs its own no more, and however it ends', async () => {
    await open(2 * megabyte)
    const first = send(plain)
    const second = send(plain)
    await waitFor('two turns', () => held.length === 2)
    expect((await send(plain)).status).toBe(503)
    held[0]?.bodyReleased?.()
    held[0]?.bodyReleased?.()
    const third = send(plain)
    await waitFor('the third turn', () => held.length === 3)
    expect((await send(plain)).status).toBe(503)
    for (const end of ends.splice(0)) end()
    for (const answer of [first, second, third]) expect((await answer).status).toBe(200)
    expect((await send(Buffer.from('x'), gzip)).status).toBe(400)
    expect((await send(gzipSync(Buffer.alloc(3 * megabyte)), gzip)).status).toBe(413)
    const leaving = rawClient(gateway.port)
    leaving.send(
      'POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ' +
        `application/json\r\nContent-Length: ${megabyte}\r\n\r\n`,
      plain.subarray(0, megabyte - 1),
    )
    leaving.destroy()
    await leaving.closed
    const again = [send(plain), send(plain)]
    await waitFor('room for two once more', () => held.length === 5)
    for (const end of ends.splice(0)) end()
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual([200, 200])
  })

  it('is told to a client before it sends one that has no room', async () => {
    await open(2 * megabyte)
    const taken = [send(plain), send(plain)]
    await waitFor('two turns', () => held.length === 2)
    const client = rawClient(gateway.port)
    client.send(
      'POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ' +
        'application/json\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n',
    )
    expect(await client.until(/bodies-in-flight/)).toMatch(/^HTTP\/1\.1 503 /)
    client.destroy()
    for (const end of ends.splice(0)) end()
    await Promise.all(taken)
  })

  it('always fit where they are the only ones, whatever the limit', async () => {
    await open(1, 3 * megabyte)
    const big = Buffer.alloc(3 * megabyte, 0x20)
    const answer = send(gzipSync(big), gzip)
    await waitFor('the turn', () => held.length === 1)
    for (const end of ends.splice(0)) end()
    expect((await answer).status).toBe(200)
  })
})

const bytesOf = (length: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 31 + length) % 251))
const large = 200_000

describe('a body that comes in pieces', () => {
  it('is what was sent, however it was cut, with its length announced and without', () => {
    const sent = bytesOf(large)
    fc.assert(
      fc.property(fc.array(fc.nat(large), { maxLength: 12 }), fc.boolean(), (places, announced) => {
        const body = growingBody(announced ? large : 0)
        const cuts = [0, ...places.toSorted((a, b) => a - b), large]
        for (const [i, cut] of cuts.slice(1).entries()) body.add(Buffer.from(sent.subarray(cuts[i], cut)))
        expect(body.take().equals(sent)).toBe(true)
      }),
      runs(60),
    )
  })

  it('is as long as what came of it, where less came than was announced', () => {
    const body = growingBody(large)
    expect(body.take()).toHaveLength(0)
    body.add(bytesOf(70_000))
    expect(body.take().equals(bytesOf(70_000))).toBe(true)
  })

  it('holds nothing of a piece that a large one came in, and nothing when it was taken', () => {
    const body = growingBody(large)
    const piece = bytesOf(65_000)
    body.add(piece)
    expect(piece).toHaveLength(0)
    const shared = bytesOf(70_000)
    body.add(shared.subarray(1))
    shared.fill(0)
    expect(body.take().equals(Buffer.concat([bytesOf(65_000), bytesOf(70_000).subarray(1)]))).toBe(true)
    expect(body.take()).toHaveLength(0)
  })
})

const text = Buffer.from('{"model":"m"}')
// Packed by zstd 1.5.7 (in Node 24); the bomb is of blocks of 128 KiB.
const zstd = Buffer.from('KLUv/SANaQAAeyJtb2RlbCI6Im0ifQ==', 'base64')
const zstdBomb = Buffer.concat([
  Buffer.from('KLUv/QBA', 'base64'),
  ...Array.from({ length: 39 }, (_, i) => Buffer.from([i === 38 ? 3 : 2, 0, 16, 0x20])),
])
/** one raw block */
const zstdOf = (bytes: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('KLUv/QBA', 'base64'),
    Buffer.from([((bytes.length << 3) & 0xff) | 1, bytes.length >> 5, 0]),
    bytes,
  ])
const share = () => createBodyBudget(() => 10_000_000).open()

describe('a body with content-encoding', () => {
  it.each([
    ['gzip', zlib.gzipSync(text)],
    ['X-GZIP', zlib.gzipSync(text)],
    ['deflate', zlib.deflateSync(text)],
    ['deflate', zlib.deflateRawSync(text)],
    ['zstd', zstd],
    ['gzip, ZSTD', zstdOf(zlib.gzipSync(text))],
    ['br', zlib.brotliCompressSync(text)],
    ['identity', text],
    ['', text],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(text))],
  ])('%s is undone', async (encoding, body) => {
    expect(await decodeBody(body, encoding, 1000, share())).toEqual(text)
  })

  it.each([
    ['compress', text, 415, 'unsupported-encoding'],
    ['constructor', text, 415, 'unsupported-encoding'],
    ['gzip', text, 400, 'bad-encoding'],
    ['gzip', zlib.gzipSync(text).subarray(0, 15), 400, 'bad-encoding'],
    ['br', Buffer.from([255, 255, 255]), 400, 'bad-encoding'],
    ['zstd', text, 400, 'bad-encoding'],
    ['zstd', zstd.subarray(0, 20), 400, 'bad-encoding'],
  ])('%s of something else is refused', async (encoding, body, status, code) => {
    await expect(decodeBody(body, encoding, 1000, share())).rejects.toMatchObject({ status, code })
  })

  it.each(['gzip', 'deflate', 'br', 'zstd'])('a bomb of %s is refused by what comes out', async (encoding) => {
    const big = Buffer.alloc(5_000_000, 0x20)
    const body =
      encoding === 'gzip'
        ? zlib.gzipSync(big)
        : encoding === 'deflate'
          ? zlib.deflateSync(big)
          : encoding === 'zstd'
            ? zstdBomb
            : zlib.brotliCompressSync(big)
    expect(body.length).toBeLessThan(10_000)
    await expect(decodeBody(body, encoding, 1_000_000, share())).rejects.toMatchObject({
      status: 413,
      code: 'body-too-large',
    })
  })

  it('counts what comes out in place of what went in, and is refused where there is no room for it', async () => {
    const budget = createBodyBudget(() => 0, 1_500_000)
    const big = zlib.gzipSync(Buffer.alloc(1_000_000, 0x20))
    const open = () => {
      const opened = budget.open()
      opened.take(big.length)
      return opened
    }
    const [first, second] = [open(), open()]
    expect((await decodeBody(big, 'gzip', 2_000_000, first)).length).toBe(1_000_000)
    await expect(decodeBody(big, 'gzip', 2_000_000, second)).rejects.toMatchObject({
      status: 503,
      code: 'bodies-in-flight',
    })
    second.close()
    expect(budget.free()).toBe(500_000)
    first.close()
    expect(budget.free()).toBe(1_500_000)
  })
})
