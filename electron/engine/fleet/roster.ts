/** Every other engine of the fleet with its sessions, followed from the first time that somebody asks. */
import { z } from 'zod'
import type { MachineView } from '../../../shared/machines.ts'
import type { FleetMember } from '../../../shared/fleet.ts'
import type { SessionView } from '../../../shared/state.ts'
import { sessionShapes } from '../../../shared/words.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import { pause, type Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { readAlive, type Alive } from './alive.ts'
import { everyKey, readKey, commandSubject, orderIn } from './subjects.ts'
import type { Entry, Hub } from './types.ts'
import { deviceRights, type DeviceRight } from '../../../shared/devices.ts'
import { OnwardError } from '../base/errors.ts'
import { aliveMs } from './publish.ts'

export interface Roster extends Disposable {
  /** Begins with it, where nobody did. Resolves when all that the hub has is known. @throws `fleet-…` */
  watch(): Promise<void>
  /** null: not all is known yet */
  now(): readonly MachineView[] | null
  /** asks at once whether this one is there, and what waits for it */
  doubt(engine: string): void
}

export interface RosterDeps {
  hub: Pick<Hub, 'watch' | 'ask' | 'waiting'>
  fleet: string
  /** this one, which is no other */
  engine: string
  /** names the hub and the fleet for a person */
  target: string
  clock: Clock
  onChange(): void
}

const caughtUpWithinMs = 10_000
const lookMs = 5_000

/** Another engine wrote it: what lists and sentences need has to be there. */
const summary = z.looseObject({
  id: z.string(),
  name: z.string(),
  shape: z.enum(sessionShapes),
  say: z.looseObject({ code: z.string() }),
  queue: z.array(z.unknown()),
  lastActivityAt: z.number(),
})

export function createRoster({ hub, fleet, engine, target, clock, onChange }: RosterDeps): Roster {
  const members = new Map<string, KnownEngine>()
  const over = new AbortController()
  /** how far this machine's clock is ahead of the hub's, at most: this engine's own beats show it */
  let ahead = Infinity
  let watching: Promise<Disposable> | null = null
  let caughtUp = false
  let waiting: Promise<void> = Promise.resolve()
  let timer: Disposable | null = null

  const take = ({ key, text, at }: Entry) => {
    const read = readKey(key)
    if (read === null) return
    ahead = Math.min(ahead, clock.now() - at)
    const member = members.get(read.engine) ?? nothingKnown()
    members.set(read.engine, member)
    member.heardAt = Math.max(member.heardAt, at)
    if (read.kind === 'session') {
      if (text === null) member.sessions.delete(read.session)
      else member.sessions.set(read.session, text)
    } else {
      member.alive = readAlive(text)
      member.missed = false
    }
    if (caughtUp) onChange()
  }
  const heard = ({ heardAt, answeredAt }: KnownEngine) => Math.max(heardAt + ahead, answeredAt)
  const isThere = (member: KnownEngine): boolean =>
    member.alive !== null && !member.alive.ended && !member.missed && clock.now() - heard(member) < awayAfterMs
  const others = () => [...members].filter(([name, { alive: known }]) => name !== engine && known !== null)
  const look = async (doubted?: string) => {
    await lookAround({ hub, fleet, clock, heard, isThere }, others(), doubted)
    if (!over.signal.aborted) onChange()
  }
  const looks = async (): Promise<void> => {
    await look()
    if (!over.signal.aborted) timer = clock.after(lookMs, () => void looks())
  }
  const viewOf = (name: string, member: KnownEngine): MachineView => {
    const { alive: known, sessions, refused, waits } = member
    const there = isThere(member)
    const why = {
      code: 'fleet-engine-away',
      message: `${name} ${known?.ended ? 'was ended' : 'is not connected to the hub'}.`,
    }
    return {
      name,
      target,
      state:
        known && there
          ? { kind: 'there', since: known.since, version: known.version }
          : { kind: 'away', since: heard(member), seen: true, why, nextTryAt: null },
      fleet: {
        name: fleet,
        ...(known?.rights && { rights: known.rights }),
        ...(refused && refused.length > 0 && { refused }),
        ...(!there && waits && { waits }),
      },
      sessions: [...sessions].flatMap(([id, kept]) => {
        const view = typeof kept === 'string' ? sessionIn(kept, id) : kept
        sessions.set(id, view)
        return view ?? []
      }),
    }
  }
  return {
    async watch() {
      if (watching === null) {
        let done: () => void = () => undefined
        waiting = new Promise((resolve) => {
          done = resolve
        })
        watching = hub.watch(everyKey, take, () => {
          caughtUp = true
          done()
          onChange()
          void looks()
        })
        watching.catch(() => {
          watching = null
        })
      }
      await watching
      const enough = new AbortController()
      await Promise.race([waiting, pause(clock, caughtUpWithinMs, enough.signal)])
      enough.abort()
    },
    now: () =>
      caughtUp
        ? others()
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, member]) => viewOf(name, member))
        : null,
    doubt: (name) => void (caughtUp && look(name)),
    dispose() {
      over.abort()
      timer?.dispose()
      void watching?.then(
        (watch) => watch.dispose(),
        () => undefined,
      )
    },
  }
}

const sessionIn = (text: string, id: string): SessionView | null => {
  const read = summary.safeParse(parseJson(text))
  return read.success && read.data.id === id ? (read.data as unknown as SessionView) : null
}

const awayAfterMs = 3 * aliveMs
/** one that was not heard of for so long is asked */
const doubtAfterMs = aliveMs + 3_000
/** engines whose rights at the hub are found out in one look */
const mostAtOnce = 16
/** no operation: whoever hears of it refuses it, and has heard of it */
const probe = 'rights'

interface KnownEngine {
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

const nothingKnown = (): KnownEngine => ({
  alive: null,
  heardAt: 0,
  answeredAt: 0,
  missed: false,
  refused: null,
  waits: undefined,
  sessions: new Map(),
})

type Named = readonly [name: string, member: KnownEngine]

interface LookDeps {
  hub: Pick<Hub, 'ask' | 'waiting'>
  fleet: string
  clock: Pick<Clock, 'now'>
  heard(member: KnownEngine): number
  isThere(member: KnownEngine): boolean
}

/**
 * Finds out what the hub does not tell by itself of the other engines, and writes it down: who is gone, what waits for
 * them, what may be asked. One that was killed says no goodbye: the hub knows that nobody listens long before it is
 * overdue. Never rejects.
 * @param doubted is asked in any case
 */
async function lookAround(deps: LookDeps, others: readonly Named[], doubted?: string): Promise<void> {
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
