import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../shared/words.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import type { FakeTarget } from '../terminals/outbox/testing/fake-target.ts'
import type { Fate } from '../terminals/outbox/testing/memory-store.ts'
import { terminalOutside, typings, type TerminalOutside, type Typing } from './testing/terminal-outside.ts'
import { alarmsIn, witness } from './testing/witness.ts'
import { openWorld, type World } from './testing/world.ts'
import type { Reservation } from './model/types.ts'
import { runs } from '../../../shared/testing/runs.ts'

const second = 1_000
const minute = 60 * second
const sessions = ['s0', 's1', 's2'] as const
type Session = (typeof sessions)[number]
const scopes: readonly Scope[] = ['tmux:t0', 'tmux:t1', 'tmux:t2']

type Command =
  | { type: 'wait'; ms: number }
  | { type: 'jump'; ms: number; told: boolean }
  | { type: 'set'; session: Session; inMs: readonly number[]; inRequest: boolean }
  /** the session's client sends: its next text (`agent`: what was typed last), with what is due */
  | { type: 'request' | 'agent' | 'hold'; session: Session }
  | { type: 'end'; session: Session; how: 'commit' | 'release' }
  | { type: 'edit' | 'snooze'; which: number; inMs: number }
  | { type: 'cancel' | 'restore'; which: number }
  | { type: 'clear'; session: Session }
  | { type: 'settle'; which: number; how: 'deliver' | 'dismiss' | 'reschedule'; inMs: number }
  | { type: 'dismiss-all' | 'kill' }
  | { type: 'typing'; at: number; how: Typing }
  | { type: 'reading'; at: number; reading: TerminalOutside['reading'] }
  | { type: 'composer'; at: number; how: 'sent' | 'erased' }
  | { type: 'pause' | 'resume' | 'queue-cancel' | 'send-now'; at: number }
  | { type: 'place'; session: Session; at: number | null }
  | { type: 'move'; from: number; to: number }
  | { type: 'disk'; after: number; fate: Fate; only: 'any' | 'clock' | 'outbox' }
/** at once: none of them waits for another */
type Step = Command | { type: 'race'; commands: readonly Command[] }

const session = fc.constantFrom(...sessions)
const at = fc.integer({ min: 0, max: 2 })
const which = fc.nat(5)
const inMs = fc.constantFrom(-10 * minute, -second, 0, 20 * second, 59 * second, 2 * minute, 5 * minute, 15 * minute)
const c = <T extends string>(...types: T[]) => fc.constantFrom(...types)
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: c('wait'),
      ms: fc.constantFrom(400, second, 20 * second, 61 * second, 61 * second, 5 * minute, 25 * minute),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: c('set'),
      session,
      inMs: fc.array(inMs, { minLength: 1, maxLength: 2 }),
      inRequest: fc.boolean(),
    }),
  },
  { weight: 7, arbitrary: fc.record({ type: c('request', 'agent', 'agent', 'hold'), session }) },
  { weight: 7, arbitrary: fc.record({ type: c('end'), session, how: c('commit', 'commit', 'release') }) },
  { weight: 3, arbitrary: fc.record({ type: c('edit', 'snooze'), which, inMs }) },
  { weight: 2, arbitrary: fc.record({ type: c('cancel', 'restore'), which }) },
  { weight: 1, arbitrary: fc.record({ type: c('clear'), session }) },
  { weight: 2, arbitrary: fc.record({ type: c('settle'), which, how: c('deliver', 'dismiss', 'reschedule'), inMs }) },
  { weight: 3, arbitrary: fc.record({ type: c('dismiss-all', 'kill', 'kill', 'kill') }) },
  { weight: 3, arbitrary: fc.record({ type: c('typing'), at, how: fc.constantFrom(...typings) }) },
  { weight: 3, arbitrary: fc.record({ type: c('reading'), at, reading: c('ready', 'ready', 'busy', 'gone') }) },
  { weight: 2, arbitrary: fc.record({ type: c('composer'), at, how: c('sent', 'erased') }) },
  { weight: 4, arbitrary: fc.record({ type: c('pause', 'resume', 'resume', 'queue-cancel', 'send-now'), at }) },
  { weight: 4, arbitrary: fc.record({ type: c('place'), session, at: fc.option(at, { nil: null }) }) },
  { weight: 2, arbitrary: fc.record({ type: c('move'), from: at, to: at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: c('jump'),
      ms: fc.constantFrom(-25 * minute, -2 * minute, -5 * second, 5 * second, 2 * minute, 25 * minute),
      told: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: c('disk'),
      after: fc.integer({ min: 1, max: 5 }),
      fate: fc.constantFrom<Fate>('crash', 'crash-after', 'fail', 'fail-after'),
      only: c('any', 'clock', 'outbox'),
    }),
  },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 7, arbitrary: command },
  {
    weight: 2,
    arbitrary: fc.record({
      type: c('race'),
      commands: fc.array(
        command.filter(({ type }) => type !== 'wait' && type !== 'kill'),
        { minLength: 2, maxLength: 4 },
      ),
    }),
  },
)

