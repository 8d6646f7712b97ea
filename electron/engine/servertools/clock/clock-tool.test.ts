import { describe, expect, it } from 'vitest'
import { openWorld } from '../../clock/testing/world.ts'
import { turnView } from '../testing/tools.ts'
import type { TurnView } from '../types.ts'
import { createClockTool, clockDeclaration } from './clock-tool.ts'

async function clockWorld() {
  const world = await openWorld()
  const tool = createClockTool({
    clock: world.clock,
    timezone: () => 'Asia/Shanghai',
    sync: () => ({ status: 'synced', offsetMs: 12, at: 7, lastError: null }),
    alarms: world.alarms,
  })
  const call = (input: Readonly<Record<string, unknown>> | null, turn: Partial<TurnView> = {}) =>
    tool.run(
      { id: 'c', name: 'clock', arguments: '', input },
      { turn: turnView(turn), depth: 0, signal: new AbortController().signal },
    )
  const run = async (
    input: Readonly<Record<string, unknown>> | null,
    turn: Partial<TurnView> = {},
  ): Promise<Record<string, unknown>> => {
    const plan = await call(input, turn)
    const result: Record<string, unknown> = JSON.parse(plan.kind === 'result' ? plan.text : '')
    expect(plan).toMatchObject({ kind: 'result', ...(result['ok'] ? {} : { isError: true }) })
    return result
  }
  const item = (inMs: number, task = 'look at the build') => ({
    dueAt: new Date(world.clock.now() + inMs).toISOString(),
    task,
    tool: '',
    arguments: '{}',
  })
  return { world, tool, run, item }
}
const unused = { items: [], taskId: '' }

