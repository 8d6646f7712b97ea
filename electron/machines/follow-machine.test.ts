import { describe, expect, it } from 'vitest'
import { settled } from '../../shared/testing/settled.ts'
import type { MachineNotice, MachineUpdate } from '../../shared/machines.ts'
import type { EngineUpdate, SessionView } from '../../shared/state.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { virtualClock } from '../engine/base/testing/virtual-clock.ts'
import { sampleSession, sampleStatus } from '../engine/control/testing/fake-control-api.ts'
import { followMachine, waitBefore, type MachineStream } from './follow-machine.ts'
import { followMachines } from './follow-machines.ts'
import { machineOf, type Machine } from './machine.ts'

const machine = machineOf({ name: 'box', target: 'ada@box', program: null })
const random = { uuid: () => 'x', token: () => 'x', fraction: () => 0.5 }
const session = (id: string, more: Partial<SessionView> = {}) => sampleSession({ id, name: id, ...more })
const snapshot = (...sessions: SessionView[]): EngineUpdate => ({
  type: 'snapshot',
  status: sampleStatus(),
  sessions,
  terminals: [],
})

/** Lines that the test opens, speaks on and cuts. */
function lines() {
  const opened: { say(update: EngineUpdate): void; cut(why: Error | null): void; closed: boolean; at: number }[] = []
  const clock = virtualClock()
  let refusal: OnwardError | null = null
  return {
    clock,
    opened,
    /** when it was tried, in seconds from the beginning */
    tries: [] as number[],
    refuse(code: string | null): void {
      refusal = code === null ? null : new OnwardError(code, `Refused: ${code}.`)
    },
    async open(): Promise<MachineStream> {
      this.tries.push(Math.round(clock.monotonic() / 1000))
      if (refusal) throw refusal
      const updates: EngineUpdate[] = []
      let wake: () => void = () => undefined
      let over = false
      let lose: (why: Error) => void = () => undefined
      const lost = new Promise<Error>((done) => {
        lose = done
      })
      const line = {
        at: clock.now(),
        closed: false,
        say(update: EngineUpdate) {
          updates.push(update)
          wake()
        },
        cut(why: Error | null) {
          over = true
          if (why) lose(why)
          wake()
        },
      }
      opened.push(line)
      return {
        version: '0.1.0',
        lost,
        close() {
          line.closed = true
        },
        async call({ operation, input }) {
          if (over) throw new OnwardError('engine-gone', 'The engine went away.')
          return `${operation} ${JSON.stringify(input)}`
        },
        async *watch(operation) {
          yield operation
        },
        async *follow(signal) {
          signal.addEventListener('abort', () => wake())
          for (;;) {
            for (let update = updates.shift(); update; update = updates.shift()) yield update
            if (over || signal.aborted) return
            await new Promise<void>((done) => {
              wake = done
            })
          }
        },
      }
    },
  }
}

function following(refusal: string | null = null) {
  const world = lines()
  world.refuse(refusal)
  const told: (MachineUpdate | MachineNotice)[] = []
  const tell = (update: MachineUpdate | MachineNotice) => void told.push(update)
  const followed = followMachine(machine, { clock: world.clock, random, open: () => world.open(), tell })
  return { ...world, world, followed, told, newest: () => world.opened.at(-1) }
}
const lostLine = new OnwardError('machine-line-lost', 'The line to box broke.')

