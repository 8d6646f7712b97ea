import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RepeatRule } from '../../../shared/alarms/repeat.ts'
import { runs } from '../../../shared/testing/runs.ts'
import type { Scope } from '../../../shared/words.ts'
import { nowFacts } from '../base/clock.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import type { Fate } from '../terminals/outbox/testing/memory-store.ts'
import { nextTime } from './model/occurrence.ts'
import { terminalOutside, typings } from './testing/terminal-outside.ts'
import { openWorld, type World } from './testing/world.ts'
import type { Reservation } from './model/types.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const s = 's0'
const scope: Scope = 'tmux:t0'
const c = <T extends string>(...types: T[]) => fc.constantFrom(...types)

/** what happens to an engine with repeated alarms; `sleep`: the computer's clock goes on, no timer does */
const step = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      type: c('wait', 'wait', 'wait', 'sleep'),
      ms: fc.constantFrom(second, 61 * second, 4 * minute, 21 * minute, 2 * hour, 11 * hour, 3 * day),
    }),
  },
  { weight: 6, arbitrary: fc.record({ type: c('agent', 'agent', 'request', 'hold') }) },
  { weight: 7, arbitrary: fc.record({ type: c('commit', 'commit', 'release') }) },
  { weight: 2, arbitrary: fc.record({ type: c('kill', 'place', 'away', 'unqueue') }) },
  { weight: 2, arbitrary: fc.record({ type: c('typing'), how: fc.constantFrom(...typings) }) },
  { weight: 2, arbitrary: fc.record({ type: c('reading'), reading: c('ready', 'ready', 'busy', 'gone') }) },
  { weight: 2, arbitrary: fc.record({ type: c('skip', 'snooze', 'dismiss', 'deliver') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: c('disk'),
      after: fc.integer({ min: 1, max: 4 }),
      fate: fc.constantFrom<Fate>('crash', 'crash-after', 'fail', 'fail-after'),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const rule: fc.Arbitrary<RepeatRule> = fc.oneof(
  fc.record({
    kind: fc.constant('days' as const),
    weekdays: fc.constantFrom<number[]>([0, 1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5], [0, 3]),
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.constantFrom(0, 30),
  }),
  fc.record({ kind: fc.constant('interval' as const), ms: fc.constantFrom(5 * minute, 30 * minute, 2 * hour) }),
)
const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC')

async function run(rules: readonly [RepeatRule, string, number][], steps: readonly Step[]): Promise<void> {
  // Two days before the clocks of Berlin change.
  const clock = virtualClock()
  let shift = Date.parse('2026-03-27T00:00Z') - clock.now()
  const now = () => clock.now() + shift
  const sent = new Map<string, number>()
  const problems: string[] = []
  const sends = (text: string) => {
    const inOne = new Set<string>()
    for (const [, name = '', due = ''] of text.matchAll(/\[scheduled task:"(R\d+)"\] due ([^;,. ]+)/g)) {
      if (inOne.has(name) && extra === 0) problems.push(`${name} twice in one message`)
      inOne.add(name)
      sent.set(`${name} ${due}`, (sent.get(`${name} ${due}`) ?? 0) + 1)
    }
  }
  const outside = terminalOutside(clock, scope, sends)
  const targets = new Map([[outside.target.terminalId, outside.target]])
  const places = new Map<string, Scope>([[s, scope]])
  let world: World = await openWorld({ clock, targets, places, shift: () => shift })
  let open: { requestId: string; reserved: Reservation | null; inTerminal: boolean }[] = []
  let requests = 0
  /** what people asked for once more, which may come beside the times themselves */
  let extra = 0
  const asked = new Map<string, number>()
  const asks = (name: string, dueAtMs: number) => {
    const what = `${name} ${nowFacts(dueAtMs, 'UTC').local}`
    extra += 1
    asked.set(what, (asked.get(what) ?? 0) + 1)
  }

  for (const [i, [one, where, times]] of rules.entries()) {
    const first = nextTime(one, where, now(), now())
    await world.alarms.schedule(
      s,
      [{ dueAtMs: first, task: `R${i}`, repeat: { rule: one, zone: where, times, untilMs: first + 300 * day } }],
      { by: 'user', requestId: null },
    )
  }
  const revive = async () => {
    // An answer may have begun whose beginning was never written down.
    for (const { reserved } of open) if (reserved) sends(reserved.text)
    open = []
    world = await world.kill()
  }
  const quietly = (work: Promise<unknown> | undefined) => work?.catch(() => undefined)
  const request = async (text: string) => {
    const w = world
    const inTerminal = places.has(s)
    const one = { requestId: `q${++requests}`, reserved: null as Reservation | null, inTerminal }
    open.push(one)
    if (inTerminal)
      await (
        await w.outboxes.of(scope)
      ).requestStarted({
        requestId: one.requestId,
        sessionId: s,
        kind: 'turn',
        lastUserTexts: [text],
        hasNewMainTurn: true,
      })
    if (w === world) one.reserved = await w.alarms.reserve(s, one.requestId)
  }
  const series = () => world.alarms.of(s).find(({ repeat, deliveredAtMs }) => repeat && deliveredAtMs === undefined)
  const act = async (one: Step): Promise<unknown> => {
    switch (one.type) {
      case 'wait':
        return clock.advance(one.ms)
      case 'sleep':
        shift += one.ms
        return world.alarms.deliver(null)
      case 'agent': {
        const text = outside.inbox.shift()
        return text === undefined ? undefined : request(text)
      }
      case 'request':
        return request('go on')
      case 'hold': {
        const requestId = `q${++requests}`
        if (!world.alarms.mayHold(s) || world.alarms.holdFor(s, requestId) === null) return
        const reserved = await world.alarms.reserveHeld(s, requestId)
        if (reserved) open.push({ requestId, reserved, inTerminal: false })
        return
      }
      case 'commit':
      case 'release': {
        const last = open.shift()
        if (!last) return
        if (last.inTerminal) world.outboxes.peek(scope)?.requestEnded(last.requestId)
        if (!last.reserved) return
        if (one.type === 'release') return last.reserved.release('upstream-failed')
        sends(last.reserved.text)
        return last.reserved.commit()
      }
      case 'kill':
        return revive()
      case 'place':
        places.set(s, scope)
        return world.alarms.deliver(s)
      case 'away':
        return places.delete(s)
      case 'unqueue': {
        const entry = world.outboxes
          .peek(scope)
          ?.list()
          .find(({ state }) => state === 'queued')
        return entry && quietly(world.outboxes.peek(scope)?.cancel(entry.id))
      }
      case 'typing':
        outside.how = one.how
        return
      case 'reading':
        outside.reading = one.reading
        return outside.target.change()
      case 'skip': {
        const task = series()
        return task && quietly(world.alarms.skip(task.taskId))
      }
      case 'snooze': {
        const task = series()
        if (!task) return
        asks(task.task, now() + 10 * minute)
        return quietly(world.alarms.snooze(task.taskId, now() + 10 * minute))
      }
      case 'dismiss':
      case 'deliver': {
        const [first] = world.alarms.missed()
        if (!first) return
        if (one.type === 'deliver') asks(first.task.task, now())
        return quietly(world.alarms.settleMissed(first.key, { kind: one.type }))
      }
      case 'disk': {
        let left = one.after
        world.disk.fate = () => (--left === 0 ? one.fate : 'ok')
        return
      }
    }
  }
  const check = () => {
    const there = world.alarms.of(s).filter(({ repeat }) => repeat)
    if (there.length > rules.length) problems.push(`${there.length} of ${rules.length} repeated alarms`)
    for (const { repeat } of there) if (repeat && repeat.nth > repeat.times) problems.push('one goes on after its end')
    const asked = world.alarms.missed().filter(({ task }) => task.repeat)
    if (asked.length > rules.length) problems.push(`missed ones pile up: ${asked.length}`)
    if (world.alarms.missedCount() !== world.alarms.missed().length) problems.push('the count is another one')
  }

  for (const one of steps) {
    const done = act(one)
    if (one.type === 'wait' || one.type === 'kill') await done
    else
      done.catch((error: unknown) => {
        throw error
      })
    await clock.advance(0)
    if (world.store.crashed) await revive()
    check()
  }
  world.disk.fate = () => 'ok'
  await clock.advance(minute)
  if (world.store.crashed) await revive()
  await revive()
  Object.assign(outside, { reading: 'ready', how: 'submitted' })
  for (let i = 0; i < 40 && world.alarms.list(10).length > 0; i++) {
    await clock.advance(12 * hour)
    shift += 5 * day
    world.alarms.deliver(null)
    await clock.advance(30 * minute)
    check()
  }
  for (const { task, repeat } of world.alarms.list(10))
    problems.push(`${task} never ends: ${repeat?.nth ?? 1} of ${repeat?.times ?? 1}`)
  // A time that a person puts off or has delivered again may fall on the instant of another.
  const doubled = [...sent].filter(([what, times]) => times > 1 + (asked.get(what) ?? 0))
  if (doubled.length > 0) problems.push(`sent more than once: ${doubled.map(([what]) => what).join('; ')}`)
  for (const [i, [, , times]] of rules.entries()) {
    const count = [...sent.keys()].filter((what) => what.startsWith(`R${i} `)).length
    if (count > times + extra) problems.push(`R${i} was sent ${count} times of ${times}`)
  }
  world.alarms.dispose()
  world.outboxes.dispose()
  expect(problems).toEqual([])
}

/** more for a long look by hand */
const rounds = Number(process.env.ALARM_RUNS ?? 200)

describe('repeated alarms, whatever happens', () => {
  it('are delivered at most once per time, never pile up, and end', { timeout: 3_600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(rule, zone, fc.integer({ min: 1, max: 12 })), { minLength: 1, maxLength: 2 }),
        fc.array(step, { minLength: 5, maxLength: 40 }),
        run,
      ),
      runs(rounds),
    )
  })
})
