/** The engines of the fleet as machines: in the same lists, asked by the same calls. */
import { type FleetAnswer, rightsAt } from '../../../shared/fleet.ts'
import type { MachineUpdate, MachineView } from '../../../shared/machines.ts'
import type { Input } from '../../../shared/operations/index.ts'
import type { MachineState, FollowedSubject, SessionView } from '../../../shared/state.ts'
import { type Clock, pause } from '../base/clock.ts'
import { OnwardError, problemOf } from '../base/errors.ts'
import type { MachineSource } from '../machine-source.ts'
import type { Member } from './member.ts'

export interface FleetMachines extends MachineSource {
  serve(fleet: { joined(): Member | null; ask(asked: Input<'askFleet'>): Promise<FleetAnswer> }): void
  /** something is otherwise: the hub, an engine, or which fleet is joined */
  changed(): void
}

/** Changes that are closer together are told as one. */
const togetherMs = 100
export function fleetMachines(clock: Clock): FleetMachines {
  const listeners = new Set<Parameters<MachineSource['watch']>[0]>()
  let fleet: Parameters<FleetMachines['serve']>[0] | null = null
  /** somebody looks at them: nothing is asked of the hub before */
  let wanted = false
  let isWaiting = false
  /** why the hub does not tell of the others; null: it does */
  let refusal: { at: number; code: string; message: string } | null = null
  let last: readonly MachineView[] = []
  let told: readonly MachineView[] = []

  const now = (): readonly MachineView[] => {
    const member = fleet?.joined() ?? null
    if (member === null) return (last = [])
    const { name, url } = member.options
    /** stands for engines of which nothing is known */
    const nobody = (state: MachineState): MachineView[] => [{ name, target: url, state, fleet: { name }, sessions: [] }]
    const state = member.state()
    if (state.kind === 'connecting') return last
    if (state.kind === 'there') {
      if (refusal !== null) {
        const { at, code, message } = refusal
        return nobody({ kind: 'away', since: at, seen: false, why: { code, message }, nextTryAt: null })
      }
      return (last = member.there().roster.now() ?? last)
    }
    const { since, why, nextTryAt } = state
    if (last.length === 0) return nobody({ kind: 'away', since, seen: false, why, nextTryAt })
    return last.map((one) => {
      const known = one.state.kind === 'away' ? one.state.since : since
      return { ...one, state: { kind: 'away', since: known, seen: true, why, nextTryAt } }
    })
  }
  const tell = () => {
    isWaiting = false
    const next = now()
    for (const update of changesOf(told, next)) for (const listener of listeners) listener(update)
    told = next
  }
  const soon = () => {
    if (isWaiting || listeners.size === 0) return
    isWaiting = true
    clock.after(togetherMs, tell)
  }
  const begin = async () => {
    const member = fleet?.joined() ?? null
    if (!wanted || member?.state().kind !== 'there') return
    try {
      await member.there().roster.watch()
      refusal = null
    } catch (error) {
      refusal = { at: clock.now(), ...problemOf(error, 'fleet-hub-away') }
    }
  }
  const call: MachineSource['call'] = async ({ machine, operation, input }) => {
    if (fleet === null) throw new OnwardError('fleet-none', 'No fleet is joined here.', { status: 409 })
    const asked = await fleet.ask({ engine: machine, operation, input })
    return asked.kind === 'answered' ? asked.answer : asked
  }
  const watch: MachineSource['watch'] = (listener) => {
    listeners.add(listener)
    return { dispose: () => void listeners.delete(listener) }
  }
  return {
    now,
    watch,
    call,
    look: begin,
    async list() {
      wanted = true
      await fleet?.joined()?.settled
      await begin()
      return now()
    },
    async *follow({ machine, operation, input }, signal) {
      // the hub carries calls
      if (operation !== 'follow' && operation !== 'followSubject')
        throw new OnwardError(
          'fleet-no-stream',
          `The hub carries no ${operation}. Reach ${machine} over ssh for that.`,
          { status: 409 },
        )
      const view = () => now().find(({ name }) => name === machine)
      const ask = (asked: string) => call({ machine, operation: asked, kind: 'query', input: undefined })
      const subject = operation === 'follow' ? undefined : (input as Input<'followSubject'>)
      yield* followEngine({ name: machine, view, ask, watch, clock, subject }, signal)
    },
    serve(given) {
      fleet = given
    },
    changed() {
      void begin().then(soon)
    },
    dispose: () => listeners.clear(),
  }
}

