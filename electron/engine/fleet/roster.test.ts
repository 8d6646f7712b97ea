import { describe, expect, it } from 'vitest'
import { sampleSession } from '../control/testing/fake-control-api.ts'
import { OnwardError } from '../base/errors.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
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
    },
    engine: 'me',
    target: 'nats://hub:4222 (lab)',
    clock,
  })
  const put = (key: string, text: string | null, agoMs = 0) => take({ key, text, at: clock.now() - ahead - agoMs })
  const tell = (engine: string, facts: object | null, agoMs = 0) =>
    put(aliveKey(engine), facts && JSON.stringify(facts), agoMs)
  const beat = { version: '1.2.3', since: 5, ended: false }
  return {
    clock,
    roster,
    put,
    tell,
    beat,
    watches: () => watches,
    refuse(error: OnwardError | null) {
      refusal = error
    },
    states: async () => (await roster.list()).map(({ name, state }) => `${name} ${state.kind}`),
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
    const { roster, put, tell, beat } = world()
    await roster.list()
    tell('gpu', beat)
    const session = sampleSession()
    put(sessionKey('gpu', session.id), JSON.stringify(session))
    put(sessionKey('gpu', 'forged'), JSON.stringify(session))
    put(sessionKey('gpu', 'broken'), '{ "id": ')
    put(sessionKey('gpu', 'bare'), '{ "id": "bare", "shape": "idle" }')
    put('gpu.novel.x', '{}')
    put('policy', '{}')
    expect(await roster.list()).toMatchObject([
      { name: 'gpu', target: 'nats://hub:4222 (lab)', state: { kind: 'there', version: '1.2.3' }, sessions: [session] },
    ])
    put(sessionKey('gpu', session.id), JSON.stringify({ ...session, turns: 43 }))
    expect((await roster.list())[0]?.sessions.map(({ turns }) => turns)).toEqual([43])
    put(sessionKey('gpu', session.id), null)
    expect((await roster.list())[0]?.sessions).toEqual([])
  })

  it('are asked for anew where the hub refused the first time, and are watched once', async () => {
    const { roster, refuse, watches } = world()
    refuse(new OnwardError('fleet-not-allowed', 'No.'))
    await expect(roster.list()).rejects.toMatchObject({ code: 'fleet-not-allowed' })
    refuse(null)
    expect(await roster.list()).toEqual([])
    await roster.list()
    expect(watches()).toBe(2)
  })
})
