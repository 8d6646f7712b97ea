import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { systemRandom } from '../../base/system-random.ts'
import { askServer } from './ask-server.ts'
import { answerTo } from './testing/answer-to.ts'
import { fakeServers, type FakeServer } from './testing/fake-servers.ts'
import { runs } from '../../../../shared/testing/runs.ts'

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