interface Open {
  session: Session
  requestId: string
  reserved: Reservation | null
  scope: Scope | null
}

async function run(steps: readonly Step[]): Promise<void> {
  const clock = virtualClock()
  const saw = witness()
  const outside = scopes.map((scope) => terminalOutside(clock, scope, saw.sends))
  const targets = new Map<string, FakeTarget | null>(outside.map((one) => [one.target.terminalId, one.target]))
  const places = new Map<string, Scope>([
    ['s0', 'tmux:t0'],
    ['s1', 'tmux:t1'],
  ])
  let shift = 0
  let world: World = await openWorld({ clock, targets, places, shift: () => shift })
  let open: Open[] = []
  let names = 0
  let requests = 0
  const now = () => clock.now() + shift
  const terminal = (index: number): TerminalOutside => {
    const one = outside[index]
    if (!one) throw new Error(`there is no terminal ${index}`)
    return one
  }
  const of = (scope: Scope | undefined): TerminalOutside | undefined =>
    outside.find(({ target }) => target.terminalId === scope)

  const revive = async () => {
    // An answer may have begun whose beginning was never written down: such an alarm is never sent again.
    for (const { reserved } of open) if (reserved) saw.sends(reserved.text)
    open = []
    world = await world.kill()
  }
  const settle = async () => {
    await clock.advance(0)
    if (world.store.crashed) await revive()
  }
  /** The request of one session, as the pipeline brings it: its outbox hears of it, what is due goes along. */
  const request = async (s: Session, text: string): Promise<void> => {
    const w = world
    const requestId = `q${++requests}`
    const scope = places.get(s) ?? null
    const one: Open = { session: s, requestId, reserved: null, scope }
    open.push(one)
    if (scope !== null)
      await (
        await w.outboxes.of(scope)
      ).requestStarted({ requestId, sessionId: s, kind: 'turn', lastUserTexts: [text], hasNewMainTurn: true })
    if (w === world) one.reserved = await w.alarms.reserve(s, requestId)
  }
  /** An order of a person or a model. `texts`: alarms of which nothing is certain until it is answered. */
  const order = async (
    texts: readonly string[],
    work: (w: World) => Promise<unknown>,
    answered: () => void = () => {},
  ): Promise<void> => {
    for (const text of texts) saw.loosen(text)
    try {
      await work(world)
    } catch {
      return
    }
    for (const text of texts) saw.loosen(text)
    answered()
  }
  const someAlarm = (i: number) => {
    const all = world.alarms.list(100)
    return all.length === 0 ? undefined : all[i % all.length]
  }

  const act = async (command: Command): Promise<void> => {
    switch (command.type) {
      case 'wait':
        await clock.advance(command.ms)
        return
      case 'jump':
        shift += command.ms
        if (command.told) world.alarms.deliver(null)
        return
      case 'set': {
        const requestId = command.inRequest
          ? (open.find((one) => one.session === command.session)?.requestId ?? null)
          : null
        const wishes = command.inMs.map((ms) => ({ dueAtMs: now() + ms, task: `A${++names}` }))
        const begun = wishes.map(({ task, dueAtMs }) => saw.asks(task, command.session, dueAtMs))
        return order(
          [],
          (w) => w.alarms.schedule(command.session, wishes, { by: 'model', requestId }),
          () => {
            wishes.forEach(({ task, dueAtMs }, i) => saw.armed(task, dueAtMs, begun[i] ?? 0))
          },
        )
      }
      case 'request':
        return request(command.session, 'go on')
      case 'agent': {
        const there = of(places.get(command.session))
        const text = there?.inbox.shift()
        if (text === undefined) return
        saw.arrives(text)
        return request(command.session, text)
      }
      case 'hold': {
        const requestId = `q${++requests}`
        if (!world.alarms.mayHold(command.session) || world.alarms.holdFor(command.session, requestId) === null) return
        const reserved = await world.alarms.reserveHeld(command.session, requestId)
        if (reserved) open.push({ session: command.session, requestId, reserved, scope: null })
        return
      }
      case 'end': {
        const one = open.find(({ session: s }) => s === command.session)
        if (!one) return
        open = open.filter((other) => other !== one)
        if (one.scope !== null) world.outboxes.peek(one.scope)?.requestEnded(one.requestId)
        if (!one.reserved) return
        if (command.how === 'release') return one.reserved.release('upstream-failed')
        saw.sends(one.reserved.text)
        saw.arrives(one.reserved.text)
        return one.reserved.commit()
      }
      case 'edit':
      case 'snooze': {
        const task = someAlarm(command.which)
        if (!task) return
        const dueAtMs = now() + command.inMs
        const begun = saw.again(task.task)
        return order(
          [],
          (w) =>
            command.type === 'edit'
              ? w.alarms.edit(task.taskId, { dueAtMs }, 'user')
              : w.alarms.snooze(task.taskId, dueAtMs),
          () => saw.armed(task.task, dueAtMs, begun),
        )
      }
      case 'cancel': {
        const task = someAlarm(command.which)
        return task && order([task.task], (w) => w.alarms.cancel(task.taskId, 'user'))
      }
      case 'restore': {
        const past = world.alarms.history().filter(({ end }) => end.kind === 'cancelled')
        const one = past.at(command.which % Math.max(1, past.length))
        return one && order([one.task.task], (w) => w.alarms.restore(one.task.taskId))
      }
      case 'clear':
        saw.loosenAll(command.session)
        return order(
          [],
          (w) => w.alarms.clear(command.session, 'user'),
          () => saw.loosenAll(command.session),
        )
      case 'settle': {
        const all = world.alarms.missed()
        const one = all[command.which % Math.max(1, all.length)]
        if (!one) return
        const { task } = one.task
        const dueAtMs = now() + command.inMs
        if (command.how === 'dismiss') return order([task], (w) => w.alarms.settleMissed(one.key, { kind: 'dismiss' }))
        const begun = saw.again(task)
        return order(
          [],
          (w) =>
            w.alarms.settleMissed(
              one.key,
              command.how === 'deliver' ? { kind: 'deliver' } : { kind: 'reschedule', dueAtMs },
            ),
          () => saw.armed(task, dueAtMs, begun),
        )
      }
      case 'dismiss-all':
        return order(
          world.alarms.missed().map(({ task }) => task.task),
          (w) => w.alarms.dismissAllMissed(),
        )
      case 'typing':
        terminal(command.at).how = command.how
        return
      case 'reading': {
        const there = terminal(command.at)
        there.reading = command.reading
        there.target.change()
        return
      }
      case 'composer': {
        const there = terminal(command.at)
        if (there.composer !== null && command.how === 'sent') there.inbox.push(there.composer)
        there.composer = null
        there.target.change()
        return
      }
      case 'pause':
      case 'resume': {
        const outbox = world.outboxes.peek(scopes[command.at] ?? 'tmux:none')
        if (!outbox) return
        return order([], () => (command.type === 'pause' ? outbox.pause({ code: 'by-user' }) : outbox.resume()))
      }
      case 'queue-cancel':
      case 'send-now': {
        const outbox = world.outboxes.peek(scopes[command.at] ?? 'tmux:none')
        const entry = outbox?.list().find(({ state }) => state === 'queued' || state === 'typing')
        if (!outbox || !entry) return
        return order(command.type === 'send-now' ? [] : alarmsIn(entry.text), () =>
          command.type === 'send-now' ? outbox.sendNow(entry.id) : outbox.cancel(entry.id),
        )
      }
      case 'place': {
        const scope = command.at === null ? undefined : scopes[command.at]
        if (scope === undefined) places.delete(command.session)
        else places.set(command.session, scope)
        world.alarms.deliver(command.session)
        return
      }
      case 'move': {
        const [from, to] = [scopes[command.from], scopes[command.to]]
        if (!from || !to || from === to) return
        const w = world
        for (const [s, scope] of places) if (scope === from) places.set(s, to)
        for (const one of open) if (one.scope === from) one.scope = null
        return order([], async () => {
          await w.outboxes.rebind(from, to)
          await w.alarms.move(from, to)
        })
      }
      case 'kill':
        return revive()
      case 'disk': {
        let left = command.after
        world.disk.fate = (path) =>
          (command.only === 'any' || path.startsWith(`${command.only}/`)) && --left === 0 ? command.fate : 'ok'
        return
      }
    }
  }

  for (const one of steps) {
    // Orders to a dead engine are never answered.
    for (const command of one.type === 'race' ? one.commands : [one]) {
      const done = act(command)
      if (command.type === 'wait' || command.type === 'kill') await done
      else
        done.catch((error: unknown) => {
          throw error
        })
    }
    await settle()
  }

  world.disk.fate = () => 'ok'
  await clock.advance(minute)
  await settle()
  await revive()
  for (const there of outside) Object.assign(there, { reading: 'ready', how: 'submitted' })
  for (let i = 0; i < 8; i++) {
    await clock.advance(10 * minute)
    for (const s of sessions) await act({ type: 'agent', session: s })
    for (const one of open) await act({ type: 'end', session: one.session, how: 'commit' })
  }
  await clock.advance(60 * minute)
  const problems = saw.verdict(world.alarms.missed())
  for (const { task, claim } of world.alarms.list(100))
    problems.push(`${task} is still there${claim ? `, with ${claim.route}` : ''}`)
  for (const outbox of world.outboxes.all()) {
    for (const entry of outbox.list())
      if (entry.state === 'queued' || entry.state === 'typing' || entry.state === 'submitted')
        problems.push(`still ${entry.state}: ${entry.text}`)
  }
  if (world.clock.pending() > 0) problems.push(`${world.clock.pending()} timers though nothing waits`)
  world.alarms.dispose()
  world.outboxes.dispose()
  expect(problems).toEqual([])
}

/** more for a long look by hand */
const rounds = Number(process.env.ALARM_RUNS ?? 250)

describe('alarms, whatever happens', () => {
  it('are delivered once per due time or missed; none vanishes, none doubles', { timeout: 3_600_000 }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), run), runs(rounds))
  })
})
