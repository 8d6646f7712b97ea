import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../../../shared/events.ts'
import type { OwnDrive } from '../../../../shared/drives.ts'
import { noSpend } from '../../../../shared/cost/cost.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { codecOf } from '../../protocol/index.ts'
import { parseSession, type SessionState } from '../../sessions/session-state.ts'
import { draftOf, emptySummary, type Turn, type TurnEnd } from '../turn.ts'
import { createDriveWatch, type DriveWatchDeps } from './watch-drives.ts'

const id = 's1'
type Item = { role: string; content: unknown }

const user = (text: string): Item => ({ role: 'user', content: [{ type: 'text', text }] })
const called = (call: string, name: string, input: unknown, result: string): Item[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id: call, name, input }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: result }] },
]
const cron = called(
  't1',
  'CronCreate',
  { cron: '*/1 * * * *', prompt: 'check the deploy' },
  'Scheduled recurring job c1 (Every minute). Next run: …',
)
const wakeup = called(
  't2',
  'ScheduleWakeup',
  { delaySeconds: 60, prompt: 'look at the build' },
  'Next wakeup scheduled for 11:26:00 (in 90s). If',
)

/** A watch over sessions in memory; `again` is another engine's over the same. */
function setUp(given: Partial<DriveWatchDeps> = {}) {
  const clock = virtualClock()
  let state: SessionState = parseSession({ id, client: 'claude', startedAt: clock.now(), lastActivityAt: 0 })
  const events: EventBody[] = []
  const rescued: string[] = []
  const asked: unknown[] = []
  const watching = () =>
    createDriveWatch({
      clock,
      log: console as never,
      sessions: {
        get: () => state,
        list: () => [state],
        note: (_, change) => {
          state = { ...state, ...change(state) }
        },
        flush: async () => undefined,
      },
      refuses: () => true,
      budgets: () => ({ rounds: 2, hours: null, tokens: null, costUsd: null }),
      paused: () => false,
      works: () => false,
      record: (_, body) => void events.push(body),
      asks: (_, bound) => void asked.push(bound),
      rescues: ({ kind }) => kind === 'wakeup',
      rescue: (_, drive) => void rescued.push(drive.id),
      ...given,
    })
  const turn = (messages: readonly Item[]): Turn => {
    const body = Buffer.from(JSON.stringify({ model: 'm', messages }))
    const call = { entry: 'messages', path: '/v1/messages', headers: { 'user-agent': 'claude-cli/2.1.332 (x)' } }
    const identity = { sessionId: id, kind: 'turn', client: 'claude', retry: false }
    return { call, identity, draft: draftOf(codecOf('messages'), body) } as unknown as Turn
  }
  const end = { summary: { ...emptySummary('stop', null), complete: true } } as TurnEnd
  return {
    clock,
    watching,
    turn,
    end,
    events,
    rescued,
    asked,
    drives: (): readonly OwnDrive[] => state.drives,
    driven: () => state.driven,
    touch: (lastActivityAt: number) => {
      state = { ...state, lastActivityAt }
    },
  }
}

const stateOf = (drives: readonly OwnDrive[], of: string) => drives.find((drive) => drive.id === of)?.state

describe('the requests of an agent', () => {
  it('show what it set itself, once, however often it is sent', () => {
    const { watching, turn, drives } = setUp()
    const watch = watching()
    watch.began(turn([user('begin')]))
    watch.began(turn([user('begin'), ...cron]))
    const seen = drives()
    expect(seen).toMatchObject([{ id: 'c1', what: 'check the deploy', version: '2.1.332', state: { is: 'on' } }])
    watch.began(turn([user('begin'), ...cron, ...called('t9', 'Read', {}, 'x')]))
    expect(drives()).toBe(seen)
    // another engine reads all of it again
    watching().began(turn([user('begin'), ...cron, ...called('t9', 'Read', {}, 'x'), user('and?')]))
    expect(drives()).toHaveLength(1)
    expect(stateOf(drives(), 'c1')?.is).toBe('on')
  })

  it('do not prove that an older one still is', () => {
    const { watching, turn, drives } = setUp()
    watching().began(turn([user('begin'), ...cron, user('next')]))
    expect(drives()).toMatchObject([{ id: 'c1', since: null, state: { is: 'unknown', why: 'history' } }])
  })
})

