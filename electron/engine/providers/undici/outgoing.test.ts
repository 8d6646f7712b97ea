import { describe, expect, it } from 'vitest'
import { outgoing, type Outgoing } from './outgoing.ts'

const piecesOf = async (body: Outgoing): Promise<Buffer[]> => {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece)
  return pieces
}

describe('a request body on its way', () => {
  it('is its pieces in order, empty ones left out, as often as asked', async () => {
    const body = outgoing([Buffer.from('a'), Buffer.alloc(0), Buffer.from('bc')])
    expect(body.length).toBe(3)
    expect((await piecesOf(body)).map(String)).toEqual(['a', 'bc'])
    expect(Buffer.concat(await piecesOf(body)).toString()).toBe('abc')
  })

  it('is given to the socket a megabyte at a time, between which others have their turn', async () => {
    const whole = Buffer.alloc(40 * 1024 * 1024, 'the quick brown fox ')
    let turns = 0
    let sending = true
    const others = () => {
      turns++
      if (sending) setImmediate(others)
    }
    setImmediate(others)
    const pieces: Buffer[] = []
    for await (const piece of outgoing([whole])) {
      pieces.push(piece)
      const busyUntil = performance.now() + 1
      while (performance.now() < busyUntil);
    }
    sending = false
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(1024 * 1024)
    expect(Buffer.concat(pieces).equals(whole)).toBe(true)
    expect(turns).toBeGreaterThan(4)
  })

  it('holds nothing once dropped, also in the middle of sending', async () => {
    const body = outgoing([Buffer.alloc(3 * 1024 * 1024), Buffer.from('b')])
    const sending = body[Symbol.asyncIterator]()
    await sending.next()
    body.drop()
    expect((await sending.next()).done).toBe(true)
    expect([body.whole, await piecesOf(body)]).toEqual([false, []])
  })

  it('is one buffer where it is small, and none once dropped', () => {
    const body = outgoing([Buffer.from('a'), Buffer.from('bc')])
    expect(body.small?.toString()).toBe('abc')
    body.drop()
    expect(body.small).toBeNull()
    expect(outgoing(Buffer.alloc(100_000)).small).toBeNull()
  })
})
