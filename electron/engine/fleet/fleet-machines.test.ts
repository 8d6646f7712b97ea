import { describe, expect, it } from 'vitest'
import type { FleetAnswer, FleetState } from '../../../shared/fleet.ts'
import type { MachineView } from '../../../shared/machines.ts'
import { settled } from '../../../shared/testing/settled.ts'
import { sampleSession } from '../control/testing/fake-control-api.ts'
import { OnwardError } from '../base/errors.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { fleetMachines } from './fleet-machines.ts'
import type { Member } from './member.ts'

const away: FleetState = {
  kind: 'away',
  since: 5,
  why: { code: 'fleet-hub-away', message: 'It is away.' },
  nextTryAt: 9,
}

function world() {
  const clock = virtualClock()
  const machines = fleetMachines(clock)
  const gpu = (more: Partial<MachineView> = {}): MachineView => ({
    name: 'gpu',
    target: 'hub',
    state: { kind: 'there', since: 1, version: '1' },
    fleet: { name: 'lab', rights: ['look', 'say'] },
    sessions: [sampleSession()],
    ...more,
  })
  let state: FleetState = { kind: 'there', since: 1 }
  let views: readonly MachineView[] | null = [gpu()]
  let joined = true
  let refusal: OnwardError | null = null
  let watches = 0
  let answer: FleetAnswer = { kind: 'answered', answer: [] }
  const asked: string[] = []
  const roster = {
    async watch() {
      watches += 1
      if (refusal) throw refusal
    },
    now: () => views,
    doubt: () => undefined,
    dispose: () => undefined,
  }
  const member: Member = {
    options: { url: 'nats://hub', name: 'lab', engine: 'me' },
    state: () => state,
    settled: Promise.resolve(),
    there: () => ({ hub: {} as never, lines: {} as never, roster }),
    end: async () => undefined,
  }
  machines.serve({
    joined: () => (joined ? member : null),
    async ask({ operation }) {
      asked.push(operation)
      return answer
    },
  })
  const told: string[] = []
  machines.watch((update) => {
    if (update.type === 'machine') told.push(`${update.machine.name} ${update.machine.state.kind}`)
    else told.push(update.type)
  })
  return {
    clock,
    machines,
    gpu,
    asked,
    told: () => told.splice(0),
    watches: () => watches,
    answers(next: FleetAnswer) {
      answer = next
    },
    async become(change: { state?: FleetState; views?: typeof views; joined?: boolean; refusal?: OnwardError | null }) {
      ;({ state = state, views = views, joined = joined, refusal = refusal } = change)
      machines.changed()
      await settled()
      await clock.advance(100)
    },
  }
}

