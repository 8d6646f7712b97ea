import { describe, expect, it } from 'vitest'
import { contract } from '../../../shared/control/contract.ts'
import type { EngineUpdate, SessionView } from '../../../shared/state.ts'
import { settled } from '../../../shared/testing/settled.ts'
import { sampleSession, sampleStatus } from '../control/testing/fake-control-api.ts'
import { OnwardError } from '../base/errors.ts'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { publish } from './publish.ts'
import { aliveKey, sessionKey } from './subjects.ts'

const secret = 'a word of the conversation'
const session = (id: string, more: Partial<SessionView> = {}) => sampleSession({ id, ...more })

async function world({ texts = false, there = {} as Record<string, string> } = {}) {
  const clock = virtualClock()
  const bucket = new Map(Object.entries(there))
  const kept: string[] = []
  const writes: string[] = []
  let isAway = false
  const write = async (work: () => unknown) => {
    if (isAway) throw new OnwardError('fleet-hub-away', 'It is away.')
    work()
  }
  const updates: EngineUpdate[] = []
  let wake = () => undefined as void
  const over = new AbortController()
  const goodbye = await publish(
    {
      hub: {
        put: (key, text) => write(() => writes.push(key) && bucket.set(key, text)),
        remove: (key) => write(() => writes.push(`-${key}`) && bucket.delete(key)),
        keep: (subject, id, text) => write(() => kept.push(`${subject} ${id} ${text}`)),
        async watch(_, take, caughtUp) {
          for (const [key, text] of bucket) take({ key, text, at: 0 })
          caughtUp?.()
          return { dispose: () => undefined }
        },
      },
      fleet: 'lab',
      engine: 'gpu',
      version: '1.2.3',
      granted: () => ({ rights: ['look', 'say'] }),
      texts,
      async *follow(signal) {
        while (!signal.aborted) {
          for (let next = updates.shift(); next; next = updates.shift()) yield next
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      },
      clock,
      log: silentLog,
    },
    over.signal,
  )
  return {
    clock,
    bucket,
    kept,
    goodbye,
    sessions: () => [...bucket.keys()].filter((key) => key.includes('.session.')),
    /** writes of sessions since the last time it was asked */
    wrote: () => writes.splice(0).filter((key) => key.includes('.session.')),
    away(now: boolean) {
      isAway = now
    },
    async tell(...more: EngineUpdate[]) {
      updates.push(...more)
      wake()
      await settled()
    },
    snapshot: (...sessions: SessionView[]): EngineUpdate => ({
      type: 'snapshot',
      status: sampleStatus(),
      sessions,
      terminals: [],
    }),
  }
}

describe('what an engine tells its hub', () => {
  it('is that it is there, three times before it counts as away, and that it ended', async () => {
    const { clock, bucket, goodbye } = await world()
    const alive = aliveKey('gpu')
    expect(JSON.parse(bucket.get(alive) ?? '')).toEqual({
      version: '1.2.3',
      since: clock.now(),
      rights: ['look', 'say'],
      ended: false,
      contract,
    })
    bucket.delete(alive)
    await clock.advance(20_000)
    expect(bucket.has(alive)).toBe(true)
    await goodbye(false)
    expect(JSON.parse(bucket.get(alive) ?? '')).toMatchObject({ ended: true })
  })

  it('is each session as it is now, once however often it changed, and nothing that did not change', async () => {
    const { tell, snapshot, clock, wrote, bucket } = await world()
    await tell(snapshot(session('a'), session('b')))
    await clock.advance(200)
    expect(wrote()).toEqual([sessionKey('gpu', 'a'), sessionKey('gpu', 'b')])
    for (let turns = 1; turns < 20; turns++) await tell({ type: 'session', session: session('a', { turns }) })
    await tell({ type: 'session', session: session('b') })
    await clock.advance(200)
    expect(wrote()).toEqual([sessionKey('gpu', 'a')])
    expect(JSON.parse(bucket.get(sessionKey('gpu', 'a')) ?? '')).toMatchObject({ turns: 19 })
  })

  it('takes back what is gone, also what went while the hub was away, and all of it on leaving', async () => {
    const { tell, snapshot, clock, wrote, sessions, bucket, goodbye } = await world({
      there: { [sessionKey('gpu', 'old')]: '{}' },
    })
    await tell(snapshot(session('a'), session('b')))
    await clock.advance(200)
    expect(sessions()).toEqual([sessionKey('gpu', 'a'), sessionKey('gpu', 'b')])
    wrote()
    await tell({ type: 'session-removed', id: 'a' })
    await clock.advance(200)
    expect(wrote()).toEqual([`-${sessionKey('gpu', 'a')}`])
    await goodbye(true)
    expect([...bucket]).toEqual([])
  })

  it('comes later where the hub did not take it', async () => {
    const { tell, snapshot, clock, sessions, away } = await world()
    away(true)
    await tell(snapshot(session('a')))
    await clock.advance(10_000)
    expect(sessions()).toEqual([])
    away(false)
    await clock.advance(2_000)
    expect(sessions()).toEqual([sessionKey('gpu', 'a')])
  })

  it.each([
    [false, 'no text of a conversation', false],
    [true, 'texts where they are let out', true],
  ])('has, with texts: %s, %s', async (texts, _, expected) => {
    const { tell, snapshot, clock, bucket, kept } = await world({ texts })
    await tell(snapshot(session('a', { say: { code: 'left-goal', text: secret } })), {
      type: 'event',
      event: {
        id: 'e1',
        seq: 1,
        at: 7,
        sessionId: 'a',
        scope: null,
        requestId: null,
        body: { type: 'needs-you', what: secret },
      },
    })
    await clock.advance(200)
    expect(kept[0]).toMatch(/^onward\.lab\.gpu\.event\.needs-you e1 \{"at":7,"name":"onward\.needs_you",/)
    expect([...bucket.values(), ...kept].join('').includes(secret)).toBe(expected)
    if (!texts) return
    // what is too large for the hub goes without its texts
    await tell({ type: 'session', session: session('a', { say: { code: 'left-goal', text: secret.repeat(50_000) } }) })
    await clock.advance(200)
    expect(bucket.get(sessionKey('gpu', 'a'))?.length).toBeLessThan(10_000)
  })
})
