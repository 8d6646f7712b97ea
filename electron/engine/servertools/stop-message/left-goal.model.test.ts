import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { settle, T } from '../../terminals/outbox/testing/bench.ts'
import { fakeTarget } from '../../terminals/outbox/testing/fake-target.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { openWorld, type World } from './testing/world.ts'
import { leftGoalIn } from './view.ts'

const conversations = ['s1', 's2', 's3'] as const
type Conversation = (typeof conversations)[number]
type Command =
  /** a person says something in it; what the screen showed before is gone */
  | { type: 'say'; in: Conversation }
  /** the screen shows a conversation in which nothing was said yet */
  | { type: 'new' }
  | { type: 'agent' }
  | { type: 'wait'; ms: number }
  | { type: 'arm'; max: number | null }
  | { type: 'lost'; arrived: boolean }
  | { type: 'carry-on' | 'clear' | 'rearm' | 'pause' | 'resume' | 'start-now' | 'kill' }

const conversation = fc.constantFrom(...conversations)
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('say' as const), in: conversation }) },
  { weight: 6, arbitrary: fc.constant<Command>({ type: 'agent' }) },
  { weight: 2, arbitrary: fc.constant<Command>({ type: 'new' }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(100, 2_000, 61_000) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('arm' as const), max: fc.constantFrom(2, 5, null) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('lost' as const), arrived: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom<Command>(
      { type: 'carry-on' },
      { type: 'carry-on' },
      { type: 'carry-on' },
      { type: 'clear' },
      { type: 'rearm' },
      { type: 'pause' },
      { type: 'resume' },
      { type: 'start-now' },
      { type: 'kill' },
    ),
  },
)

async function run(commands: readonly Command[]): Promise<void> {
  const clock = virtualClock()
  const target = fakeTarget(T)
  /** null: a new one */
  let shown: Conversation | null = 's1'
  let lost: { arrived: boolean } | null = null
  const inbox: { text: string; in: Conversation }[] = []
  const typed: { entryId: string; in: Conversation | null }[] = []
  const told = new Set<string>()
  target.read = async () =>
    inbox.length > 0
      ? { kind: 'hold', reason: { code: 'agent-busy' } }
      : { kind: 'ready', bracketedPaste: true, ...(shown === null ? { fresh: true } : {}) }
  target.answer = ({ entryId, text }) => {
    typed.push({ entryId, in: shown })
    const fate = lost
    lost = null
    if (shown !== null && (fate?.arrived ?? true)) inbox.push({ text, in: shown })
    return fate ? { kind: 'unknown' } : { kind: 'submitted', extraEnter: false }
  }
  let world: World = await openWorld({ clock, targets: new Map([[T, target]]) })
  const step = async (work: () => Promise<unknown>) => {
    work().catch(() => undefined)
    await settle(clock)
  }
  let said = 0
  let armings = 0

  const act = async (c: Command): Promise<void> => {
    const now = world.outboxes.peek(T)?.conversation() ?? null
    switch (c.type) {
      case 'say':
        inbox.length = 0
        shown = c.in
        return step(() => world.turn(`person ${++said}`, { sessionId: c.in }))
      case 'new':
        if (inbox.length === 0) shown = null
        return target.change()
      case 'agent': {
        const had = inbox.shift()
        return had && step(() => world.turn(had.text, { sessionId: had.in }))
      }
      case 'wait':
        return clock.advance(c.ms)
      case 'arm':
        armings++
        return step(() =>
          world.stop.arm(T, { sessionId: now, text: `goal ${armings}`, max: c.max, review: false, by: 'user' }),
        )
      case 'lost':
        lost = c
        return
      case 'carry-on':
        return step(() => world.stop.carryOn(T, now))
      case 'clear':
        return step(() => world.stop.clear(T, 'user'))
      case 'rearm':
        return step(() => world.stop.rearm(T))
      case 'pause':
        return step(() => world.stop.pause(T))
      case 'resume':
        return step(() => world.stop.resume(T))
      case 'start-now':
        return step(() => world.stop.startNow(T))
      case 'kill':
        world = await world.kill()
        return
    }
  }
  const check = () => {
    const entries = world.outboxes.peek(T)?.list() ?? []
    for (const { entryId, in: screen } of typed) {
      const entry = entries.find(({ id }) => id === entryId)
      if (entry) expect([entryId, entry.sessionId]).toEqual([entryId, screen])
    }
    expect(new Set(typed.map(({ entryId }) => entryId)).size).toBe(typed.length)
    // If a person was asked, it waits; else it is this conversation's own, or the question is still to come.
    const now = world.outboxes.peek(T)?.conversation() ?? null
    const left = now === null ? null : leftGoalIn(now, world.stop.view(T))
    if (left)
      expect(entries.filter((e) => e.state === 'queued' && e.source === 'stopMessage' && e.sessionId === now)).toEqual(
        [],
      )
    for (const notice of world.notices.splice(0)) {
      if (notice.class !== 'needs-you' || notice.leftGoal === undefined) continue
      const key = `${notice.leftGoal} in ${now} from ${world.stop.view(T).sessionId}`
      expect([...told]).not.toContain(key)
      told.add(key)
    }
  }

  await act({ type: 'say', in: 's1' })
  await act({ type: 'arm', max: 5 })
  await act({ type: 'say', in: 's1' })
  for (const c of commands) {
    // Carried on or set anew, it may be asked about again where it was before.
    if (c.type === 'carry-on' || c.type === 'arm') told.clear()
    await act(c)
    check()
  }
  world.stop.dispose()
  world.outboxes.dispose()
}

describe('goals in a terminal whose conversations change', () => {
  it(
    'nothing is typed twice or into another conversation, and a person is asked once in each',
    { timeout: 120_000 },
    async () => {
      await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 30 }), run), runs(300))
    },
  )
})