describe('a machine that is followed', () => {
  it('shows its sessions as they change there', async () => {
    const { followed, newest, clock } = following()
    expect(followed.view()).toEqual({ name: 'box', target: 'ada@box', state: { kind: 'connecting' }, sessions: [] })
    await settled()
    newest()?.say(snapshot(session('a'), session('b')))
    await followed.settled
    expect(followed.view()).toMatchObject({
      state: { kind: 'there', since: clock.now(), version: '0.1.0' },
      sessions: [{ id: 'a' }, { id: 'b' }],
    })
    newest()?.say({ type: 'session', session: session('b', { name: 'other' }) })
    newest()?.say({ type: 'session', session: session('c') })
    newest()?.say({ type: 'session-removed', id: 'a' })
    await settled()
    expect(followed.view().sessions.map(({ name }) => name)).toEqual(['other', 'c'])
    followed.dispose()
  })

  it('that loses its line says since when and why, keeps what was seen, and comes back by itself', async () => {
    const { followed, world, newest, clock } = following()
    await settled()
    newest()?.say(snapshot(session('a')))
    await clock.advance(5_000)
    const cutAt = clock.now()
    newest()?.cut(lostLine)
    world.refuse('machine-unreachable')
    await settled()
    expect(followed.view()).toMatchObject({
      state: { kind: 'away', since: cutAt, why: { code: 'machine-line-lost' }, nextTryAt: cutAt + 1_000 },
      sessions: [{ id: 'a' }],
    })
    await clock.advance(10_000)
    expect(followed.view().state).toMatchObject({ kind: 'away', since: cutAt, why: { code: 'machine-unreachable' } })
    world.refuse(null)
    await clock.advance(60_000)
    newest()?.say(snapshot(session('b')))
    await settled()
    expect(followed.view()).toMatchObject({ state: { kind: 'there' }, sessions: [{ id: 'b' }] })
    expect(world.opened.map(({ closed }) => closed)).toEqual([true, false])
    followed.dispose()
  })

  it('tells each change as it comes, and after a break what became of each session', async () => {
    const { followed, newest, told, clock } = following()
    await settled()
    newest()?.say(snapshot(session('a'), session('b')))
    newest()?.say({ type: 'session', session: session('b', { name: 'other' }) })
    newest()?.say({ type: 'turn', record: {} as never })
    await settled()
    newest()?.cut(lostLine)
    await clock.advance(2_000)
    newest()?.say(snapshot(session('b')))
    await settled()
    const words = told.map((one) =>
      one.type === 'machine'
        ? `is ${one.machine.state.kind}`
        : one.type === 'machine-session'
          ? `has ${one.session.name}`
          : one.type === 'machine-session-removed'
            ? `lost ${one.id}`
            : one.type,
    )
    expect(words).toEqual(['is there', 'has a', 'has b', 'has other', 'is away', 'lost a', 'is there', 'has b'])
    followed.dispose()
    await settled()
    expect(told).toHaveLength(words.length)
  })

  it('passes on what its own engine notifies of, unless it is quiet, and nothing heard elsewhere', async () => {
    const { followed, newest, told } = following()
    const notice = (id: string, from: object = {}): EngineUpdate => ({
      type: 'notice',
      notice: { id, class: 'needs-you', sessionId: 'a', title: 'a needs you', body: '', actions: [], ...from },
    })
    await settled()
    newest()?.say(notice('1'))
    newest()?.say(notice('2', { machine: 'third' }))
    await settled()
    followed.beQuiet(true)
    newest()?.say(notice('3'))
    await settled()
    const passed = told.filter((one) => one.type === 'machine-notice')
    expect(passed).toMatchObject([{ machine: 'box', notice: { id: '1', machine: 'box' } }])
    expect(followed.view()).toMatchObject({ quiet: true })
    followed.dispose()
  })

  it('is asked over its line, and says why it can’t be, also where the line breaks meanwhile', async () => {
    const { followed, world, newest, clock } = following()
    const ask = () => followed.call({ operation: 'say', kind: 'mutation', input: { text: 'hi' } })
    await expect(ask()).rejects.toMatchObject({ code: 'machine-connecting' })
    await settled()
    newest()?.say(snapshot())
    await settled()
    expect(await ask()).toBe('say {"text":"hi"}')
    world.refuse('machine-unreachable')
    newest()?.cut(lostLine)
    await expect(ask()).rejects.toMatchObject({ code: 'machine-line-lost' })
    await settled()
    await expect(ask()).rejects.toMatchObject({ code: 'machine-line-lost' })
    await clock.advance(1_000)
    await expect(ask()).rejects.toMatchObject({ code: 'machine-unreachable' })
    followed.dispose()
  })

  it('is tried at once when a person has seen to it', async () => {
    const { followed, world } = following('machine-auth-refused')
    await settled()
    followed.retry()
    await settled()
    expect(world.tries).toEqual([0, 0])
    followed.dispose()
  })

  it('that stays away is tried less and less often, at most once a minute', async () => {
    const { followed, world, clock } = following('machine-unreachable')
    await clock.advance(250_000)
    expect(world.tries).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
    followed.dispose()
  })

  it('whose line breaks again and again is no storm; one that lasted is tried at once again', async () => {
    const { followed, world, newest, clock } = following()
    for (let i = 0; i < 5; i++) {
      await clock.advance(40_000)
      newest()?.say(snapshot())
      await settled()
      newest()?.cut(lostLine)
      await settled()
    }
    const { state } = followed.view()
    expect(state.kind === 'away' && (state.nextTryAt ?? 0) - state.since).toBe(16_000)
    await clock.advance(16_000)
    newest()?.say(snapshot())
    await clock.advance(60_000)
    newest()?.cut(lostLine)
    await settled()
    const after = followed.view().state
    expect(after.kind === 'away' && (after.nextTryAt ?? 0) - after.since).toBe(1_000)
    expect(world.opened).toHaveLength(6)
    followed.dispose()
  })

  it('whose engine hangs says that, though the line is there', async () => {
    const { followed, newest, clock } = following()
    await settled()
    newest()?.cut(null)
    await clock.advance(1_000)
    expect(followed.view().state).toMatchObject({ kind: 'away', why: { code: 'machine-engine-silent' } })
    followed.dispose()
  })

  it('that waits for a person is tried every five minutes', () => {
    expect(waitBefore(0, 'machine-auth-refused', 0.5)).toBe(300_000)
    expect(waitBefore(0, 'machine-unreachable', 0)).toBe(800)
    expect(waitBefore(50, 'machine-unreachable', 1)).toBe(72_000)
  })

  it('is left alone once it is not followed any more', async () => {
    const { followed, newest, clock, world } = following()
    await settled()
    newest()?.say(snapshot())
    await settled()
    followed.dispose()
    await clock.advance(600_000)
    expect(newest()?.closed).toBe(true)
    expect(world.tries).toHaveLength(1)
  })
})

