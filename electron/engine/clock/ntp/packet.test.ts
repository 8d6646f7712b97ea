import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeRequest, readReply } from './packet.ts'
import { answerTo } from './testing/answer-to.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'))
const nonce = hex('0102030405060708')
const request = encodeRequest(nonce)
const at = Date.UTC(2026, 10, 22, 12)

describe('a request', () => {
  it('is version 4, mode 3, and its nonce; nothing of this computer', () => {
    expect(Buffer.from(request).toString('hex')).toBe(`23${'00'.repeat(39)}0102030405060708`)
  })
})

describe('an answer', () => {
  // leap 0, version 4, mode 4, stratum 1, "GPS"; received 2026-11-22T12:00:00.500Z, answered .750Z
  const golden = hex(
    '24 01 00 ec 00000000 00000010 47505300 eead57b0 00000000 01020304 05060708 eead57c0 80000000 eead57c0 c0000000',
  )
  it('is read to the bit', () => {
    expect(readReply(golden, nonce)).toEqual({ kind: 'time', received: at + 500, answered: at + 750 })
  })
  // RFC 5905, figure 4, and the second the counter runs over
  it.each<[string, number, number]>([
    ['1 Jan 1972', 2_272_060_800, Date.UTC(1972, 0, 1)],
    ['31 Dec 1999', 3_155_587_200, Date.UTC(1999, 11, 31)],
    ['7 Feb 2036, the last second of the first era', 0xffffffff, Date.UTC(2036, 1, 7, 6, 28, 15)],
    ['7 Feb 2036, a second into the next', 1, Date.UTC(2036, 1, 7, 6, 28, 17)],
    ['8 Feb 2036', 63_104, Date.UTC(2036, 1, 8)],
  ])('says %s', (_, seconds, expected) => {
    const bytes = Uint8Array.from(golden)
    new DataView(bytes.buffer).setUint32(32, seconds)
    expect(readReply(bytes, nonce)).toMatchObject({ received: expected + 500 })
  })

  const good = { received: at, answered: at }
  it.each<[string, Uint8Array, object]>([
    ['of version 3 counts', answerTo(request, { ...good, version: 3 }), { kind: 'time' }],
    [
      'with more behind it counts',
      Uint8Array.from([...answerTo(request, good), ...new Uint8Array(20)]),
      { kind: 'time' },
    ],
    ['that announces a leap second counts', answerTo(request, { ...good, leap: 1 }), { kind: 'time' }],
    ['of the last stratum counts', answerTo(request, { ...good, stratum: 15 }), { kind: 'time' }],
    ['of a server that is not set does not', answerTo(request, { ...good, leap: 3 }), { kind: 'unset' }],
    ['of stratum 16 does not', answerTo(request, { ...good, stratum: 16 }), { kind: 'unset' }],
    [
      'without a time does not',
      Uint8Array.from([...answerTo(request, good).subarray(0, 40), ...new Uint8Array(8)]),
      { kind: 'unset' },
    ],
    [
      'may be a kiss',
      answerTo(request, { ...good, stratum: 0, leap: 3, code: 'RATE' }),
      { kind: 'kiss', code: 'RATE' },
    ],
    [
      'may be a kiss that cannot be read',
      answerTo(request, { ...good, stratum: 0, code: '\u0000\n\u00ff\u0007' }),
      { kind: 'kiss', code: '?' },
    ],
    ['to another request is foreign', answerTo(encodeRequest(hex('1111111111111111')), good), { kind: 'foreign' }],
    ['to none is foreign', answerTo(request, { ...good, origin: new Uint8Array(8) }), { kind: 'foreign' }],
    [
      'may be a kiss of somebody who guesses, which is foreign',
      answerTo(request, { ...good, stratum: 0, code: 'DENY', origin: new Uint8Array(8) }),
      { kind: 'foreign' },
    ],
    ['that is a request is foreign', request, { kind: 'foreign' }],
    ['to everybody is foreign', answerTo(request, { ...good, mode: 5 }), { kind: 'foreign' }],
    ['of an unknown version is foreign', answerTo(request, { ...good, version: 7 }), { kind: 'foreign' }],
    ['that is cut off is foreign', answerTo(request, good).subarray(0, 47), { kind: 'foreign' }],
    ['of nothing is foreign', new Uint8Array(), { kind: 'foreign' }],
  ])('%s', (_, bytes, expected) => expect(readReply(bytes, nonce)).toMatchObject(expected))

  it('is read back as it was written, in both eras', () => {
    const times = fc.double({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1), noNaN: true })
    fc.assert(
      fc.property(times, times, (received, answered) => {
        const reply = readReply(answerTo(request, { received, answered }), nonce)
        if (reply.kind !== 'time') throw new Error(reply.kind)
        expect(reply.received).toBeCloseTo(received, 2)
        expect(reply.answered).toBeCloseTo(answered, 2)
      }),
      runs(100),
    )
  })
  it('of anything at all is no accident', () => {
    const bytes = fc.uint8Array({ maxLength: 100 })
    fc.assert(
      fc.property(bytes, (garbage) => {
        expect(readReply(garbage, nonce).kind).toBe('foreign')
      }),
      runs(100),
    )
    // and nothing else is either, with the right nonce in it
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 48, maxLength: 90 }), (garbage) => {
        garbage.set(nonce, 24)
        expect(['foreign', 'kiss', 'unset', 'time']).toContain(readReply(garbage, nonce).kind)
      }),
      runs(1000),
    )
  })
})