describe('a turn that a drive began', () => {
  const came = [user('begin'), ...cron, user('check the deploy')]

  it('is refused once a person stopped it, and no other turn is', () => {
    const { watching, turn, drives, events } = setUp()
    const watch = watching()
    watch.began(turn([user('begin')]))
    watch.began(turn([user('begin'), ...cron]))
    expect(watch.stop(id, 'c1')).toMatchObject([{ id: 'c1' }])
    const own = turn(came)
    watch.began(own)
    expect(() => watch.refuse(own)).toThrow(expect.objectContaining({ code: 'drive-stopped', status: 400 }))
    expect(stateOf(drives(), 'c1')).toMatchObject({ is: 'stopped', how: 'refused' })
    const persons = turn([...came, user('something else')])
    watch.began(persons)
    expect(() => watch.refuse(persons)).not.toThrow()
    expect(events.map((body) => (body.type === 'drive' ? body.did : body.type))).toEqual(['stop', 'refused'])
    expect(() => watch.stop(id, 'c1')).toThrow(expect.objectContaining({ code: 'drive-unknown' }))
  })

  it('goes on where the config does not say so', () => {
    const { watching, turn } = setUp({ refuses: () => false })
    const watch = watching()
    watch.began(turn([user('begin'), ...cron]))
    watch.stop(id, null)
    const own = turn(came)
    watch.began(own)
    expect(() => watch.refuse(own)).not.toThrow()
  })

  it('counts towards the budgets: at a bound a person is asked, once, and until then it is refused', () => {
    const { watching, turn, end, asked, driven } = setUp()
    const watch = watching()
    const history = [user('begin'), ...cron]
    watch.began(turn([user('begin')]))
    watch.began(turn(history))
    for (let n = 0; n < 3; n++) {
      history.push({ role: 'assistant', content: 'ok' }, user('check the deploy'))
      const own = turn(history)
      watch.began(own)
      if (n < 2) expect(() => watch.refuse(own)).not.toThrow()
      else expect(() => watch.refuse(own)).toThrow(expect.objectContaining({ code: 'drive-paused' }))
      watch.ended(own, end, noSpend)
    }
    expect(asked).toEqual([{ budget: 'rounds', limit: 2 }])
    watch.letGoOn(id, null)
    expect(driven()).toBeNull()
  })
})

describe('a bound of its own', () => {
  const limits = { rounds: 1, hours: null, tokens: null, costUsd: null }

  it('asks a person about that one alone, and refuses no other', () => {
    const { watching, turn, end, asked, drives } = setUp({ budgets: () => ({ ...limits, rounds: null }) })
    const watch = watching()
    const history = [user('begin')]
    const step = (...items: Item[]) => {
      history.push(...items)
      const own = turn(history)
      watch.began(own)
      return own
    }
    step()
    step(...cron)
    step(...wakeup)
    watch.bound(id, 'c1', limits)
    watch.ended(step({ role: 'assistant', content: 'ok' }, user('check the deploy')), end, noSpend)
    expect(asked).toEqual([
      { budget: 'rounds', limit: 1, drive: { id: 'c1', kind: 'schedule', what: 'check the deploy' } },
    ])
    const again = step({ role: 'assistant', content: 'ok' }, user('check the deploy'))
    expect(() => watch.refuse(again)).toThrow(expect.objectContaining({ code: 'drive-paused' }))
    expect(asked).toHaveLength(1)
    const woken = step({ role: 'assistant', content: 'ok' }, user('look at the build'))
    expect(() => watch.refuse(woken)).not.toThrow()
    watch.letGoOn(id, 'c1')
    expect(drives()[0]?.bound).toMatchObject({ rounds: 1, from: { turns: 1 }, asked: null })
    const after = step({ role: 'assistant', content: 'ok' }, user('check the deploy'))
    expect(() => watch.refuse(after)).not.toThrow()
    watch.bound(id, 'c1', null)
    expect(drives()[0]?.bound).toBeUndefined()
    expect(() => watch.bound(id, 'c9', limits)).toThrow(expect.objectContaining({ code: 'drive-unknown' }))
  })

  it('may be a time, after which its next turn is refused before it asks a model', async () => {
    const { clock, watching, turn, asked } = setUp()
    const watch = watching()
    watch.began(turn([user('begin')]))
    watch.began(turn([user('begin'), ...cron]))
    watch.bound(id, 'c1', { ...limits, rounds: null, hours: 1 })
    await clock.advance(3_600_000)
    const own = turn([user('begin'), ...cron, user('check the deploy')])
    watch.began(own)
    expect(asked).toMatchObject([{ budget: 'time', limit: 1, drive: { id: 'c1' } }])
    expect(() => watch.refuse(own)).toThrow(expect.objectContaining({ code: 'drive-paused' }))
  })
})

