import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastCharacters, streamTail } from './stream-tail.ts'
import { runs } from '../../../shared/testing/runs.ts'

describe('the end of a stream', () => {
  it('is the end of the text, however the bytes came in', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 50 }),
        (text, limit, step) => {
          const tail = streamTail(limit)
          const bytes = Buffer.from(text, 'utf8')
          for (let at = 0; at < bytes.length; at += step) tail.push(bytes.subarray(at, at + step))
          expect(tail.text()).toBe(lastCharacters(bytes.toString('utf8'), limit))
        },
      ),
      runs(100),
    )
  })

  it('never begins within a character', () => {
    const tail = streamTail(3)
    tail.push(Buffer.from('a😀😀😀😀😀😀😀😀😀b'))
    expect(tail.text()).toBe('😀b')
    expect(lastCharacters('😀b', 2)).toBe('b')
  })

  it('keeps no more than it has to', () => {
    const tail = streamTail(10)
    for (let i = 0; i < 10_000; i++) tail.push(Buffer.from(`${i}\n`))
    expect(tail.text()).toBe('9998\n9999\n')
  })
})
