import { hostname } from 'node:os'
import { isAbsolute } from 'node:path'
import type { FleetConfig } from '../../../shared/config/fleet.ts'
import type { ConfigFault } from '../../../shared/config/config-faults.ts'
import { refusesFleet } from '../../../shared/policy/apply.ts'
import { fleetName, hubUrl, withoutLogin, type FleetAnswer, type FleetView } from '../../../shared/fleet.ts'
import type { MachineView } from '../../../shared/machines.ts'
import type { Input } from '../../../shared/operations/index.ts'
import { pause } from '../base/clock.ts'
import { OnwardError } from '../base/errors.ts'
import { fleetFault } from '../config/policy/excess.ts'
import { sentenceOfFault } from '../config/problem-of.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { FleetMachines } from './fleet-machines.ts'
import type { Line } from '../providers/via/line.ts'
import { openFor, startMember, type Member, type MemberDeps, type MemberOptions } from './member.ts'

export interface Fleet {
  /** null: none is joined */
  view(): Promise<FleetView | null>
  /** every other one. @throws OnwardError `fleet-…` */
  engines(): Promise<readonly MachineView[]>
  ask(asked: Input<'askFleet'>): Promise<FleetAnswer>
  /** A line to another engine, for providers it lends. @throws OnwardError `fleet-…` */
  lendLine(engine: string): Promise<Line>
  join(wanted: Input<'joinFleet'>): Promise<FleetView>
  leave(): Promise<void>
  stop(): Promise<void>
}

export interface FleetDeps extends Omit<MemberDeps, 'changed' | 'granted' | 'load'> {
  /** where they are shown and asked beside other machines */
  machines: FleetMachines
  config: Pick<ConfigHandle, 'current' | 'edit' | 'onChange' | 'policies'>
  load?: MemberDeps['load']
}

const joinedWithinMs = 15_000
const settings = ['url', 'name', 'engine', 'domain', 'creds', 'ca', 'cert', 'key', 'texts'] as const

/** Off until the config names a hub, and nothing is loaded or connected before. A change of it begins anew. */
export function createFleet(deps: FleetDeps): Fleet {
  const { config, clock, machines } = deps
  const configured = () => config.current().fleet
  const memberDeps: MemberDeps = {
    load: () => import('./hub.ts'),
    ...deps,
    granted: configured,
    changed: machines.changed,
  }
  let member: Member | null = null
  let by = ''
  let ending: Promise<unknown> = Promise.resolve()
  let stopped = false

  const follow = (left = true) => {
    const { rights: _, ...rest } = configured()
    const options = stopped ? null : optionsOf(rest)
    const now = options === null ? '' : JSON.stringify(rest)
    if (now === by) return
    by = now
    ending = Promise.all([ending, member?.end(left)])
    member = options && startMember(options, memberDeps, ending)
    machines.changed()
  }
  const joined = (): Member => {
    if (member) return member
    const held = config.policies()?.bounded.find(({ fault }) => fault.code === 'held-fleet')
    if (held) throw heldBack(held.fault)
    throw new OnwardError('fleet-none', 'No fleet is joined here. Join one: `onward fleet join nats://hub:4222`.', {
      status: 409,
    })
  }
  const viewOf = async ({ options: { url, name, engine }, state }: Member): Promise<FleetView> => ({
    url,
    name,
    engine,
    state: state(),
    texts: configured().texts,
    policy: (await deps.policy.of()) !== null,
  })
  const ask: Fleet['ask'] = async (asked) => {
    const { options, there } = joined()
    const [{ askEngine }, { ordersKeptMs }] = await Promise.all([import('./ask-engine.ts'), memberDeps.load()])
    const { hub, roster } = there()
    try {
      const answer = await askEngine({ ...deps, hub, fleet: options.name, keptMs: ordersKeptMs }, asked)
      if (answer.kind === 'waits') roster.doubt(asked.engine)
      return answer
    } catch (error) {
      if (OnwardError.isInstance(error) && error.code === 'fleet-engine-away') roster.doubt(asked.engine)
      throw error
    }
  }
  machines.serve({ joined: () => member, ask })
  follow()
  const following = config.onChange(() => follow())
  return {
    view: async () => member && viewOf(member),
    async engines() {
      const { roster } = joined().there()
      await roster.watch()
      return roster.now() ?? []
    },
    ask,
    async lendLine(engine) {
      const { lines } = joined().there()
      if (fleetName.test(engine)) return lines.open(engine)
      throw new OnwardError('fleet-engine-unknown', `No engine of the fleet is called “${engine}”.`, { status: 404 })
    },
    async join(wanted) {
      const options = checked({ ...configured(), ...wanted })
      const refusing = refusesFleet(config.current().held, options)
      if (refusing) throw heldBack(fleetFault(options, refusing))
      await (await openFor(options, memberDeps)).close()
      await config.edit(
        settings.flatMap((one) => (one in wanted ? [{ path: ['fleet', one], value: wanted[one] }] : [])),
      )
      const late = new AbortController()
      await Promise.race([joined().settled, pause(clock, joinedWithinMs, late.signal)])
      late.abort()
      return viewOf(joined())
    },
    async leave() {
      joined()
      await config.edit([{ path: ['fleet', 'url'], value: null }])
      await ending
    },
    async stop() {
      stopped = true
      following.dispose()
      follow(false)
      await ending
    },
  }
}

/** before anything is asked of the hub */
const heldBack = ({ code, facts }: ConfigFault): OnwardError =>
  new OnwardError('held-by-policy', sentenceOfFault({ code, facts }), {
    status: 403,
    details: { ...facts, fault: code },
  })

/** null: none is to be joined */
function optionsOf({ url, engine, ...rest }: Omit<FleetConfig, 'rights'>): MemberOptions | null {
  const { name, domain, creds, ca, cert, key } = rest
  return url === null ? null : { url, name, engine: engine ?? ownName(), domain, creds, ca, cert, key }
}

/** As a person calls this machine, as far as a subject of NATS can be called so. */
const ownName = (): string =>
  hostname()
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 63) || 'onward'

/** @throws OnwardError `fleet-address`, `fleet-name`, `fleet-path` */
function checked(given: Omit<FleetConfig, 'rights'>): MemberOptions {
  const options = optionsOf(given)
  if (!options || !hubUrl.test(options.url))
    throw new OnwardError(
      'fleet-address',
      `${withoutLogin(given.url ?? '')} is no address of a hub. Write nats://host:4222, or tls:// for TLS, and no ` +
        'login in it: that belongs into a file, which `--creds` names.',
      { status: 400 },
    )
  for (const word of [options.name, options.engine, options.domain ?? 'none'])
    if (!fleetName.test(word))
      throw new OnwardError('fleet-name', `“${word}” can’t be a name: take letters, digits, - and _.`, { status: 400 })
  const { creds, ca, cert, key } = options
  for (const path of [creds, ca, cert, key])
    if (path !== undefined && !isAbsolute(path))
      throw new OnwardError('fleet-path', `${path} is no whole path. Write it from the root.`, { status: 400 })
  return options
}