describe('one that was stopped and may go on', () => {
  it.each([
    ['before its agent heard of it', true, { is: 'on' }],
    ['after that', false, { is: 'unknown', why: 'told' }],
  ] as const)('%s', (_, untold, state) => {
    const { watching, turn, drives } = setUp()
    const watch = watching()
    watch.began(turn([user('begin')]))
    watch.began(turn([user('begin'), ...cron]))
    watch.stop(id, 'c1')
    watch.letGoOn(id, 'c1', untold)
    expect(stateOf(drives(), 'c1')).toMatchObject(state)
    const own = turn([user('begin'), ...cron, user('check the deploy')])
    watch.began(own)
    expect(() => watch.refuse(own)).not.toThrow()
  })

  it('is over where its agent ended it', () => {
    const { watching, turn } = setUp()
    const watch = watching()
    watch.began(turn([user('begin')]))
    watch.began(turn([user('begin'), ...cron]))
    watch.stop(id, 'c1')
    watch.began(turn([user('begin'), ...cron, ...called('t5', 'CronDelete', { id: 'c1' }, 'Cancelled job c1.')]))
    expect(() => watch.letGoOn(id, 'c1')).toThrow(expect.objectContaining({ code: 'drive-over' }))
  })
})

describe('one that does not come', () => {
  it('is missed a minute after its time, and rescued once, also by another engine', async () => {
    const { clock, watching, turn, drives, rescued, events } = setUp()
    const watch = watching()
    watch.start()
    watch.began(turn([user('begin')]))
    watch.began(turn([user('begin'), ...wakeup]))
    watch.agentEnded(id)
    await clock.advance(149_000)
    expect(stateOf(drives(), 'loop')?.is).toBe('unknown')
    await clock.advance(2_000)
    expect(stateOf(drives(), 'loop')).toMatchObject({ is: 'missed', rescued: true })
    watch.dispose()
    const next = watching()
    next.start()
    next.began(turn([user('begin'), ...wakeup, user('hello again')]))
    await clock.advance(600_000)
    expect(rescued).toEqual(['loop'])
    expect(events.filter((body) => body.type === 'drive' && body.did === 'rescued')).toHaveLength(1)
    next.dispose()
  })

  it('is waited for while its agent is at work', async () => {
    let works = true
    const { clock, watching, turn, drives, touch } = setUp({ works: () => works })
    const watch = watching()
    watch.start()
    watch.began(turn([user('begin'), ...wakeup]))
    await clock.advance(600_000)
    expect(stateOf(drives(), 'loop')?.is).toBe('on')
    works = false
    touch(clock.now())
    await clock.advance(59_000)
    expect(stateOf(drives(), 'loop')?.is).toBe('on')
    await clock.advance(3_000)
    expect(stateOf(drives(), 'loop')?.is).toBe('missed')
    watch.dispose()
  })

  it('is no longer missed once it came', async () => {
    const { clock, watching, turn, drives } = setUp()
    const watch = watching()
    watch.start()
    watch.began(turn([user('begin')]))
    watch.began(turn([user('begin'), ...wakeup]))
    watch.began(turn([user('begin'), ...wakeup, { role: 'assistant', content: 'ok' }, user('look at the build')]))
    await clock.advance(600_000)
    expect(stateOf(drives(), 'loop')).toMatchObject({ is: 'over', how: 'fired' })
    watch.dispose()
  })
})