function* changesOf(before: readonly MachineView[], after: readonly MachineView[]): Iterable<MachineUpdate> {
  const old = new Map(before.map((view) => [view.name, view]))
  for (const { sessions, ...machine } of after) {
    const { sessions: there = [], ...known } = old.get(machine.name) ?? {}
    old.delete(machine.name)
    if (JSON.stringify(known) !== JSON.stringify(machine)) yield { type: 'machine', machine }
    const gone = new Map(there.map((session) => [session.id, session]))
    for (const session of sessions) {
      if (gone.get(session.id) !== session) yield { type: 'machine-session', machine: machine.name, session }
      gone.delete(session.id)
    }
    for (const id of gone.keys()) yield { type: 'machine-session-removed', machine: machine.name, id }
  }
  for (const machine of old.keys()) yield { type: 'machine-removed', machine }
}

interface FollowEngineDeps {
  name: string
  /** undefined: it is in the fleet no more */
  view(): MachineView | undefined
  /** @throws as that engine refuses it */
  ask(operation: string): Promise<unknown>
  watch: MachineSource['watch']
  clock: Clock
  /** that alone is followed, without sessions; absent: everything */
  subject?: FollowedSubject | undefined
}

/** between two questions, while something happens there, and while nothing does */
const askMs = 2_000
const askIdleMs = 10_000

const partsOf: Readonly<Record<FollowedSubject | 'all', readonly string[]>> = {
  all: ['status', 'terminals', 'alarms', 'providers', 'routing'],
  alarms: ['status', 'alarms'],
  providers: ['status', 'providers', 'routing'],
  // a page asks for turns by itself, after each snapshot
  turn: ['status'],
}

/**
 * Follows an engine that can only be asked: its sessions come from the hub as they change, the rest with a new snapshot
 * where it is another one.
 */
async function* followEngine(
  { name, view, ask, watch, clock, subject }: FollowEngineDeps,
  signal: AbortSignal,
): AsyncIterable<unknown> {
  const parts = partsOf[subject ?? 'all']
  let known: ReadonlyMap<string, SessionView> = new Map()
  let before = ''
  /** it had a turn, perhaps, after it was asked */
  let unsaid = false
  let askedAt = -Infinity
  let wake = new AbortController()
  const watched = watch((update) => {
    if ((typeof update.machine === 'string' ? update.machine : update.machine.name) === name) wake.abort()
  })
  try {
    while (!signal.aborted) {
      const now = view()
      const sessions = new Map(now?.sessions.map((session) => [session.id, session]))
      const fresh = [...sessions.values()].filter((session) => known.get(session.id) !== session)
      const gone = [...known.keys()].filter((id) => !sessions.has(id))
      const isBusy = fresh.length + gone.length > 0
      unsaid ||= isBusy && subject === 'turn'
      if (clock.now() - askedAt >= askMs) {
        const told = await Promise.all(parts.map(async (part) => [part, await ask(part)] as const))
        askedAt = clock.now()
        const rights = now?.fleet && rightsAt(now.fleet)
        const all = { terminals: [], ...Object.fromEntries(told), rights }
        const text = JSON.stringify(all)
        const shown = subject === undefined ? [...sessions.values()] : []
        if (text !== before || unsaid || (isBusy && subject === undefined))
          yield { type: 'snapshot', ...all, sessions: shown }
        before = text
        unsaid = false
      } else if (subject === undefined) {
        for (const session of fresh) yield { type: 'session', session }
        for (const id of gone) yield { type: 'session-removed', id }
      }
      known = sessions
      await pause(clock, isBusy ? askMs : askIdleMs, AbortSignal.any([signal, wake.signal]))
      wake = new AbortController()
    }
  } finally {
    watched.dispose()
  }
}
