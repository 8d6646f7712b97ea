import { describe, expect, it } from 'vitest'
import { sampleSession } from '../control/testing/fake-control-api.ts'
import { OnwardError } from '../base/errors.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { rightsAt } from '../../../shared/fleet.ts'
import { settled } from '../../../shared/testing/settled.ts'
import { createRoster } from './roster.ts'
import { aliveKey, sessionKey } from './subjects.ts'
import type { Entry } from './types.ts'

const minute = 60_000

/** @param ahead how far this machine's clock is ahead of the hub's */
function world(ahead = 0) {
  const clock = virtualClock()
  let take: (entry: Entry) => void = () => undefined
  let refusal: OnwardError | null = null
  let watches = 0
  let changes = 0
  /** how the hub refuses a question, by engine and right; null: it is answered */
  const says = new Map<string, string | null>()
  let kept: Record<string, number> = {}
  const roster = createRoster({
    hub: {
      async watch(_, taking, caughtUp) {
        watches += 1
        if (refusal) throw refusal
        take = taking
        tell('me', { version: '1.0.0', since: 1, ended: false })
        caughtUp?.()
        return { dispose: () => undefined }
      },
      async ask(subject) {
        const [, , name = '', right = ''] = subject.split('.')
        const said = [`${name} ${right}`, name, right].map((one) => says.get(one)).find((one) => one !== undefined)
        if (said !== null) throw new OnwardError(said ?? 'fleet-silent', 'No.')
        return '{}'
      },
      waiting: async () => kept,
    },
    fleet: 'lab',
    engine: 'me',
    target: 'nats://hub:4222 (lab)',
    clock,
    onChange: () => void (changes += 1),
  })
  const list = async () => {
    await roster.watch()
    return roster.now() ?? []
  }
  const put = (key: string, text: string | null, agoMs = 0) => take({ key, text, at: clock.now() - ahead - agoMs })
  const tell = (engine: string, facts: object | null, agoMs = 0) =>
    put(aliveKey(engine), facts && JSON.stringify(facts), agoMs)
  const beat = { version: '1.2.3', since: 5, ended: false }
  return {
    clock,
    roster,
    list,
    says,
    changes: () => changes,
    keep(counts: Record<string, number>) {
      kept = counts
    },
    put,
    tell,
    beat,
    watches: () => watches,
    refuse(error: OnwardError | null) {
      refusal = error
    },
    states: async () => (await list()).map(({ name, state }) => `${name} ${state.kind}`),
  }
}

