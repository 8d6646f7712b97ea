import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FailReason } from '../../../../shared/events.ts'
import type { ReviewDecision } from '../review/types.ts'
import type { EntryNews } from '../../terminals/outbox/listener.ts'
import { virtualClock, type VirtualClock } from '../../base/testing/virtual-clock.ts'
import { settle, T } from '../../terminals/outbox/testing/bench.ts'
import { fakeTarget, type FakeTarget } from '../../terminals/outbox/testing/fake-target.ts'
import type { Fate } from '../../terminals/outbox/testing/memory-store.ts'
import type { TypeControl, TypeOrder, TypeResult } from '../../terminals/types.ts'
import { armingOf } from './state.ts'
import { fromFields } from './sticky-state.ts'
import { openWorld, type World } from './testing/world.ts'
import { runs } from '../../../../shared/testing/runs.ts'

/** How typing goes, as a terminal may have it. `lost`: the link breaks, the text arrived or did not. */
const typings = [
  'submitted',
  'slow',
  'slow',
  'held',
  'owed',
  'owed',
  'failed',
  'lost, arrived',
  'lost, not arrived',
  'hangs, arrived',
  'hangs',
] as const
type Typing = (typeof typings)[number]
type Command =
  | { type: 'wait'; ms: number }
  | { type: 'person'; finish: 'stop' | 'length' }
  | { type: 'agent' }
  | { type: 'forget' }
  | { type: 'typing'; how: Typing }
  | { type: 'terminal'; reading: 'ready' | 'busy' | 'dialog' }
  | { type: 'pause' | 'resume' | 'clear' | 'rearm' | 'cancel' | 'edit' | 'send-now' | 'title' | 'kill' }
  | { type: 'arm'; max: number | null; review: boolean }
  /** how the next reviews go */
  | { type: 'reviewer'; ms: number; says: ReviewDecision }
  | { type: 'edit-goal'; n: number }
  /** a person allows or forgets a check */
  | { type: 'checks' }
  /** what the session has used grows, and what may be used is another */
  | { type: 'budgets'; tokens: number | null; used: number }
  /** the agent goes on without a new message, and stops */
  | { type: 'by-itself' }
  | { type: 'say'; n: number }
  /** what stands in the composer is sent or taken out by the person */
  | { type: 'composer'; how: 'sent' | 'erased' }
  | { type: 'disk'; after: number; fate: Fate }

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      ms: fc.constantFrom(100, 400, 400, 2_000, 30_000, 61_000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('person' as const),
      finish: fc.constantFrom('stop' as const, 'stop' as const, 'length' as const),
    }),
  },
  { weight: 8, arbitrary: fc.constant({ type: 'agent' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'forget' as const }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('typing' as const), how: fc.constantFrom(...typings) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('terminal' as const),
      reading: fc.constantFrom('ready' as const, 'busy' as const, 'dialog' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constantFrom(
        'pause' as const,
        'resume' as const,
        'resume' as const,
        'clear' as const,
        'rearm' as const,
        'cancel' as const,
        'edit' as const,
        'send-now' as const,
        'title' as const,
        'kill' as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('arm' as const),
      max: fc.constantFrom(1, 2, 5, null),
      review: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('reviewer' as const),
      ms: fc.constantFrom(0, 0, 200, 3_000, 10_000),
      says: fc.constantFrom<ReviewDecision>(
        { kind: 'send', text: 'fix it' },
        { kind: 'send', text: 'fix it' },
        { kind: 'failed', why: 'no model' },
        { kind: 'pause', reason: { code: 'checks-unapproved', names: ['tests'] } },
        { kind: 'pause', reason: { code: 'needs-user', text: 'which?' } },
        { kind: 'done', reason: { code: 'goal-reached', checks: 1 } },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('edit-goal' as const), n: fc.integer({ min: 0, max: 3 }) }) },
  { weight: 2, arbitrary: fc.constantFrom<Command>({ type: 'checks' }, { type: 'by-itself' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('budgets' as const),
      tokens: fc.constantFrom(null, 100, 1_000),
      used: fc.constantFrom(0, 50, 500),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('composer' as const),
      how: fc.constantFrom('sent' as const, 'erased' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('say' as const), n: fc.integer({ min: 0, max: 2 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('disk' as const),
      after: fc.integer({ min: 1, max: 4 }),
      fate: fc.constantFrom<Fate>('crash', 'crash-after', 'fail', 'fail-after'),
    }),
  },
)

/** The outside world: one terminal, one agent, one person. It outlives the engines. */
interface Outside {
  target: FakeTarget
  how: Typing
  reading: 'ready' | 'busy' | 'dialog'
  composer: { id: string; text: string } | null
  /** what the agent has and has not answered yet: it is busy with that */
  inbox: { id: string; text: string }[]
  /** how often each entry was typed and not removed again */
  typedTexts: Map<string, number>
  /** it left the composer, or the agent, without a turn that carried it */
  removed(what: { id: string } | null | undefined): void
  problems: string[]
  paused: boolean
}

function outside(clock: VirtualClock, onDisk: (id: string) => string | null): Outside {
  const target = fakeTarget(T)
  const self: Outside = {
    target,
    how: 'submitted',
    reading: 'ready',
    composer: null,
    inbox: [],
    typedTexts: new Map(),
    removed(what) {
      if (what) self.typedTexts.set(what.id, (self.typedTexts.get(what.id) ?? 1) - 1)
    },
    problems: [],
    paused: false,
  }
  target.read = async () => {
    if (self.reading === 'busy' || self.inbox.length > 0) return { kind: 'hold', reason: { code: 'agent-busy' } }
    if (self.reading === 'dialog') return { kind: 'hold', reason: { code: 'dialog-open' } }
    return self.composer === null
      ? { kind: 'ready', bracketedPaste: true }
      : { kind: 'composer-holds', text: self.composer.text }
  }
  const arrive = ({ entryId, text }: TypeOrder): TypeResult => {
    self.composer = null
    self.inbox.push({ id: entryId, text })
    return { kind: 'submitted', extraEnter: false }
  }
  target.answer = (order: TypeOrder, control: TypeControl, what) => {
    if (what === 'take-out') {
      if (self.reading === 'dialog') return { kind: 'enter-owed', reason: { code: 'dialog-open' } }
      if (self.composer && self.composer.id !== order.entryId) return { kind: 'enter-owed', reason: { code: 'draft' } }
      // Nothing stands there: whether it was sent, a terminal can't tell (typing/take-out.ts).
      if (!self.composer) return { kind: 'unknown' }
      self.removed(self.composer)
      self.composer = null
      return { kind: 'removed' }
    }
    const how = self.how
    self.how = 'submitted'
    if (self.paused) self.problems.push(`typed while paused: ${order.entryId}`)
    if (onDisk(order.entryId) !== 'typing') self.problems.push(`typed before it was on disk: ${order.entryId}`)
    if (what === 'text') {
      if (how === 'held') return { kind: 'held', reason: { code: 'agent-busy' } }
      self.typedTexts.set(order.entryId, (self.typedTexts.get(order.entryId) ?? 0) + 1)
    }
    // A terminal looks again right before Enter (typing/type-entry.ts): the person may just have sent or erased the
    // text.
    if (what === 'enter' && self.inbox.length > 0) return { kind: 'enter-owed', reason: { code: 'agent-busy' } }
    if (what === 'enter' && self.composer === null) return { kind: 'removed' }
    const typed = { id: order.entryId, text: order.text }
    const failed: FailReason = { code: 'not-submitted' }
    switch (how) {
      case 'owed':
      case 'held':
        self.composer = typed
        return { kind: 'enter-owed', reason: { code: 'dialog-open' } }
      case 'slow': {
        self.composer = typed
        return new Promise((resolve) => {
          const timer = clock.after(1_000, () => {
            if (self.composer !== null) arrive(order)
            resolve({ kind: 'submitted', extraEnter: false })
          })
          control.stop.addEventListener('abort', () => {
            timer.dispose()
            resolve({ kind: 'enter-owed', reason: { code: 'paused', by: 'session' } })
          })
        })
      }
      case 'failed':
        self.composer = null
        return { kind: 'failed', reason: failed }
      case 'lost, arrived':
        arrive(order)
        return { kind: 'unknown' }
      case 'lost, not arrived':
        self.composer = null
        return { kind: 'unknown' }
      case 'hangs, arrived':
        arrive(order)
        return new Promise(() => {})
      case 'hangs':
        return new Promise((resolve) => {
          control.stop.addEventListener('abort', () => resolve({ kind: 'unknown' }))
        })
      default:
        return arrive(order)
    }
  }
  return self
}

const entriesOnDisk = (world: World): { id: string; phase: { state: string } }[] =>
  JSON.parse(world.disk.files.get('outbox/tmux-main.json') ?? '{"entries":[]}').entries

async function run(commands: readonly Command[]): Promise<void> {
  let world: World
  const clock = virtualClock()
  const out = outside(clock, (id) => entriesOnDisk(world).find((e) => e.id === id)?.phase.state ?? null)
  world = await openWorld({ clock, targets: new Map([[T, out.target]]) })
  await world.turn('hello', { finish: 'length' })
  let said = 0
  let used = 0
  let tokens: number | null = null
  world.goal.folder = '/code/app'
  world.goal.totals = { tokens: 0, costUsd: null }
  const acknowledged = new Set<string>()
  /** rounds that a goal had used when it was set again, by its arming */
  const usedBefore = new Map<string, number>()
  const wasRearmed = commands.some(({ type }) => type === 'rearm')
  /** the last goal that a person set could not be saved */
  let wasRefused = false
  /** Runs a piece to its end, or to the death of the engine; then the next one starts. */
  const step = async (work: (w: World) => Promise<unknown>) => {
    let refused = false
    work(world).catch(() => {
      refused = true
    })
    await settle(world.clock)
    if (world.store.crashed) world = await world.kill()
    return !refused
  }
  const turn = (text: string, finish: 'stop' | 'length' = 'stop') => step((w) => w.turn(text, { finish }))

  const act = async (c: Command): Promise<void> => {
    switch (c.type) {
      case 'wait':
        await world.clock.advance(c.ms)
        if (world.store.crashed) world = await world.kill()
        return
      case 'person':
        return void (await turn(`person ${++said}`, c.finish))
      case 'agent': {
        const had = out.inbox.shift()
        return had === undefined ? undefined : void (await turn(had.text))
      }
      case 'forget':
        out.removed(out.inbox.shift())
        return
      case 'typing':
        out.how = c.how
        return
      case 'terminal':
        out.reading = c.reading
        out.target.change()
        return void (await settle(world.clock))
      case 'pause': {
        // In force as soon as it is asked for; a refusal only says that it may not outlive the engine.
        const engine = world.store
        const saved = await step(async (w) => {
          await w.stop.pause(T)
          out.paused = true
        })
        if (!saved || engine.crashed) out.paused = false
        return
      }
      case 'resume':
        out.paused = false
        return void (await step((w) => w.stop.resume(T)))
      case 'clear':
        return void (await step((w) => w.stop.clear(T, 'user')))
      case 'rearm':
        wasRefused = !(await step((w) => w.stop.rearm(T)))
        return
      case 'arm':
        out.paused = false
        wasRefused = !(await step(async (w) => {
          await w.stop.arm(T, { sessionId: 's1', text: 'go on', max: c.max, review: c.review, by: 'marker' })
          await w.stop.resume(T)
        }))
        return
      case 'reviewer':
        Object.assign(world.goal, { ms: c.ms, says: [c.says] })
        return
      case 'edit-goal':
        return void (await step((w) => w.stop.edit(T, { text: `go on ${c.n}` })))
      case 'checks':
        return void (await step((w) => w.stop.checksChanged('/code/app')))
      case 'by-itself':
        return void (await step((w) => w.turn('<a result>', { hasNewMainTurn: false })))
      case 'budgets': {
        used += c.used
        tokens = c.tokens
        world.goal.totals = { tokens: used, costUsd: null }
        world.budgets = { ...world.budgets, tokens }
        return
      }
      case 'say':
        return void (await step(async (w) => {
          acknowledged.add(
            (await (await w.outboxes.of(T)).add({ sessionId: 's1', text: `say ${c.n}`, source: 'user' })).id,
          )
        }))
      case 'cancel':
      case 'edit':
      case 'send-now': {
        const entry = world.outboxes
          .peek(T)
          ?.list()
          .find((e) => e.state === 'queued' || e.state === 'typing')
        if (!entry) return
        return void (await step(async (w) => {
          const outbox = await w.outboxes.of(T)
          if (c.type === 'cancel') await outbox.cancel(entry.id)
          else if (c.type === 'edit') await outbox.edit(entry.id, entry.revision, `${entry.text}!`)
          else await outbox.sendNow(entry.id)
        }))
      }
      case 'composer':
        if (out.composer !== null && c.how === 'sent') out.inbox.push(out.composer)
        else out.removed(out.composer)
        out.composer = null
        out.target.change()
        return void (await settle(world.clock))
      case 'title':
        return void (await step(async (w) =>
          w.end(await w.begin('title', { kind: 'title', hasNewMainTurn: false }), { kind: 'title' }),
        ))
      case 'kill':
        world = await world.kill()
        return
      case 'disk': {
        let writes = 0
        world.disk.fate = () => (++writes === c.after ? c.fate : 'ok')
        return
      }
    }
  }

  const check = async () => {
    expect(out.problems).toEqual([])
    for (const [id, times] of out.typedTexts) expect(`${id} typed ${Math.max(times, 1)}`).toBe(`${id} typed 1`)
    const entries = await new Promise<readonly EntryNews[]>((resolve) => {
      void world.outboxes.of(T).then((o) => o.exclusive(async (inside) => resolve(inside.entries())))
    })
    const ids = new Set(entries.map((e) => e.id))
    for (const id of acknowledged) expect(ids.has(id)).toBe(true)
    const pending = entries.filter(
      (e) => e.source === 'stopMessage' && (e.state === 'queued' || e.state === 'typing' || e.state === 'submitted'),
    )
    expect(pending.length).toBeLessThanOrEqual(1)
    expect(world.goal.running).toBeLessThanOrEqual(1)
    if (world.stop.view(T).stopMessage?.status.kind === 'reviewing') expect(pending).toEqual([])
    return entries
  }
  /** What both files say, once the disk is well and nothing is under way. */
  const checkFiles = async () => {
    world.disk.fate = () => 'ok'
    // longer than a receipt is waited for: what is unknown by then stays so
    await world.clock.advance(90_000)
    const entries = await check()
    const file = world.disk.files.get('tmux-main.json')
    // Its reviewer has answered long ago: nothing waits for a look for ever.
    expect(world.stop.view(T).stopMessage?.status.kind).not.toBe('reviewing')
    const arming = file === undefined ? null : armingOf(fromFields(JSON.parse(file)).state)
    if (!arming) return expect(entries.filter((e) => e.source === 'stopMessage' && e.state === 'queued')).toEqual([])
    const submitted = entries.filter((e) => e.group === arming.id && e.submittedAt !== null).map((e) => e.id)
    expect(arming.counted.toSorted()).toEqual(submitted.toSorted())
    // Rounds of before are there only where what was cleared was set again.
    const earlier = arming.used - submitted.length
    expect(earlier).toBe(usedBefore.get(arming.id) ?? (wasRearmed ? earlier : 0))
    usedBefore.set(arming.id, earlier)
    expect(earlier).toBeGreaterThanOrEqual(0)
    const paused = world.outboxes.peek(T)?.paused() ?? null
    expect(world.stop.view(T).stopMessage?.status.kind === 'paused').toBe(paused !== null)
    if (arming.max !== null) expect(arming.used).toBeLessThanOrEqual(arming.max)
    // Never armed and idle behind a followup that is on its way no more: that would be for ever. A person who cancels a
    // followup, or clears its goal, has answered its stop; one whose order was refused was told so.
    const decided = world.events.findLast(({ type }) => ['skipped', 'matched', 'cancelled', 'cleared'].includes(type))
    const isBehind = decided?.type === 'skipped' && decided.reason.code === 'entry-pending' && !wasRefused
    const isOver = !entries.some(({ state }) => state === 'queued' || state === 'typing' || state === 'submitted')
    if (isBehind && isOver && world.stop.view(T).stopMessage?.status.kind === 'armed')
      expect('armed behind nothing').toBe('going on')
    expect(world.stop.view(T).stopMessage).toMatchObject({ used: arming.used, text: arming.text })
  }

  await act({ type: 'arm', max: 5, review: false })
  await act({ type: 'person', finish: 'stop' })
  for (const c of commands) {
    await act(c)
    await check()
  }
  await checkFiles()
  world = await world.kill()
  await checkFiles()

  // In the end everything that was acknowledged goes out, as soon as nothing stands in its way.
  Object.assign(out, { reading: 'ready', composer: null, how: 'submitted', paused: false })
  await world.stop.clear(T, 'user')
  await world.stop.resume(T)
  for (let i = 0; i < 50 && world.stop.inUse(T); i++) {
    const had = out.inbox.shift()
    if (had !== undefined) await world.turn(had.text, { finish: 'length' })
    await world.clock.advance(70_000)
  }
  const left = await check()
  expect(left.filter((e) => e.state === 'queued' || e.state === 'typing' || e.state === 'submitted')).toEqual([])
  world.stop.dispose()
  world.outboxes.dispose()
  expect(world.clock.pending()).toBe(0)
}

/** Orders that went wrong once. */
const found: Record<string, readonly Command[]> = {
  'a goal is cleared while its followup is typed, and the engine is killed': [
    { type: 'typing', how: 'hangs' },
    { type: 'wait', ms: 2_000 },
    { type: 'clear' },
  ],
  'the same in a session that is paused, and the text arrived': [
    { type: 'typing', how: 'hangs, arrived' },
    { type: 'wait', ms: 2_000 },
    { type: 'pause' },
    { type: 'clear' },
  ],
  'a text stands there when its goal is cleared, is sent by the person, and a dialog opens': [
    { type: 'typing', how: 'owed' },
    { type: 'clear' },
    { type: 'wait', ms: 61_000 },
    { type: 'agent' },
    { type: 'say', n: 0 },
    { type: 'terminal', reading: 'ready' },
    { type: 'terminal', reading: 'dialog' },
  ],
}

describe('outbox and stopMessage together, whatever happens', () => {
  it(
    'nothing is typed twice, used counts what was submitted, nothing acknowledged is lost, one followup at a time',
    { timeout: 120_000 },
    async () => {
      await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), run), runs(500))
    },
  )

  it.each(Object.entries(found))('when %s', (_, commands) => run(commands))
})
