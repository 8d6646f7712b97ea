import { afterEach, describe, expect, it } from 'vitest'
import { configSchema, type Config, type ConfigInput } from '../../../shared/config/schema.ts'
import { settled } from '../../../shared/testing/settled.ts'
import { closedPolicy, type Policy } from '../../../shared/policy/policy.ts'
import { fleetFault } from '../config/policy/excess.ts'
import { fleetPolicy } from '../config/policy/fleet-policy.ts'
import { fakeControlApi } from '../control/testing/fake-control-api.ts'
import { emitter } from '../base/disposable.ts'
import { OnwardError } from '../base/errors.ts'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import { createFleet } from './fleet.ts'
import { fleetMachines } from './fleet-machines.ts'

const over: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of over.splice(0)) await end()
})

function world(given: ConfigInput['fleet'] = {}) {
  const clock = virtualClock()
  const files = memoryFiles()
  const changed = emitter<void>((error) => {
    throw error
  })
  let config: Config = configSchema.parse({ fleet: given })
  let refusal = new OnwardError('fleet-hub-away', 'nats://hub:4222 can’t be reached.')
  const tried: number[] = []
  let loads = 0
  let held: Policy | null = null
  const policies = () =>
    held && {
      policies: [held],
      bounded: [{ path: 'fleet.url', fault: fleetFault({ name: 'lab', url: 'nats://hub' }, held) }],
      trouble: null,
    }
  const machines = fleetMachines(clock)
  const fleet = createFleet({
    machines,
    config: {
      current: () => config,
      edit: async () => undefined,
      onChange: (listener) => changed.on(listener),
      policies,
    },
    policy: fleetPolicy('/home', files),
    api: fakeControlApi({}),
    version: '1.2.3',
    platform: 'linux',
    clock,
    random: { uuid: () => '', token: () => '', fraction: () => 0.5 },
    log: silentLog,
    orders: async () => ({ document: { get: () => null } as never, isDone: () => false }),
    problem: () => undefined,
    lend: async () => undefined,
    async load() {
      loads += 1
      return {
        ordersKeptMs: 1,
        async openHub() {
          tried.push(clock.now())
          throw refusal
        },
      }
    },
  })
  over.push(() => fleet.stop())
  return {
    clock,
    fleet,
    machines,
    files,
    loads: () => loads,
    /** seconds between the tries */
    waits: () => tried.slice(1).map((at, i) => Math.round((at - (tried[i] ?? 0)) / 1000)),
    hold(policy: Policy) {
      held = policy
      config = { ...config, held: [policy] }
    },
    refuse(code: string) {
      refusal = new OnwardError(code, 'No.')
    },
    configure(next: ConfigInput['fleet']) {
      config = configSchema.parse({ fleet: next })
      changed.emit()
    },
  }
}

describe('a fleet', () => {
  it('loads nothing of NATS and offers no engines before one is joined, and again after it was left', async () => {
    const { fleet, machines, loads, configure, clock } = world()
    await clock.advance(3_600_000)
    expect(await fleet.view()).toBeNull()
    expect(await machines.list()).toEqual([])
    await expect(fleet.ask({ engine: 'gpu', operation: 'status' })).rejects.toMatchObject({ code: 'fleet-none' })
    expect([loads(), clock.pending()]).toEqual([0, 0])
    configure({ url: 'nats://hub:4222', name: 'lab', engine: 'gpu' })
    await machines.list()
    expect(await fleet.view()).toMatchObject({ name: 'lab', engine: 'gpu', state: { kind: 'away' }, policy: false })
    configure({ rights: ['look'] })
    await settled()
    expect(await fleet.view()).toBeNull()
    expect(clock.pending()).toBe(0)
  })

  it('whose hub is away is tried again, at growing distances, and shown beside other machines', async () => {
    const { fleet, machines, clock, waits } = world({ url: 'nats://hub:4222', name: 'lab' })
    await clock.advance(10 * 60_000)
    expect(waits().slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    const why = { code: 'fleet-hub-away', message: 'nats://hub:4222 can’t be reached.' }
    expect(await machines.list()).toMatchObject([{ name: 'lab', state: { kind: 'away', why }, sessions: [] }])
    await expect(fleet.engines()).rejects.toMatchObject(why)
  })

  it('that refuses the login is tried again seldom, until the config is another one', async () => {
    const { clock, machines, waits, refuse, configure } = world({ url: 'nats://hub:4222' })
    refuse('fleet-refused')
    await clock.advance(16 * 60_000)
    expect(waits()).toEqual([300, 300, 300])
    configure({ url: 'nats://hub:4222', engine: 'gpu' })
    await machines.list()
    expect(waits()).toHaveLength(4)
  })

  it.each([
    ['an address with a login', { url: 'nats://ada:hunter2@hub:4222' }, 'fleet-address', /^nats:\/\/\[hidden\]@hub/],
    ['a login that has a slash', { url: 'nats://ada:hunter/2@hub:4222' }, 'fleet-address', /^nats:\/\/\[hidden\]@hub/],
    ['an address of another protocol', { url: 'https://hub' }, 'fleet-address', /^https:\/\/hub is no address/],
    ['a name with a dot', { url: 'nats://hub', name: 'a.b' }, 'fleet-name', /a\.b/],
    ['a name with a wildcard', { url: 'nats://hub', engine: '*' }, 'fleet-name', /\*/],
    ['a path from elsewhere', { url: 'nats://hub', creds: 'hub.creds' }, 'fleet-path', /hub\.creds/],
  ])('is not joined with %s', async (_, wanted, code, said) => {
    const { fleet, loads } = world()
    const refused: unknown = await fleet.join(wanted).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code, message: expect.stringMatching(said) as unknown })
    expect(String(refused)).not.toContain('hunter')
    expect(loads()).toBe(0)
  })

  it('is not joined where the policy of the machine does not name it, and its hub is not asked', async () => {
    const { fleet, loads, hold } = world()
    hold({ ...closedPolicy('/etc/onward/policy.json'), organisation: 'Example Ltd' })
    await expect(fleet.join({ url: 'nats://hub:4222' })).rejects.toMatchObject({
      code: 'held-by-policy',
      message: 'Your organisation (Example Ltd) does not allow the fleet onward at nats://hub:4222.',
      details: { fault: 'held-fleet' },
    })
    expect(loads()).toBe(0)
    // one that the config names is not joined either, and whoever asks for it hears why
    await expect(fleet.engines()).rejects.toMatchObject({ code: 'held-by-policy' })
  })

  it('does not decide by its own policy which may be joined', async () => {
    const { files } = world()
    const taken = fleetPolicy('/home', files).take('lab at nats://hub', '{ "fleets": [] }')
    await expect(taken).rejects.toMatchObject({ code: 'fleet-policy-wrong' })
  })

  it('is not joined while the policy of another one holds', async () => {
    const { fleet, files, clock, loads } = world({ url: 'nats://hub:4222', name: 'lab' })
    const policy = fleetPolicy('/home', files)
    await policy.take('other at nats://old:4222', '{ "phone": false }')
    await clock.advance(60_000)
    expect(await fleet.view()).toMatchObject({ state: { why: { code: 'fleet-policy-held' } }, policy: true })
    await expect(fleet.join({ url: 'nats://new:4222' })).rejects.toMatchObject({ code: 'fleet-policy-held' })
    await policy.take('other at nats://old:4222', null)
    await fleet
      .join({ url: 'nats://new:4222' })
      .catch((error: unknown) => expect(error).toMatchObject({ code: 'fleet-hub-away' }))
    expect(loads()).toBeGreaterThan(0)
  })
})
