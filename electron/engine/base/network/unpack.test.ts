import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { unpacking, unzstd } from './unpack.ts'

const words =
  'the model said that it would go on with the next file and then run every test once more before it stops'.split(' ')
let seed = 7
const nextWord = (): string => {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return words[seed % words.length] ?? ''
}
const page = `${Array.from({ length: 60 }, nextWord).join(' ')}\n`
/** two blocks */
const long = Array.from({ length: 900 }, (_, i) => `${i % 10} ${page}`).join('')

// Packed by zstd 1.5.7 (in Node 24).
const packed = (base64: string): Buffer => Buffer.from(base64, 'base64')
const small = packed('KLUv/SANaQAAeyJtb2RlbCI6Im0ifQ==')
const withChecksum = packed('KLUv/SQNaQAAeyJtb2RlbCI6Im0ifSeLfGQ=')
const empty = packed('KLUv/SAAAQAA')
const longPacked = packed(
  'KLUv/QRAvAQAkkQPEpDPAQAXwljRY2Y0HzyUKLPsJSqhYwoZArxp+1u69h7rlE66d3uPi8XVvy3ye1vWi8Y6ub3zm9uUkN8cAiOgMUVQ16xvcG' +
    'TqyJwDa/aVKSd+yjjUcanjpI5HHR91HOq4qeP4UrLgrA5YIu3T0uDcn1g8NDNwIuBbg8KCmgj8B3kpNJHgIO2DiNPlop5qdv8s3hRQDVUA' +
    'AAABAFFdPfu5BgKXZaj6',
)
const skippable = Buffer.concat([packed('UCpNGAMAAAA='), Buffer.from('abc')])

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

async function all(bytes: Buffer, size = Math.max(1, bytes.length)): Promise<string> {
  const out: Buffer[] = []
  for await (const piece of unzstd(pieces(bytes, size))) out.push(piece)
  return Buffer.concat(out).toString()
}

describe('zstd on a Node that lacks it', () => {
  it.each([
    ['a short text', small, '{"model":"m"}'],
    ['one with its checksum', withChecksum, '{"model":"m"}'],
    ['nothing', empty, ''],
    ['several blocks', longPacked, long],
    ['several frames, some to be skipped', Buffer.concat([skippable, small, longPacked, skippable, empty]), null],
  ])('undoes %s, however it comes', async (_what, bytes, text) => {
    for (const size of [1, 3, 17, 100, bytes.length])
      expect(await all(bytes, size)).toBe(text ?? `{"model":"m"}${long}`)
  })

  it('refuses what is cut off at any place, and what is none', async () => {
    for (let end = 1; end < longPacked.length; end++)
      await expect(all(longPacked.subarray(0, end)), String(end)).rejects.toThrow('cut off')
    await expect(all(Buffer.from('{"model":"m", "stream": true}'))).rejects.toThrow()
  })

  it.each([
    ['a window of two gigabytes', packed('KLUv/QCoAQAA'), 'window'],
    ['a text of five gigabytes in one piece', packed('KLUv/eAA8FsAAQAAAAEAAA=='), 'window'],
    ['a dictionary', packed('KLUv/QFABwEAAA=='), 'dictionary'],
  ])('takes no memory for %s', async (_what, bytes, words) => {
    await expect(all(bytes)).rejects.toThrow(words)
  })

  it('makes no more of a bomb than is asked for', async () => {
    // Blocks of one byte that stands for 128 KiB, two thousand of them.
    const bomb = Buffer.concat([packed('KLUv/QBA'), ...Array.from({ length: 2000 }, () => packed('AgAQIA=='))])
    let made = 0
    const counted = Duplex.from(async function* (source: AsyncIterable<Buffer>) {
      for await (const piece of unzstd(source)) {
        made += piece.length
        yield piece
      }
    })
    counted.end(bomb)
    await once(counted, 'readable')
    expect((counted.read() as Buffer).length).toBe(128 * 1024)
    counted.destroy()
    expect(made).toBeLessThan(8 * 1024 * 1024)
  })
})

it('zstd is undone on every Node', async () => {
  const decoder = unpacking('zstd', small[0])
  decoder?.end(small)
  const out: Buffer[] = []
  for await (const piece of decoder ?? []) out.push(piece as Buffer)
  expect(Buffer.concat(out).toString()).toBe('{"model":"m"}')
})