describe('the engines of a fleet as machines', () => {
  it('are asked of the hub only once somebody looks', async () => {
    const { machines, watches, become } = world()
    await machines.look()
    await become({})
    expect(watches()).toBe(0)
    expect(await machines.list()).toMatchObject([{ name: 'gpu', state: { kind: 'there' } }])
    expect(watches()).toBe(1)
  })

  it('are told of as they change, one session after the other', async () => {
    const { become, gpu, told } = world()
    await become({})
    expect(told()).toEqual(['gpu there', 'machine-session'])
    const view = gpu()
    await become({ views: [view, { ...view, name: 'cpu', sessions: [] }] })
    told()
    await become({})
    expect(told()).toEqual([])
    await become({ views: [{ ...view, sessions: [...view.sessions, sampleSession({ id: 'b' })] }] })
    expect(told()).toEqual(['machine-session', 'machine-removed'])
    await become({ views: [{ ...view, sessions: [] }] })
    expect(told()).toEqual(['machine-session-removed', 'machine-session-removed'])
    await become({ joined: false })
    expect(told()).toEqual(['machine-removed'])
  })

  it('stay as they were while the hub is away, and until all is known again', async () => {
    const { become, machines, told } = world()
    await become({})
    told()
    await become({ state: away })
    expect(told()).toEqual(['gpu away'])
    expect(machines.now()).toMatchObject([
      { state: { kind: 'away', since: 5, seen: true, nextTryAt: 9 }, sessions: [{ id: sampleSession().id }] },
    ])
    await become({ state: { kind: 'there', since: 7 }, views: null })
    expect(told()).toEqual(['gpu there'])
    expect(machines.now()).toHaveLength(1)
  })

  it('are stood for by their fleet where nothing is known of them, with why', async () => {
    const { become, machines } = world()
    await become({ state: away, views: null })
    const nobody = { name: 'lab', fleet: { name: 'lab' }, sessions: [] }
    expect(machines.now()).toMatchObject([{ ...nobody, state: { kind: 'away', seen: false } }])
    await become({ state: { kind: 'there', since: 7 }, refusal: new OnwardError('fleet-not-allowed', 'No.') })
    await machines.list()
    expect(machines.now()).toMatchObject([
      { ...nobody, state: { why: { code: 'fleet-not-allowed' }, nextTryAt: null } },
    ])
  })

  it('answer, or the hub says that it keeps the order', async () => {
    const { machines, answers } = world()
    const say = { machine: 'gpu', operation: 'say', kind: 'mutation', input: {} } as const
    answers({ kind: 'answered', answer: 7 })
    expect(await machines.call(say)).toBe(7)
    answers({ kind: 'waits', until: 9 })
    expect(await machines.call(say)).toEqual({ kind: 'waits', until: 9 })
  })

  it('are followed by asking: at once where a session changes, and seldom while nothing does', async () => {
    const { machines, become, gpu, asked, clock } = world()
    const end = new AbortController()
    const got: { type: string; rights?: unknown }[] = []
    const following = (async () => {
      for await (const update of machines.follow({ machine: 'gpu', operation: 'follow', input: undefined }, end.signal))
        got.push(update as { type: string })
    })()
    await settled()
    expect(got.splice(0)).toMatchObject([{ type: 'snapshot', rights: ['look', 'say'], alarms: [] }])
    expect(asked.splice(0)).toEqual(['status', 'terminals', 'alarms', 'providers', 'routing'])
    await become({})
    got.splice(0)
    await become({ views: [gpu({ sessions: [sampleSession({ turns: 99 })] })] })
    expect(got.splice(0).map(({ type }) => type)).toEqual(['session'])
    expect(asked).toEqual([])
    await clock.advance(60_000)
    expect(asked.length / 5).toBeLessThan(9)
    expect(got).toEqual([])
    end.abort()
    await following
    expect(clock.pending()).toBe(0)
  })

  it.each([
    ['alarms', ['status', 'alarms'], false],
    ['providers', ['status', 'providers', 'routing'], false],
    ['turn', ['status'], true],
  ] as const)('are asked for no more than %s where a list has only those', async (input, parts, again) => {
    const { machines, gpu, asked, become, clock } = world()
    const end = new AbortController()
    const got: { type: string; sessions?: unknown }[] = []
    const following = (async () => {
      for await (const update of machines.follow({ machine: 'gpu', operation: 'followSubject', input }, end.signal))
        got.push(update as { type: string })
    })()
    await settled()
    expect(got.splice(0)).toMatchObject([{ type: 'snapshot', terminals: [], sessions: [] }])
    expect(asked.splice(0)).toEqual(parts)
    await clock.advance(2_000)
    await become({ views: [gpu({ sessions: [sampleSession({ turns: 99 })] })] })
    await clock.advance(2_000)
    // its turns are asked for after a snapshot
    expect(got.map(({ type }) => type)).toEqual(again ? ['snapshot'] : [])
    end.abort()
    await following
  })

  it('have no other stream', async () => {
    const { machines } = world()
    const { signal } = new AbortController()
    const stream = machines.follow({ machine: 'gpu', operation: 'watchTerminal', input: 't' }, signal)
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'fleet-no-stream' })
  })
})