describe('the engines of a fleet', () => {
  it.each([0, 3 * 60 * minute, -3 * 60 * minute])(
    'are there as long as the hub hears of them, whatever the clocks say: %i ms apart',
    async (ahead) => {
      const { states, tell, beat, clock } = world(ahead)
      expect(await states()).toEqual([])
      tell('gpu', beat)
      tell('old', beat, 2 * minute)
      expect(await states()).toEqual(['gpu there', 'old away'])
      await clock.advance(59_000)
      expect(await states()).toEqual(['gpu there', 'old away'])
      await clock.advance(2_000)
      expect(await states()).toEqual(['gpu away', 'old away'])
      tell('gpu', beat)
      expect(await states()).toEqual(['gpu there', 'old away'])
      // said goodbye, and left for good
      tell('gpu', { ...beat, ended: true })
      tell('old', null)
      expect(await states()).toEqual(['gpu away'])
    },
  )

  it('have the sessions that the hub has of them, and none that is no summary or another’s', async () => {
    const { list, put, tell, beat } = world()
    await list()
    tell('gpu', beat)
    const session = sampleSession()
    put(sessionKey('gpu', session.id), JSON.stringify(session))
    put(sessionKey('gpu', 'forged'), JSON.stringify(session))
    put(sessionKey('gpu', 'broken'), '{ "id": ')
    put(sessionKey('gpu', 'bare'), '{ "id": "bare", "shape": "idle" }')
    put('gpu.novel.x', '{}')
    put('policy', '{}')
    expect(await list()).toMatchObject([
      { name: 'gpu', target: 'nats://hub:4222 (lab)', state: { kind: 'there', version: '1.2.3' }, sessions: [session] },
    ])
    put(sessionKey('gpu', session.id), JSON.stringify({ ...session, turns: 43 }))
    expect((await list())[0]?.sessions.map(({ turns }) => turns)).toEqual([43])
    put(sessionKey('gpu', session.id), null)
    expect((await list())[0]?.sessions).toEqual([])
  })

  it('that were killed are away as soon as the hub finds nobody there, since they were last heard of', async () => {
    const { list, tell, beat, clock, says, keep } = world()
    await list()
    tell('gpu', beat)
    const heard = clock.now()
    says.set('gpu', null)
    await clock.advance(30_000)
    expect(await list()).toMatchObject([{ state: { kind: 'there' } }])
    // it answered meanwhile
    const answered = clock.now()
    says.set('gpu', 'fleet-engine-away')
    keep({ 'onward.lab.gpu.later.say.say': 2, 'onward.lab.gpu.later.arm.addAlarm': 1, 'onward.lab.b.later.say.say': 7 })
    await clock.advance(30_000)
    const [gpu] = await list()
    expect(gpu).toMatchObject({
      state: { kind: 'away', seen: true, nextTryAt: null, why: { code: 'fleet-engine-away' } },
      fleet: { name: 'lab', waits: { messages: 2, alarms: 1 } },
    })
    const since = gpu?.state.kind === 'away' ? gpu.state.since : 0
    expect(since).toBeGreaterThan(heard)
    expect(since).toBeLessThanOrEqual(answered)
    tell('gpu', beat)
    expect(await list()).toMatchObject([{ state: { kind: 'there' }, fleet: { name: 'lab' } }])
    expect((await list())[0]?.fleet?.waits).toBeUndefined()
  })

  it('are doubted at once where somebody says so', async () => {
    const { list, roster, tell, beat, says } = world()
    await list()
    tell('gpu', beat)
    says.set('gpu', 'fleet-engine-away')
    roster.doubt('gpu')
    await settled()
    expect(await list()).toMatchObject([{ state: { kind: 'away' } }])
  })

  it('say what they allow, and what the hub does not let this one ask is found out', async () => {
    const { list, tell, beat, says, clock } = world()
    await list()
    says.set('say', 'fleet-not-allowed')
    says.set('open say', 'fleet-engine-away')
    tell('gpu', { ...beat, rights: ['look', 'say'] })
    tell('open', { ...beat, rights: ['look', 'say', 'arm'] })
    tell('old', beat)
    await clock.advance(5_000)
    const all = await list()
    expect(all.map(({ name, fleet }) => [name, fleet])).toEqual([
      ['gpu', { name: 'lab', rights: ['look', 'say'], refused: ['say'] }],
      ['old', { name: 'lab', refused: ['say'] }],
      ['open', { name: 'lab', rights: ['look', 'say', 'arm'] }],
    ])
    expect(all.map(({ fleet }) => fleet && rightsAt(fleet))).toEqual([['look'], null, ['look', 'say', 'arm']])
  })

  it('are told of once all is known, and nothing is asked any more after the end', async () => {
    const { list, roster, tell, beat, changes, clock } = world()
    expect(roster.now()).toBeNull()
    await list()
    const before = changes()
    tell('gpu', beat)
    expect(changes()).toBe(before + 1)
    roster.dispose()
    await settled()
    expect(clock.pending()).toBe(0)
  })

  it('are asked for anew where the hub refused the first time, and are watched once', async () => {
    const { list, refuse, watches } = world()
    refuse(new OnwardError('fleet-not-allowed', 'No.'))
    await expect(list()).rejects.toMatchObject({ code: 'fleet-not-allowed' })
    refuse(null)
    expect(await list()).toEqual([])
    await list()
    expect(watches()).toBe(2)
  })
})
