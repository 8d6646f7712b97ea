import type { EventBody, RecordEvent } from '../../../../shared/events.ts'
import type { Scope } from '../../../../shared/words.ts'
import { pino } from 'pino'
import type { Log } from '../../base/log.ts'
import { createBench, silentListener, type Bench, type BenchOptions } from '../../terminals/outbox/testing/bench.ts'
import { createAlarms } from '../alarms.ts'
import { type AlarmNotice } from '../deps.ts'
import type { Task } from '../model/task.ts'
import type { Alarms } from '../model/types.ts'
import { ledgerFiles } from './ledger-files.ts'

/** An engine's alarms over one disk and its terminals: what a test drives as the pipeline, people and time would. */
export interface World extends Omit<Bench, 'begin' | 'kill'> {
  alarms: Alarms
  notices: { notice: AlarmNotice; taskIds: readonly string[] }[]
  /** terminals of sessions; a session that is not here has none */
  places: Map<string, Scope>
  paused: Set<string>
  rules: {
    dueWindowMs: number
    retentionMs: number
    tickMs: number
    hold: { until: 'window' | 'due' }
    holdMaxMs: number
  }
  /** alarm events of the session, as they were recorded */
  told(session?: string): EventBody[]
  /** texts typed into the session's terminal */
  typed(session: string): string[]
  set(session: string, inMs: number, task?: string): Promise<Task>
  /** a request of the session begins, so that its terminal shows it; `text` is its last user message */
  begin(session: string, text?: string): Promise<string>
  end(requestId: string, session: string): Promise<void>
  /** the process dies; what was on disk stays */
  kill(): Promise<World>
}

export interface WorldOptions extends BenchOptions {
  places?: Map<string, Scope>
  rules?: Partial<World['rules']>
  shift?: () => number
  log?: Log
}

const root = '/root-of-sessions'
const ours = (body: EventBody): boolean => /^(alarm-|hold-|engine-problem|store-problem)/.test(body.type)

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const bench = createBench({ targets: new Map(), ...options })
  const places = options.places ?? new Map<string, Scope>()
  const rules: World['rules'] = {
    dueWindowMs: 60_000,
    retentionMs: 1_200_000,
    tickMs: 60_000,
    hold: { until: 'due' },
    holdMaxMs: 60_000,
    ...options.rules,
  }
  const notices: World['notices'] = []
  const paused = new Set<string>()
  const all: { session: string | null; body: EventBody }[] = []
  const record: RecordEvent = (where, body) => {
    all.push({ session: where.sessionId ?? null, body })
  }
  const clock = options.shift
    ? { ...bench.clock, now: () => bench.clock.now() + (options.shift?.() ?? 0) }
    : bench.clock
  const alarms = createAlarms({
    store: bench.store,
    files: ledgerFiles(bench.disk, bench.store, root),
    root,
    outboxes: bench.outboxes,
    clock,
    random: bench.deps.random,
    log: options.log ?? pino({ level: 'silent' }),
    record,
    config: () => rules,
    zone: () => 'UTC',
    scopeOf: (sessionId) => places.get(sessionId) ?? null,
    alive: (scope) => [...places.values()].includes(scope),
    paused: (sessionId) => paused.has(sessionId),
    notify: (_, notice, taskIds) => {
      notices.push({ notice, taskIds })
    },
    onChange: () => {},
  })
  bench.outboxes.use((scope) => ({ ...silentListener, ...alarms.listenerOf(scope) }))
  await bench.outboxes.load()
  await alarms.load()
  await bench.outboxes.start()
  alarms.start()
  await bench.clock.advance(0)

  const scopeOf = (session: string): Scope => places.get(session) ?? `tmux:${session}`
  return {
    ...bench,
    alarms,
    notices,
    places,
    paused,
    rules,
    told: (session) =>
      all.flatMap(({ session: s, body }) => (ours(body) && (session === undefined || s === session) ? [body] : [])),
    typed: (session) => bench.target(scopeOf(session)).typed.map((order) => order.text),
    async set(session, inMs, task = 'look at it') {
      const [one] = await alarms.schedule(session, [{ dueAtMs: clock.now() + inMs, task }], {
        by: 'user',
        requestId: null,
      })
      if (!one) throw new Error('nothing was set')
      return one
    },
    async begin(session, text = 'do it') {
      const scope = scopeOf(session)
      bench.target(scope)
      return bench.begin(text, { scope, sessionId: session })
    },
    async end(requestId, session) {
      ;(await bench.outboxes.of(scopeOf(session))).requestEnded(requestId)
    },
    async kill() {
      const left = bench.kill()
      alarms.dispose()
      return openWorld({ ...options, ...left, places })
    },
  }
}
