import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import type { EntryUpdate } from '../../terminals/outbox/listener.ts'
import { settle, T } from '../../terminals/outbox/testing/bench.ts'
import { armingOf } from './reducer/state.ts'
import { fromFields } from './persistence/sticky-state.ts'
import { command, type Command } from './testing/model-commands.ts'
import { outside } from './testing/model-outside.ts'
import { openWorld, type World } from './testing/world.ts'

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
    const entries = await new Promise<readonly EntryUpdate[]>((resolve) => {
      void world.outboxes.of(T).then((o) => o.exclusive(async (transaction) => resolve(transaction.entries())))
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
  /** Checks both files once the disk is well and nothing is under way. */
  const checkFiles = async () => {
    world.disk.fate = () => 'ok'
    // longer than typing, a receipt and a reviewer after both may take: what is unknown by then stays so
    await world.clock.advance(150_000)
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
    // Never armed and idle after a followup that is no longer on its way: that would be for ever. A person who cancels
    // a followup, or clears its goal, has answered its stop; one whose order was refused got an error.
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
  'a goal is set over a waiting followup, can not be saved, and is set again': [
    { type: 'by-itself' },
    { type: 'disk', after: 3, fate: 'fail-after' },
    { type: 'arm', max: 1, review: false },
    { type: 'arm', max: 1, review: false },
  ],
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
  'a goal with a reviewer is set over a text that hangs on its way': [
    { type: 'typing', how: 'hangs, arrived' },
    { type: 'reviewer', ms: 200, says: { kind: 'send', text: 'fix it' } },
    { type: 'wait', ms: 400 },
    { type: 'wait', ms: 30_000 },
    { type: 'arm', max: 1, review: true },
  ],
  'the disk refuses to note that a text was submitted, and the engine is killed before it is noted again': [
    { type: 'disk', after: 3, fate: 'fail' },
    { type: 'send-now' },
    { type: 'kill' },
    { type: 'person', finish: 'stop' },
    { type: 'wait', ms: 200 },
    { type: 'typing', how: 'submitted' },
    { type: 'pause' },
  ],
  "an agent stops at a person's words while its text hangs, though it arrived": [
    { type: 'typing', how: 'hangs, arrived' },
    { type: 'wait', ms: 2_000 },
    { type: 'person', finish: 'stop' },
  ],
  'the same, and the goal was changed before': [
    { type: 'typing', how: 'hangs, arrived' },
    { type: 'wait', ms: 2_000 },
    { type: 'edit-goal', n: 0 },
    { type: 'person', finish: 'stop' },
    { type: 'typing', how: 'submitted' },
    { type: 'composer', how: 'sent' },
    { type: 'composer', how: 'sent' },
  ],
  'a goal is cleared after a stop that waited for its followup': [{ type: 'by-itself' }, { type: 'clear' }],
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
