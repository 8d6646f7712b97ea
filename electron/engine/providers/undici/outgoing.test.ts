import { describe, expect, it } from 'vitest'
import { outgoing } from './outgoing.ts'

describe('a request body on its way', () => {
  it('is its pieces in order, empty ones left out, as often as asked', () => {
    const body = outgoing([Buffer.from('a'), Buffer.alloc(0), Buffer.from('bc')])
    expect(body.length).toBe(3)
    expect([...body].map(String)).toEqual(['a', 'bc'])
    expect(Buffer.concat([...body]).toString()).toBe('abc')
  })

  it('holds nothing once dropped, also in the middle of sending', () => {
    const body = outgoing([Buffer.from('a'), Buffer.from('b')])
    const sending = body[Symbol.iterator]()
    sending.next()
    body.drop()
    expect(sending.next().done).toBe(true)
    expect([body.whole, [...body].length]).toEqual([false, 0])
  })

  it('is one buffer where it is small, and none once dropped', () => {
    const body = outgoing([Buffer.from('a'), Buffer.from('bc')])
    expect(body.small?.toString()).toBe('abc')
    body.drop()
    expect(body.small).toBeNull()
    expect(outgoing(Buffer.alloc(100_000)).small).toBeNull()
  })
})
