/** The page as it is for the engine of another machine: followed while a place is about that, asked for as this one. */
import { createStore } from 'zustand/vanilla'
import { rightsAt, waitsAtHub, type FleetAnswer } from '../../shared/fleet.ts'
import type { EngineUpdate, FollowedSubject } from '../../shared/state.ts'
import type { App } from '../app-context.ts'
import type { ActionDeps } from '../control/action-deps.ts'
import { createActions } from '../control/actions.ts'
import { batch } from '../control/batch.ts'
import { emptyEngine, reduceEngine, type EngineAction, type EngineState, type Link } from '../state/engine.ts'
import { loadAlarms, loadProviders } from '../state/load-shown.ts'
import { loadOpenedTimelines, loadTimeline } from '../state/load-timelines.ts'
import { atMachine, isOfAll, machineOf, type Place } from '../state/place.ts'
import type { ControlClient } from '../control/socket.ts'

export interface FarAppsDeps extends Pick<ActionDeps, 'client' | 'toasts' | 'words' | 'clipboard'> {
  here: App
  /** runs once after `ms` */
  after(ms: number, run: () => void): void
}

/** between the end of what is followed and the next try, while the machine is there all the time */
const againMs = 2_000
/** of updates that come close together */
const batchMs = 32

/** The page with its own engine, and with those of other machines. */
export function withMachines(
  page: Omit<App, 'machine' | 'here' | 'there'>,
  deps: Omit<FarAppsDeps, 'here' | 'after'>,
): App {
  const app: App = {
    ...page,
    machine: null,
    get here() {
      return app
    },
    there: (machine) => far(machine),
  }
  const far = farApps({ ...deps, here: app, after: (ms, run) => void setTimeout(run, ms) })
  return app
}

/** @returns the one for a machine, made when it is first asked for */
export function farApps(deps: FarAppsDeps): (machine: string) => App {
  const made = new Map<string, App>()
  return (machine) => {
    const known = made.get(machine)
    if (known) return known
    const app = farApp(machine, deps)
    made.set(machine, app)
    return app
  }
}

/** What is shown of an engine, and so asked of it: nothing more than that. */
type Wanted = 'all' | FollowedSubject

interface Following {
  wanted: Wanted
  unsubscribe(): void
}

function wantedAt(place: Place, machine: string): Wanted | null {
  if (machineOf(place) === machine) return 'all'
  if (!isOfAll(place)) return null
  return place.view === 'activity' ? 'turn' : place.view
}

