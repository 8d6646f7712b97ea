/** Every other engine of the fleet with its sessions, followed from the first time that somebody asks. */
import { z } from 'zod'
import type { MachineView } from '../../../shared/machines.ts'
import type { SessionView } from '../../../shared/state.ts'
import { sessionShapes } from '../../../shared/words.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import { pause, type Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { readAlive, type Alive } from './alive.ts'
import { aliveMs } from './publish.ts'
import { everyKey, readKey } from './subjects.ts'
import type { Entry, Hub } from './types.ts'

export interface Roster extends Disposable {
  list(): Promise<readonly MachineView[]>
}

export interface RosterDeps {
  hub: Pick<Hub, 'watch'>
  /** this one, which is no other */
  engine: string
  /** names the hub and the fleet for a person */
  target: string
  clock: Clock
}

const awayAfterMs = 3 * aliveMs
const caughtUpWithinMs = 10_000

/** Another engine wrote it: what lists and sentences need has to be there. */
const summary = z.looseObject({
  id: z.string(),
  name: z.string(),
  shape: z.enum(sessionShapes),
  say: z.looseObject({ code: z.string() }),
  queue: z.array(z.unknown()),
  lastActivityAt: z.number(),
})

interface Member {
  /** null: it left */
  alive: Alive | null
  /** when the hub last heard of it, by the hub's clock */
  heardAt: number
  sessions: Map<string, string | SessionView | null>
}

export function createRoster({ hub, engine, target, clock }: RosterDeps): Roster {
  const members = new Map<string, Member>()
  /** how far this machine's clock is ahead of the hub's, at most: this engine's own beats show it */
  let ahead = Infinity
  let watching: Promise<Disposable> | null = null
  let caughtUp: Promise<void> = Promise.resolve()

  const take = ({ key, text, at }: Entry) => {
    const read = readKey(key)
    if (read === null) return
    ahead = Math.min(ahead, clock.now() - at)
    const member = members.get(read.engine) ?? { alive: null, heardAt: 0, sessions: new Map() }
    members.set(read.engine, member)
    if (read.kind === 'session') {
      if (text === null) member.sessions.delete(read.session)
      else member.sessions.set(read.session, text)
      return
    }
    member.alive = readAlive(text)
    member.heardAt = at
  }
  const viewOf = (name: string, { alive: known, heardAt, sessions }: Member): MachineView => {
    const heard = heardAt + ahead
    const isThere = known !== null && !known.ended && clock.now() - heard < awayAfterMs
    const why = {
      code: 'fleet-engine-away',
      message: `${name} ${known?.ended ? 'was ended' : 'is not connected to the hub'}.`,
    }
    return {
      name,
      target,
      state: isThere
        ? { kind: 'there', since: known.since, version: known.version }
        : { kind: 'away', since: heard, seen: true, why, nextTryAt: clock.now() },
      sessions: [...sessions].flatMap(([id, kept]) => {
        const view = typeof kept === 'string' ? sessionIn(kept, id) : kept
        sessions.set(id, view)
        return view ?? []
      }),
    }
  }
  return {
    async list() {
      if (watching === null) {
        let done: () => void = () => undefined
        caughtUp = new Promise((resolve) => {
          done = resolve
        })
        watching = hub.watch(everyKey, take, () => done())
        watching.catch(() => {
          watching = null
        })
      }
      await watching
      const enough = new AbortController()
      await Promise.race([caughtUp, pause(clock, caughtUpWithinMs, enough.signal)])
      enough.abort()
      return [...members]
        .filter(([name, { alive: known }]) => name !== engine && known !== null)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, member]) => viewOf(name, member))
    },
    dispose: () =>
      void watching?.then(
        (watch) => watch.dispose(),
        () => undefined,
      ),
  }
}

const sessionIn = (text: string, id: string): SessionView | null => {
  const read = summary.safeParse(parseJson(text))
  return read.success && read.data.id === id ? (read.data as unknown as SessionView) : null
}