describe('all machines', () => {
  const named = (name: string, target = name): Machine => machineOf({ name, target, program: null })
  function all(first: Machine[]) {
    const clock = virtualClock()
    const now = { machines: first }
    const said: string[] = []
    const machines = followMachines({
      clock,
      read: async () => now.machines,
      follow(one) {
        said.push(`follow ${one.name} ${one.target}`)
        return {
          settled: one.name === 'slow' ? new Promise(() => {}) : Promise.resolve(),
          view: () => ({ name: one.name, target: one.target, state: { kind: 'connecting' }, sessions: [] }),
          dispose: () => void said.push(`leave ${one.name} ${one.target}`),
          beQuiet: (quiet) => void said.push(`${one.name} ${quiet ? 'is quiet' : 'tells'}`),
          retry: () => void said.push(`retry ${one.name}`),
          call: async ({ operation }) => `${operation} on ${one.name}`,
          async *watch(operation) {
            yield `${operation} on ${one.name}`
          },
        }
      },
    })
    return { clock, now, said, machines }
  }

  it('are followed as they stand in the file when somebody asks', async () => {
    const { now, said, machines } = all([named('a'), named('b')])
    expect(said).toEqual([])
    expect((await machines.list()).map(({ name }) => name)).toEqual(['a', 'b'])
    now.machines = [named('b', 'elsewhere'), named('c')]
    expect((await machines.list()).map(({ name }) => name)).toEqual(['b', 'c'])
    expect(said).toEqual(['follow a a', 'follow b b', 'leave a a', 'leave b b', 'follow b elsewhere', 'follow c c'])
    machines.dispose()
    expect(said.slice(6)).toEqual(['leave b elsewhere', 'leave c c'])
    expect(await machines.list()).toEqual([])
  })

  it('are told of as they come and go; one that is to be quiet keeps its line', async () => {
    const { now, said, machines } = all([named('a'), named('b')])
    const told: string[] = []
    machines.watch((update) => void told.push(`${update.type} ${update.type === 'machine' ? update.machine.name : ''}`))
    await machines.look()
    now.machines = [{ ...named('a'), quiet: true }]
    await machines.look()
    expect(told).toEqual(['machine a', 'machine b', 'machine-removed '])
    expect(said.slice(2)).toEqual(['a is quiet', 'leave b b'])
    expect(await machines.call({ machine: 'a', operation: 'status', kind: 'query', input: undefined })).toBe(
      'status on a',
    )
    await expect(
      machines.call({ machine: 'b', operation: 'status', kind: 'query', input: undefined }),
    ).rejects.toMatchObject({ code: 'machine-unknown' })
    machines.dispose()
  })

  it('are answered for after ten seconds, also where one does not answer', async () => {
    const { clock, machines } = all([named('a'), named('slow')])
    let listed: readonly { name: string }[] | null = null
    void machines.list().then((views) => {
      listed = views
    })
    await clock.advance(9_999)
    expect(listed).toBeNull()
    await clock.advance(1)
    expect(listed).toHaveLength(2)
    expect(clock.pending()).toBe(0)
  })
})
