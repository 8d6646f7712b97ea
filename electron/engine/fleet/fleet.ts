import { hostname } from 'node:os'
import { isAbsolute } from 'node:path'
import type { FleetConfig } from '../../../shared/config/fleet.ts'
import { fleetName, hubUrl, withoutLogin, type FleetAnswer, type FleetView } from '../../../shared/fleet.ts'
import type { MachineView } from '../../../shared/machines.ts'
import type { Input } from '../../../shared/operations/index.ts'
import { pause } from '../base/clock.ts'
import { OnwardError } from '../base/errors.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { Line } from '../providers/via/line.ts'
import { openFor, startMember, type Member, type MemberDeps, type MemberOptions } from './member.ts'

export interface Fleet {
  /** null: none is joined */
  view(): Promise<FleetView | null>
  /** every other one. @throws OnwardError `fleet-…` */
  engines(): Promise<readonly MachineView[]>
  /** the same beside other machines: as they were last seen while the hub is away, none where no fleet is joined */
  machines(): Promise<readonly MachineView[]>
  ask(asked: Input<'askFleet'>): Promise<FleetAnswer>
  /** A line to another engine, for providers it lends. @throws OnwardError `fleet-…` */
  lendLine(engine: string): Promise<Line>
  join(wanted: Input<'joinFleet'>): Promise<FleetView>
  leave(): Promise<void>
  stop(): Promise<void>
}

export interface FleetDeps extends Omit<MemberDeps, 'granted' | 'load'> {
  config: Pick<ConfigHandle, 'current' | 'edit' | 'onChange'>
  load?: MemberDeps['load']
}

/** stands for the engines of a fleet whose hub was never reached */
const nobody = { state: { kind: 'connecting' }, sessions: [] } as const
const joinedWithinMs = 15_000
const settings = ['url', 'name', 'engine', 'domain', 'creds', 'ca', 'cert', 'key', 'texts'] as const

/** Off until the config names a hub, and nothing is loaded or connected before. A change of it begins anew. */
export function createFleet(deps: FleetDeps): Fleet {
  const { config, clock } = deps
  const configured = () => config.current().fleet
  const memberDeps: MemberDeps = { load: () => import('./hub.ts'), ...deps, granted: configured }
  let member: Member | null = null
  let by = ''
  let ending: Promise<unknown> = Promise.resolve()
  let stopped = false
  let last: readonly MachineView[] = []

  const follow = (left = true) => {
    const { rights: _, ...rest } = configured()
    const options = stopped ? null : optionsOf(rest)
    const now = options === null ? '' : JSON.stringify(rest)
    if (now === by) return
    by = now
    ending = Promise.all([ending, member?.end(left)])
    member = options && startMember(options, memberDeps, ending)
  }
  const joined = (): Member => {
    if (member) return member
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
  follow()
  const following = config.onChange(() => follow())
  return {
    view: async () => member && viewOf(member),
    engines: async () => joined().there().roster.list(),
    async machines() {
      if (!member) return []
      const { there, state, options, settled } = member
      await settled
      const now = state()
      if (now.kind !== 'away') return (last = await there().roster.list())
      const { kind, since, why, nextTryAt } = now
      const seen = last.length > 0
      const away = (one: MachineView): MachineView => ({ ...one, state: { kind, since, seen, why, nextTryAt } })
      return seen ? last.map(away) : [away({ ...nobody, name: options.name, target: options.url })]
    },
    async ask(asked) {
      const { options, there } = joined()
      const [{ askEngine }, { ordersKeptMs }] = await Promise.all([import('./ask-engine.ts'), memberDeps.load()])
      return askEngine({ ...deps, hub: there().hub, fleet: options.name, keptMs: ordersKeptMs }, asked)
    },
    async lendLine(engine) {
      const { lines } = joined().there()
      if (fleetName.test(engine)) return lines.open(engine)
      throw new OnwardError('fleet-engine-unknown', `No engine of the fleet is called “${engine}”.`, { status: 404 })
    },
    async join(wanted) {
      const options = checked({ ...configured(), ...wanted })
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
