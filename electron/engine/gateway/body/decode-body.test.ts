import * as zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createBodyBudget } from './read-body.ts'
import { decodeBody } from './decode-body.ts'

const text = Buffer.from('{"model":"m"}')
const share = () => createBodyBudget(() => 10_000_000).open()

describe('a body with content-encoding', () => {
  it.each([
    ['gzip', zlib.gzipSync(text)],
    ['X-GZIP', zlib.gzipSync(text)],
    ['deflate', zlib.deflateSync(text)],
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
  ])('%s of something else is refused', async (encoding, body, status, code) => {
    await expect(decodeBody(body, encoding, 1000, share())).rejects.toMatchObject({ status, code })
  })

  it.each(['gzip', 'deflate', 'br'])('a bomb of %s is refused by what comes out', async (encoding) => {
    const big = Buffer.alloc(5_000_000, 0x20)
    const body =
      encoding === 'gzip'
        ? zlib.gzipSync(big)
        : encoding === 'deflate'
          ? zlib.deflateSync(big)
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

  it('zstd is undone where this Node has it, else refused with the list of what is read', async () => {
    const compress: unknown = Reflect.get(zlib, 'zstdCompressSync')
    if (typeof compress === 'function') expect(await decodeBody(compress(text), 'zstd', 1000, share())).toEqual(text)
    else
      await expect(decodeBody(text, 'zstd', 1000, share())).rejects.toMatchObject({
        status: 415,
        message: expect.stringContaining('gzip'),
      })
  })
})
