/** The page as it is for the engine of another machine: followed while a place is about that, asked for as this one. */
import { createStore } from 'zustand/vanilla'
import { rightsAt } from '../../shared/fleet.ts'
import type { EngineUpdate, SessionView } from '../../shared/state.ts'
import type { App } from '../app-context.ts'
import type { ActionDeps } from '../control/action-deps.ts'
import { createActions } from '../control/actions.ts'
import { batch } from '../control/batch.ts'
import { clientThere } from '../control/client-there.ts'
import { emptyEngine, reduceEngine, type EngineAction, type EngineState, type Link } from '../state/engine.ts'
import { loadAlarms, loadProviders } from '../state/load-shown.ts'
import { loadOpenedTimelines, loadTimeline } from '../state/load-timelines.ts'
import { atMachine, machineOf } from '../state/place.ts'

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

function farApp(machine: string, { here, client, after, ...deps }: FarAppsDeps): App {
  const engine = createStore<EngineState>(() => emptyEngine)
  const dispatch = (action: EngineAction) => engine.setState((state) => reduceEngine(state, action))
  const push = batch<EngineUpdate>(
    (updates) => dispatch({ type: 'updates', updates }),
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

  let following: { unsubscribe(): void } | null = null
  let resting = false
  let seeded: readonly SessionView[] = []
  const become = (link: Link) => {
    if (JSON.stringify(engine.getState().link) !== JSON.stringify(link)) dispatch({ type: 'link', link })
  }
  const end = () => {
    following?.unsubscribe()
    following = null
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
  const look = () => {
    const own = here.engine.getState()
    const view = own.machines.find(({ name }) => name === machine)
    // Until its engine has told of itself, what this one knows of it.
    if (view && engine.getState().snapshots === 0 && view.sessions !== seeded) {
      seeded = view.sessions
      const had = seeded.filter(({ id, terminalId }) => id !== terminalId)
      engine.setState({ sessions: new Map(had.map((session) => [session.id, session])) })
    }
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
    const shown = machineOf(here.ui.getState().place) === machine
    if (now === null || !shown) return end()
    if (following !== null || resting) return
    const mine: { unsubscribe(): void } = { unsubscribe: () => subscription.unsubscribe() }
    const subscription = now.follow.subscribe(undefined, {
      onData(update) {
        if (following === mine && update.type !== 'notice') push(update)
      },
      onError: () => ended(mine),
      onComplete: () => ended(mine),
    })
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
