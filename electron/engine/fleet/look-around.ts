/** What the hub does not tell by itself of the other engines: who is gone, what waits for them, what may be asked. */
import { deviceRights, type DeviceRight } from '../../../shared/devices.ts'
import type { FleetMember } from '../../../shared/fleet.ts'
import type { SessionView } from '../../../shared/state.ts'
import type { Clock } from '../base/clock.ts'
import { OnwardError } from '../base/errors.ts'
import type { Alive } from './alive.ts'
import { aliveMs } from './publish.ts'
import { commandSubject, orderIn } from './subjects.ts'
import type { Hub } from './types.ts'

export const awayAfterMs = 3 * aliveMs
/** one that was not heard of for so long is asked */
const doubtAfterMs = aliveMs + 3_000
/** engines whose rights at the hub are found out in one look */
const mostAtOnce = 16
/** no operation: whoever hears of it refuses it, and has heard of it */
const probe = 'rights'

export interface KnownEngine {
  /** null: it left */
  alive: Alive | null
  /** when the hub last heard of it, by the hub's clock */
  heardAt: number
  /** when it last answered, by this clock */
  answeredAt: number
  /** the hub said that nobody listens there, after it was heard of */
  missed: boolean
  /** what the hub does not let this engine ask of it; null: not tried yet */
  refused: readonly DeviceRight[] | null
  waits: FleetMember['waits']
  sessions: Map<string, string | SessionView | null>
}

export const nothingKnown = (): KnownEngine => ({
  alive: null,
  heardAt: 0,
  answeredAt: 0,
  missed: false,
  refused: null,
  waits: undefined,
  sessions: new Map(),
})

type Named = readonly [name: string, member: KnownEngine]

export interface LookDeps {
  hub: Pick<Hub, 'ask' | 'waiting'>
  fleet: string
  clock: Pick<Clock, 'now'>
  heard(member: KnownEngine): number
  isThere(member: KnownEngine): boolean
}

/**
 * Writes down what it finds. One that was killed says no goodbye: the hub knows that nobody listens long before it is
 * overdue. Never rejects.
 * @param doubted is asked in any case
 */
export async function lookAround(deps: LookDeps, others: readonly Named[], doubted?: string): Promise<void> {
  const { clock, heard } = deps
  const doubtful = others.filter(([name, member]) => {
    const age = clock.now() - heard(member)
    const overdue = !member.alive?.ended && age < awayAfterMs && (member.missed || age > doubtAfterMs)
    return name === doubted || overdue
  })
  const unknown = others.filter(([, { refused }]) => refused === null).slice(0, mostAtOnce)
  await Promise.all([
    ...doubtful.map(async ([name, member]) => {
      const said = await ask(deps, name, 'look')
      if (said === 'answered') Object.assign(member, { answeredAt: clock.now(), missed: false })
      if (said === 'fleet-engine-away') member.missed = true
    }),
    ...unknown.map(async ([name, member]) => {
      const said = await Promise.all(deviceRights.map(async (right) => [right, await ask(deps, name, right)] as const))
      member.refused = said.flatMap(([right, why]) => (why === 'fleet-not-allowed' ? [right] : []))
    }),
  ])
  // a hub that does not say it now is asked again
  await count(deps, others).catch(() => undefined)
}

const ask = ({ hub, fleet }: LookDeps, name: string, right: DeviceRight): Promise<string> =>
  hub.ask(commandSubject(fleet, name, right, probe), 'null').then(
    () => 'answered',
    (error: unknown) => (OnwardError.isInstance(error) ? error.code : 'unknown'),
  )

async function count({ hub, isThere }: LookDeps, others: readonly Named[]): Promise<void> {
  const away = others.filter(([, member]) => !isThere(member))
  if (away.length === 0) return
  const kept = Object.entries(await hub.waiting())
  for (const [name, member] of away) {
    const waits = { messages: 0, alarms: 0 }
    for (const [subject, n] of kept) {
      const order = orderIn(subject)
      if (order?.engine === name) waits[order.operation === 'addAlarm' ? 'alarms' : 'messages'] += n
    }
    member.waits = waits
  }
}
