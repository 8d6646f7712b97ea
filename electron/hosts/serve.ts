/** `onward serve`: the engine under plain Node, until a signal or another host ends it. */
import { pause, systemClock, type Clock } from '../engine/base/clock.ts'
import type { Disposable } from '../engine/base/disposable.ts'
import type { GivenSocket, HeldConnections } from '../engine/gateway/given-socket.ts'
import type { EngineHost } from '../engine/host.ts'
import { hasEnded, type EngineInfo } from '../engine/control/attach.ts'
import { systemProcesses } from '../engine/store/lock.ts'
import { OnwardError, systemCodeOf } from '../engine/base/errors.ts'

/** The parts of a started engine that serving needs. */
export interface ServedEngine {
  address: { host: string; port: number }
  /** `http://127.0.0.1:PORT/dashboard/~…/#token=…`, a new one each time and good for one window */
  dashboardLink(): string
  controlTokenFile: string
  /** before `dispose`: lets open answers run to their ends, for a while */
  finish(): Promise<void>
  dispose(): void | Promise<void>
}

export interface StartOptions {
  /** null: as the config says */
  port: number | null
  held?: HeldConnections | undefined
  given?: GivenSocket | undefined
  /** another host takes over: this one ends */
  onHandOver(): void
}

export interface ServeDeps {
  createHost(home: string): Promise<{ host: EngineHost; dispose(): Promise<void> }>
  startEngine(host: EngineHost, options: StartOptions): Promise<ServedEngine>
  findRunningEngine(home: string): Promise<EngineInfo | null>
  /** clients wait at the address of an engine that ends; null: it is not to be had */
  holdConnections?(at: EngineInfo): Promise<HeldConnections | null>
  /** a socket that the starter of this process listens on */
  given?: GivenSocket | null
  /** Has the giver of the socket listen there no more, unless it starts the next engine itself. */
  letGoOf?(given: GivenSocket, handsOver: boolean): Promise<void>
  /** has a crash of this process kept and reported; left out: it just ends */
  watchCrashes?(home: string): Promise<Disposable>
}

export interface ServeOptions {
  home: string
  port: number | null
  /** the system's service manager runs this process */
  service?: boolean
  /** ends the engine */
  signal: AbortSignal
  onReady(engine: ServedEngine): void
}

/** A clean end has this long; agents and their followups don't need it, everything acknowledged is on disk. */
export const endWithinMs = 1_800

/**
 * Resolves when the engine has ended. `false`: it did not end in time and was left.
 * @throws OnwardError `engine-running` (details.pid), `port-taken` (details.port), or what the engine says
 */
export async function serve(options: ServeOptions, deps: ServeDeps): Promise<boolean> {
  const other = await deps.findRunningEngine(options.home)
  const waits = other?.endsBy !== undefined && (options.port ?? other.port) === other.port
  const held = waits && !deps.given ? await deps.holdConnections?.(other) : null
  if (other && !(await endsInTime(other, options, deps))) {
    held?.dispose()
    throw engineRunning(options.home, other)
  }
  const watch = await deps.watchCrashes?.(options.home)
  const { host, dispose } = await deps.createHost(options.home)
  // the engine's own timers don't keep a process alive
  const stay = setInterval(() => undefined, 1 << 30)
  try {
    const handOver = new AbortController()
    const start = () =>
      deps.startEngine(
        { ...host, service: options.service ?? false },
        {
          port: options.port,
          held: held ?? undefined,
          given: deps.given ?? undefined,
          onHandOver: () => handOver.abort(),
        },
      )
    const engine = await onceFree(start, options, deps, host.clock).catch((error: unknown) => {
      held?.dispose()
      throw named(error, options)
    })
    options.onReady(engine)
    await aborted(options.signal, handOver.signal)
    if (deps.given) await deps.letGoOf?.(deps.given, handOver.signal.aborted)
    await engine.finish()
    return await within(host.clock, endWithinMs, Promise.resolve(engine.dispose()))
  } finally {
    await within(host.clock, endWithinMs, dispose())
    watch?.dispose()
    clearInterval(stay)
  }
}

/** It answers its last requests: its home is free in a moment. */
async function endsInTime(other: EngineInfo, { home, signal }: ServeOptions, deps: ServeDeps): Promise<boolean> {
  if (other.endsBy === undefined) return false
  const { alive } = systemProcesses()
  const watch = { clock: systemClock('awake'), alive, findRunning: () => deps.findRunningEngine(home) }
  return hasEnded(other.pid, endWithinMs * 2, watch, signal)
}

/** An engine that says nothing of itself any more still writes down what it has, and lets the home go then. */
async function onceFree(
  start: () => Promise<ServedEngine>,
  { home }: ServeOptions,
  { findRunningEngine }: ServeDeps,
  clock: Clock,
): Promise<ServedEngine> {
  for (const until = clock.now() + endWithinMs * 2; ; await pause(clock, 50)) {
    try {
      return await start()
    } catch (error) {
      const held = OnwardError.isInstance(error) && error.code === 'root-locked'
      if (!held || clock.now() >= until || (await findRunningEngine(home))) throw error
    }
  }
}

const engineRunning = (home: string, other: EngineInfo): OnwardError =>
  new OnwardError(
    'engine-running',
    `An engine already runs for ${home}: pid ${other.pid}, http://${other.host}:${other.port}.`,
    { details: { pid: other.pid, port: other.port } },
  )

/** A taken port shows up as a system error somewhere below. */
function named(error: unknown, options: ServeOptions): unknown {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (systemCodeOf(at) !== 'EADDRINUSE') continue
    const port = 'port' in at && typeof at.port === 'number' ? at.port : options.port
    return new OnwardError('port-taken', `Port ${port ?? ''} is taken by another program.`, {
      cause: error,
      details: { port },
    })
  }
  return error
}

function aborted(...signals: AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) {
      if (signal.aborted) return resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    }
  })
}

function within(clock: Clock, ms: number, work: Promise<void>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const late = clock.after(ms, () => resolve(false))
    work.then(() => {
      late.dispose()
      resolve(true)
    }, reject)
  })
}
