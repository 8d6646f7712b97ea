import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { systemRandom } from '../../base/ids.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { askServer, encodeRequest, readReply, judge, mostOffsetMs } from './query.ts'
import { answerTo } from './testing/answer-to.ts'
import { fakeServers, type FakeServer } from './testing/fake-servers.ts'

async function ask(
  server: FakeServer,
  {
    failures = 0,
    others = {},
    random = systemRandom(),
  }: { failures?: number; others?: Record<string, FakeServer>; random?: ReturnType<typeof systemRandom> } = {},
) {
  const clock = virtualClock()
  const udp = fakeServers(clock, { server, ...others })
  const asking = askServer(
    { udp, clock, random },
    { host: 'server', port: 123 },
    { timeoutMs: 800, failures, signal: new AbortController().signal },
  )
  await clock.advance(2000)
  const said = await asking
  return { said, asked: udp.asked, open: udp.openSockets(), pending: clock.pending() }
}

describe('a question', () => {
  it('is off by half the difference of both ways, at most', async () => {
    const way = fc.integer({ min: 0, max: 390 })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -80_000_000, max: 80_000_000 }),
        way,
        way,
        async (offsetMs, thereMs, backMs) => {
          const { said } = await ask({ offsetMs, thereMs, backMs, thinkMs: 5 })
          if (said.kind !== 'offset') throw new Error(said.why)
          expect(Math.abs(said.offsetMs - offsetMs)).toBeLessThanOrEqual((thereMs + backMs) / 2 + 0.01)
        },
      ),
      runs(30),
    )
  })
  it('hears no garbage, no stranger and no repetition', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 5 }), async (garbage) => {
        const strange = (request: Uint8Array) =>
          answerTo(request, { received: 0, answered: 0, origin: new Uint8Array(8) })
        const { said } = await ask({ offsetMs: 3000, besides: (request) => [...garbage, strange(request), request] })
        expect(said).toMatchObject({ kind: 'offset', offsetMs: 3000 })
      }),
      runs(30),
    )
  })
  it('does not tell the time', async () => {
    const seen = new Set<string>()
    const note = (request: Uint8Array) => {
      seen.add(Buffer.from(request).toString('hex'))
      return []
    }
    await ask({ besides: note })
    await ask({ besides: note })
    expect([...seen].map((hex) => hex.slice(0, 80))).toEqual([`23${'00'.repeat(39)}`, `23${'00'.repeat(39)}`])
  })
  it('is never of nothing but zeros', async () => {
    const { said } = await ask(
      { says: { origin: new Uint8Array(8) } },
      { random: { ...systemRandom(), token: () => '' } },
    )
    expect(said).toEqual({ kind: 'failed', why: 'no answer within 800 ms' })
  })
  it.each<[string, FakeServer, object]>([
    ['in time', { thereMs: 400, backMs: 399 }, { kind: 'offset' }],
    ['too late', { thereMs: 400, backMs: 401 }, { kind: 'failed', why: 'no answer within 800 ms' }],
    ['too late, since the socket came too late', { openMs: 900 }, { kind: 'failed', why: 'no answer within 800 ms' }],
    ['never', { silent: true }, { kind: 'failed', why: 'no answer within 800 ms' }],
    [
      'by the system, that nobody is there',
      { unreachable: true },
      { kind: 'failed', why: 'cannot be reached (ECONNREFUSED)' },
    ],
    ['by nobody, without an address', { addresses: [] }, { kind: 'failed', why: 'has no address' }],
    ['that the time is not known', { says: { stratum: 16 } }, { kind: 'failed', why: 'does not know the time itself' }],
    [
      'to go away',
      { says: { stratum: 0, leap: 3, code: 'DENY' } },
      { kind: 'kiss', why: 'wants to be left alone (DENY)' },
    ],
  ])('is answered %s', async (_, server, expected) => {
    const { said, open, pending } = await ask(server)
    expect(said).toMatchObject(expected)
    expect([open, pending]).toEqual([0, 0])
  })
  it('goes to the other family at once where one has no way out, and first where it failed before', async () => {
    const others = { v4: { unreachable: true }, v6: { offsetMs: 9 } }
    expect(await ask({ addresses: ['v4', 'v6'] }, { others })).toMatchObject({
      said: { kind: 'offset', offsetMs: 9 },
      asked: ['v4', 'v6'],
    })
    expect(await ask({ addresses: ['v4', 'v6'] }, { others, failures: 1 })).toMatchObject({ asked: ['v6'] })
    expect(await ask({ addresses: ['v4', 'v6'] }, { others: { v4: { silent: true }, v6: {} } })).toMatchObject({
      said: { kind: 'failed' },
      asked: ['v4'],
    })
  })
})

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

describe('judge', () => {
  const at = Date.UTC(2026, 10, 22, 12)

  describe('an answer', () => {
    it('is at most half its delay from the truth', () => {
      const way = fc.double({ min: 0, max: 5000, noNaN: true })
      fc.assert(
        fc.property(fc.integer({ min: -80_000_000, max: 80_000_000 }), way, way, way, (offset, there, think, back) => {
          const received = at + there + offset
          const judged = judge(
            { kind: 'time', received, answered: received + think },
            { sent: at, heard: at + there + think + back },
          )
          if (judged.kind !== 'offset') throw new Error(judged.why)
          expect(judged.delayMs).toBeCloseTo(there + back, 1)
          expect(Math.abs(judged.offsetMs - offset)).toBeLessThanOrEqual(judged.delayMs / 2 + 0.01)
        }),
        runs(100),
      )
    })
    it.each<[string, number, string | null]>([
      ['a day', mostOffsetMs, null],
      ['a day back', -mostOffsetMs, null],
      [
        'more than a day',
        mostOffsetMs + 1,
        "it says that this computer's time is off by 24.0 hours; more than 24 are not believed",
      ],
      [
        'two days back',
        -2 * mostOffsetMs,
        "it says that this computer's time is off by 48.0 hours; more than 24 are not believed",
      ],
    ])('that is off by %s', (_, offset, why) => {
      expect(
        judge({ kind: 'time', received: at + offset, answered: at + offset }, { sent: at, heard: at }),
      ).toMatchObject(why === null ? { kind: 'offset', offsetMs: offset } : { kind: 'refused', why })
    })
    it.each<[string, number, number, number]>([
      ['was answered before it was asked', at + 5, at, at + 10],
      ['was thought of for longer than it took', at, at + 1000, at + 10],
    ])('that %s contradicts itself', (_, received, answered, heard) => {
      expect(judge({ kind: 'time', received, answered }, { sent: at, heard })).toEqual({
        kind: 'refused',
        why: 'its answer contradicts itself',
      })
    })
  })
})
