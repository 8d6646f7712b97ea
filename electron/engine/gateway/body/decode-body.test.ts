import * as zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createBodyBudget } from './read-body.ts'
import { decodeBody } from './decode-body.ts'

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