describe('the tool clock', () => {
  it('tells the time', async () => {
    const { run } = await clockWorld()
    expect(await run({ action: 'get', ...unused })).toEqual({
      ok: true,
      action: 'get',
      active: true,
      nowMs: Date.UTC(2026, 10, 21, 14),
      utc: '2026-11-21T14:00:00.000Z',
      local: '2026-11-21T22:00:00+08:00',
      timezone: 'Asia/Shanghai',
      ntp: { status: 'synced', offsetMs: 12, lastSyncMs: 7, lastError: null },
    })
  })

  it('sets alarms, lists them, cancels one and clears the rest', async () => {
    const { world, run, item } = await clockWorld()
    const scheduled = await run({
      action: 'schedule',
      items: [item(600_000), { ...item(90_000, 'ping'), tool: 'bash', arguments: '{"cmd":"ls"}' }],
      taskId: '',
    })
    const [first, second] = world.alarms.of('s1').toReversed()
    expect(scheduled).toEqual({
      ok: true,
      scheduled: [
        { taskId: first?.taskId, dueAt: '2026-11-21T22:10:00+08:00', task: 'look at the build' },
        { taskId: second?.taskId, dueAt: '2026-11-21T22:01:30+08:00', task: 'ping' },
      ],
    })
    expect([first, second]).toMatchObject([
      { setBy: 'model' },
      { setBy: 'model', tool: 'bash', arguments: '{"cmd":"ls"}' },
    ])
    expect(await run({ action: 'list', ...unused })).toEqual({
      ok: true,
      items: [
        { taskId: second?.taskId, dueAt: '2026-11-21T22:01:30+08:00', task: 'ping' },
        { taskId: first?.taskId, dueAt: '2026-11-21T22:10:00+08:00', task: 'look at the build' },
      ],
    })
    expect(await run({ action: 'cancel', items: [], taskId: first?.taskId })).toEqual({
      ok: true,
      removed: first?.taskId,
    })
    expect(await run({ action: 'clear', ...unused })).toEqual({ ok: true, removedCount: 1 })
    expect(world.alarms.of('s1')).toEqual([])
  })

  it('sets an alarm once when the same call comes again', async () => {
    const { world, run, item } = await clockWorld()
    const call = { action: 'schedule', items: [item(600_000)], taskId: '' }
    expect(await run(call)).toEqual(await run(call, { requestId: 'r2' }))
    expect(world.alarms.of('s1')).toHaveLength(1)
  })

  it('sets as many in one call as a session keeps, and refuses more with words that say how many fit', async () => {
    const { world, run, item } = await clockWorld()
    const items = (count: number) => Array.from({ length: count }, (_, i) => item(600_000 + i, `no. ${i}`))
    expect(await run({ action: 'schedule', items: items(201), taskId: '' })).toMatchObject({
      ok: false,
      error: { code: 'too-many', message: expect.stringMatching(/none was set.*at most 200\./) as string },
    })
    expect(world.alarms.of('s1')).toEqual([])
    const { scheduled } = await run({ action: 'schedule', items: items(120), taskId: '' })
    expect(scheduled).toHaveLength(120)
    expect(await run({ action: 'schedule', items: items(200).slice(100), taskId: '' })).toMatchObject({ ok: true })
    expect(world.alarms.of('s1')).toHaveLength(200)
    expect(await run({ action: 'schedule', items: [item(5, 'one more')], taskId: '' })).toMatchObject({
      ok: false,
      error: {
        code: 'too-many',
        message: expect.stringMatching(/has 200 alarms.*none was set\. Cancel some first\.$/) as string,
      },
    })
  })

  describe('overwrites an alarm', () => {
    const later = { action: 'schedule', taskId: '' }
    it.each([
      ['by the taskId of the call', (taskId: string, item: object) => ({ ...later, items: [item], taskId })],
      ['by the taskId of an item', (taskId: string, item: object) => ({ ...later, items: [{ ...item, taskId }] })],
    ])('%s: it keeps its id, and rings at its new time alone', async (_, over) => {
      const { world, run, item } = await clockWorld()
      const { taskId } = await world.set('s1', 60_000, 'old words')
      await world.set('s1', 70_000, 'another')
      const call = over(taskId, item(600_000, 'new words'))
      expect(await run(call)).toMatchObject({ ok: true, scheduled: [{ taskId, task: 'new words' }] })
      expect(await run(call)).toMatchObject({ ok: true, scheduled: [{ taskId }] })
      const { alarms } = await world.kill()
      expect(alarms.of('s1')).toMatchObject([
        { task: 'another' },
        { taskId, task: 'new words', setBy: 'model', dueAtMs: world.clock.now() + 600_000 },
      ])
    })

    it('that was delivered: it waits again', async () => {
      const { world, run, item } = await clockWorld()
      const { taskId } = await world.set('s1', 0)
      await (await world.alarms.reserve('s1', 'r1'))?.commit()
      expect(await run({ ...later, items: [item(600_000)], taskId })).toMatchObject({ ok: true })
      expect(world.alarms.nextOf('s1')).toMatchObject({ waiting: 1, first: { taskId, deliveryCount: 0 } })
      await world.clock.advance(600_000)
      expect(await world.alarms.reserve('s1', 'r2')).toMatchObject({ taskIds: [taskId] })
    })

    it('that waits in its terminal’s queue: it is taken out of it', async () => {
      const { world, run, item } = await clockWorld()
      world.places.set('s1', 'tmux:s1')
      await world.begin('s1')
      const { taskId } = await world.set('s1', 0)
      await world.clock.advance(2_000)
      expect(world.alarms.of('s1')).toMatchObject([{ claim: { route: 'terminal' } }])
      expect(await run({ ...later, items: [item(600_000)], taskId })).toMatchObject({ ok: true })
      await world.clock.advance(60_000)
      expect([world.alarms.of('s1'), world.typed('s1')]).toMatchObject([[{ taskId, task: 'look at the build' }], []])
    })

    it('that is on its way: it is refused, and nothing else is set either', async () => {
      const { world, run, item } = await clockWorld()
      const { taskId } = await world.set('s1', 0)
      await world.alarms.reserve('s1', 'r1')
      const items = [item(500_000), { ...item(600_000), taskId }]
      expect(await run({ ...later, items })).toMatchObject({ ok: false, error: { code: 'alarm-under-way' } })
      expect(world.alarms.of('s1')).toMatchObject([{ taskId, task: 'look at it' }])
    })

    it('of a full session, of another session never, and not one by several', async () => {
      const { world, run, item } = await clockWorld()
      const items = Array.from({ length: 200 }, (_, i) => item(600_000 + i, `no. ${i}`))
      await run({ ...later, items })
      const taskId = world.alarms.of('s1')[0]?.taskId
      expect(await run({ ...later, items: [item(900_000)], taskId })).toMatchObject({ ok: true })
      expect(world.alarms.of('s1')).toHaveLength(200)
      expect(await run({ ...later, items: items.slice(0, 2), taskId })).toMatchObject({ error: { code: 'one-item' } })
      expect(await run({ ...later, items: [item(900_000)], taskId }, { sessionId: 's2' })).toMatchObject({ ok: true })
      expect(world.alarms.of('s2')[0]?.taskId).not.toBe(taskId)
      expect(world.alarms.of('s1')).toHaveLength(200)
    })

    it('and creates one where there is none of that id', async () => {
      const { world, run, item } = await clockWorld()
      for (const taskId of ['gone', 'none', 7, null])
        expect(await run({ ...later, items: [item(600_000, `of ${taskId}`)], taskId })).toMatchObject({ ok: true })
      expect(world.alarms.of('s1')).toHaveLength(4)
    })

    it('leaves the old one where the disk refuses', async () => {
      const { world, run, item } = await clockWorld()
      const task = await world.set('s1', 300_000)
      world.disk.fate = (path) => (path.startsWith('clock/') ? 'fail' : 'ok')
      expect(await run({ ...later, items: [item(600_000)], taskId: task.taskId })).toMatchObject({
        ok: false,
        error: { code: 'store-failed' },
      })
      expect(world.alarms.of('s1')).toEqual([task])
    })
  })

  it('keeps what is due at once out of the exchange that set it', async () => {
    const { world, run, item } = await clockWorld()
    await run({ action: 'schedule', items: [item(5_000), item(61_000, 'later')], taskId: '' }, { requestId: 'r9' })
    expect(world.alarms.of('s1').map(({ notBeforeRequestId }) => notBeforeRequestId)).toEqual(['r9', undefined])
  })

  const at = (dueAt: string) => ({
    action: 'schedule',
    items: [{ dueAt, task: 'x', tool: '', arguments: '{}' }],
    taskId: '',
  })
  it.each<[string, Readonly<Record<string, unknown>> | null, string, Partial<TurnView>]>([
    ['no object', null, 'bad-arguments', {}],
    ['no action', {}, 'bad-arguments', {}],
    ['an unknown action', { action: 'now' }, 'bad-arguments', {}],
    ['no text as action', { action: 7 }, 'bad-arguments', {}],
    ['no zone', at('2026-11-21T15:00:00'), 'bad-due-at', {}],
    ['no time', at('in 5 minutes'), 'bad-due-at', {}],
    ['several times', at('every day at 9'), 'bad-due-at', {}],
    ['a day that does not exist', at('2026-02-30T10:00:00Z'), 'bad-due-at', {}],
    ['a time long past', at('2026-11-21T13:00:00Z'), 'alarm-over', {}],
    ['no items', { action: 'schedule', ...unused }, 'no-items', {}],
    [
      'no words',
      { action: 'schedule', items: [{ dueAt: '2026-11-21T15:00:00Z', task: '  ' }], taskId: '' },
      'no-words',
      {},
    ],
    ['an unknown id', { action: 'cancel', items: [], taskId: 'nope' }, 'alarm-unknown', {}],
    ['no id', { action: 'cancel', ...unused }, 'bad-arguments', {}],
    ...(['schedule', 'list', 'cancel', 'clear'] as const).map(
      (action): [string, Readonly<Record<string, unknown>>, string, Partial<TurnView>] => [
        `no session for ${action}`,
        { ...at('2026-11-21T15:00:00Z'), action, taskId: 't' },
        'no-session',
        { sessionId: null },
      ],
    ),
  ])('refuses %s, and nothing is stored', async (_, input, code, turn) => {
    const { world, run } = await clockWorld()
    expect(await run(input, turn)).toMatchObject({ ok: false, error: { code, message: expect.any(String) } })
    expect(world.disk.files.size).toBe(0)
  })

  it('fails a call whole for one bad item', async () => {
    const { world, run, item } = await clockWorld()
    expect(
      await run({ action: 'schedule', items: [item(600_000), { ...item(1), dueAt: 'soon' }], taskId: '' }),
    ).toMatchObject({ ok: false, error: { code: 'bad-due-at' } })
    expect(world.alarms.of('s1')).toEqual([])
  })

  it('says so when the disk refuses, and forgets what was asked', async () => {
    const { world, run, item } = await clockWorld()
    world.disk.fate = (path) => (path.startsWith('clock/') ? 'fail' : 'ok')
    expect(await run({ action: 'schedule', items: [item(600_000)], taskId: '' })).toMatchObject({
      ok: false,
      error: { code: 'store-failed' },
    })
    expect(world.alarms.of('s1')).toEqual([])
  })

  it('cancels none of another session', async () => {
    const { world, run } = await clockWorld()
    const { taskId } = await world.set('s2', 600_000)
    expect(await run({ action: 'cancel', items: [], taskId })).toMatchObject({
      ok: false,
      error: { code: 'alarm-unknown' },
    })
    expect(await run({ action: 'list', ...unused })).toEqual({ ok: true, items: [] })
  })

  it('is declared with every property required, as strict schemas demand', async () => {
    const { tool } = await clockWorld()
    expect(tool.declaration()).toBe(clockDeclaration)
    const check = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return
      if ('properties' in schema) {
        expect(schema).toMatchObject({
          additionalProperties: false,
          required: Object.keys(schema.properties as object),
        })
        for (const inner of Object.values(schema.properties as object)) check(inner)
      }
      if ('items' in schema) check(schema.items)
    }
    check(clockDeclaration.parameters)
  })
})