function farApp(machine: string, { here, client, after, ...deps }: FarAppsDeps): App {
  const engine = createStore<EngineState>(() => emptyEngine)
  const dispatch = (action: EngineAction) => engine.setState((state) => reduceEngine(state, action))
  const push = batch<EngineUpdate>(
    (updates) => {
      dispatch({ type: 'updates', updates })
      seeded = null
      seed()
    },
    (run) => after(batchMs, run),
  )
  const there = () => {
    const now = client()
    return (
      now &&
      clientThere(now, machine, (until) => {
        const { w, f } = deps.words()
        deps.toasts.info(w.machines.kept(machine, f.minuteOfDay(until, here.clock.now())))
      })
    )
  }
  const actions = createActions({
    ...deps,
    client: there,
    now: () => here.clock.now() + (engine.getState().status?.timeSync?.offsetMs ?? 0),
    onRouting: (routing) => dispatch({ type: 'routing', routing }),
    onServertools: (servertools) => dispatch({ type: 'servertools', servertools }),
    onChecks: (session, checks) => dispatch({ type: 'checks', session, checks }),
  })

  let following: Following | null = null
  let resting = false
  let seeded: unknown = null
  const become = (link: Link) => {
    if (JSON.stringify(engine.getState().link) !== JSON.stringify(link)) dispatch({ type: 'link', link })
  }
  const end = () => {
    following?.unsubscribe()
    following = null
    seed()
  }
  const ended = (mine: object) => {
    if (following !== mine) return
    end()
    // What ended it may not be known here yet.
    resting = true
    after(againMs, () => {
      resting = false
      look()
    })
    look()
  }
  // A terminal without a turn is none of its sessions yet.
  const ofMachine = () =>
    (here.engine.getState().machines.find(({ name }) => name === machine)?.sessions ?? []).filter(
      ({ id, terminalId }) => id !== terminalId,
    )
  /** unless its engine tells of them itself, what this one knows of its sessions */
  const seed = () => {
    const known = here.engine.getState().machines.find(({ name }) => name === machine)?.sessions
    if (known === undefined || following?.wanted === 'all' || known === seeded) return
    seeded = known
    engine.setState({ sessions: new Map(ofMachine().map((session) => [session.id, session])) })
  }
  const look = () => {
    const own = here.engine.getState()
    seed()
    const view = own.machines.find(({ name }) => name === machine)
    const state = view?.state
    const now = own.link.kind === 'live' && state?.kind === 'there' ? there() : null
    const rights = view?.fleet && rightsAt(view.fleet)
    if (rights && JSON.stringify(rights) !== JSON.stringify(engine.getState().rights))
      dispatch({ type: 'updates', updates: [{ type: 'rights', rights }] })
    if (state?.kind === 'away') {
      const { since: at, nextTryAt, why } = state
      const kept = why.code === 'fleet-engine-away' && { kept: true as const }
      become({ kind: 'stopped', at, retryAt: nextTryAt ?? at, ...kept })
    } else if (own.link.kind !== 'live') become(own.link)
    // It can be asked, whether it is followed or not.
    else if (now !== null) become({ kind: 'live' })
    const wanted = wantedAt(here.ui.getState().place, machine)
    if (following && (now === null || following.wanted !== wanted)) end()
    if (now === null || wanted === null || following !== null || resting) return
    const mine: Following = { wanted, unsubscribe: () => subscription.unsubscribe() }
    const handlers = {
      onData(update: EngineUpdate) {
        if (following !== mine || update.type === 'notice') return
        push(update.type === 'snapshot' && wanted !== 'all' ? { ...update, sessions: ofMachine() } : update)
      },
      onError: () => ended(mine),
      onComplete: () => ended(mine),
    }
    const subscription =
      wanted === 'all' ? now.follow.subscribe(undefined, handlers) : now.followSubject.subscribe(wanted, handlers)
    following = mine
  }
  here.engine.subscribe(look)
  here.ui.subscribe(look)
  look()
  loadOpenedTimelines(engine, here.ui, dispatch, actions.ask, machine)
  return {
    ...here,
    engine,
    actions,
    machine,
    navigation: {
      ...here.navigation,
      go: (place) => here.navigation.go(atMachine(place, machine)),
      replace: (place, shown) => here.navigation.replace(atMachine(place, machine), shown),
    },
    loadProviders: () => loadProviders(dispatch, actions.ask),
    loadAlarms: () => loadAlarms(dispatch, actions.ask),
    loadTimeline: (id, beforeSeq) => loadTimeline(id, dispatch, actions.ask, beforeSeq),
  }
}

/**
 * Asks the engine of another machine what a client asks its own: each operation goes there by its name.
 * @param onKept the hub of a fleet keeps it, until then
 */
const clientThere = (client: ControlClient, machine: string, onKept: (until: number) => void): ControlClient =>
  new Proxy({} as ControlClient, {
    get(_, operation) {
      if (typeof operation !== 'string' || operation === 'then') return undefined
      const call = async (input: unknown) => {
        const answer = await client.callThere.mutate({ machine, operation, input })
        if (waitsAtHub(operation) && isKept(answer)) onKept(answer.until)
        return answer
      }
      type Handlers = Parameters<typeof client.followThere.subscribe>[1]
      return {
        query: call,
        mutate: call,
        subscribe: (input: unknown, handlers: Handlers) =>
          client.followThere.subscribe({ machine, operation, input }, handlers),
      }
    },
  })

const isKept = (answer: unknown): answer is Extract<FleetAnswer, { kind: 'waits' }> =>
  typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'waits'
