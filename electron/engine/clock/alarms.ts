import { posix } from 'node:path'
import type { RecordEvent } from '../../../shared/events.ts'
import type { NoticeFact } from '../../../shared/sentences/types.ts'
import type { Config } from '../../../shared/config/schema.ts'
import type { Scope } from '../../../shared/words.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import type { Random } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { inBatches } from '../store/in-batches.ts'
import type { Files, Store } from '../store/types.ts'
import type { Outboxes } from '../terminals/outbox/outboxes.ts'
import { createAlarmStore } from './store/alarm-store.ts'
import { clockFolder } from './store/clock-file.ts'
import { createSessionSummaries } from './schedule/session-summaries.ts'
import { createHistory, parsePast } from './store/history.ts'
import { createDueIndex } from './schedule/due-index.ts'
import { ledgerFile } from './store/ledger-file.ts'
import { createLists } from './commands/lists.ts'
import { createAlarmListener } from './deliver/listen.ts'
import { waitsForRoute } from './deliver/deliver-due.ts'
import { createDeliveries } from './schedule/deliveries.ts'
import { newlyMissed } from './store/missed-groups.ts'
import { createMissedLedger, parseMissedLine } from './store/missed-ledger.ts'
import { createAlarmEvents } from './alarm-events.ts'
import { asMissed, createAlarmService } from './alarm-service.ts'
import { createAlarmCommands } from './commands/alarm-commands.ts'
import { createReservations } from './deliver/reservations.ts'
import { createRingTimer } from './schedule/ring-timer.ts'
import { settleCrash } from './deliver/settle.ts'
import { createToTerminal } from './deliver/to-terminal.ts'
import type { Alarms } from './model/types.ts'

type Nameless<T> = T extends { name: string } ? Omit<T, 'name'> : T
export type AlarmNotice = Nameless<Extract<NoticeFact, { class: 'alarm-due' | 'alarm-missed' }>>

export interface AlarmsDeps {
  store: Store
  /** for the ledgers, whose lines are added one by one */
  files: Files
  /** the folder of the store, absolute */
  root: string
  outboxes: Outboxes
  /** corrected by the time sync */
  clock: Clock
  random: Random
  log: Log
  record: RecordEvent
  config(): Pick<Config['clock'], 'dueWindowMs' | 'retentionMs' | 'tickMs' | 'holdMaxMs'>
  /** IANA name */
  zone(): string
  /** where the session's agent can be typed to now; null: nowhere */
  scopeOf(sessionId: string): Scope | null
  /** the scope has a living terminal */
  alive(scope: Scope): boolean
  /** nothing of the session may be held open or typed now */
  paused(sessionId: string): boolean
  notify(
    where: { sessionId: string | null; scope: Scope | null },
    notice: AlarmNotice,
    taskIds: readonly string[],
  ): void
  /** what viewers show of alarms changed; null: not of one session alone */
  onChange(sessionId: string | null): void
}

/** how long after a refusal of the disk it is tried again, milliseconds */
const writeAgainMs = 5_000

/** Alarms of all sessions: kept, rung at their time, and brought to their session by exactly one route. */
export function createAlarms(deps: AlarmsDeps): Alarms {
  const { clock, record, store, log } = deps
  const pathOf = (name: string) => posix.join(deps.root, clockFolder, name)
  const unreadable = (file: string, error: unknown) =>
    record(
      {},
      {
        type: 'store-problem',
        file,
        code: OnwardError.isInstance(error) ? error.code : 'store-failed',
        message: messageOf(error),
      },
    )
  const missed = createMissedLedger(
    ledgerFile(deps.files, pathOf('missed.jsonl'), parseMissedLine),
    clock,
    writeAgainMs,
  )
  const history = createHistory(ledgerFile(deps.files, pathOf('history.jsonl'), parsePast), (error) =>
    log.warn({ error: messageOf(error) }, 'the history of alarms could not be written'),
  )
  const alarmEvents = createAlarmEvents({
    clock,
    random: deps.random,
    record,
    history,
    busy: () => deliveries.busy(),
    notify: deps.notify,
  })
  const alarmStore = createAlarmStore({
    store,
    clock,
    writeAgainMs,
    rules: deps.config,
    async beforeChange(applied) {
      const fresh = await missed.add(asMissed(clock.now(), applied))
      alarmEvents.missed(fresh, newlyMissed(fresh, missed.list))
    },
    changed(sessionId) {
      summaries.changed(sessionId)
      dueIndex.changed(sessionId)
      timer.arm()
      deps.onChange(sessionId)
    },
    unreadable,
  })
  const dueIndex = createDueIndex({ alarmStore, clock, rules: deps.config })
  const summaries = createSessionSummaries(alarmStore)
  const lists = createLists(alarmStore, summaries, missed, history)
  const service = createAlarmService({
    deps,
    alarmStore,
    missed,
    alarmEvents,
    dueIndex,
    terminal: createToTerminal(deps.outboxes),
  })
  const deliveries = createDeliveries(service, (sessionId) => {
    dueIndex.changed(sessionId)
    timer.arm()
  })
  const timer = createRingTimer({
    clock,
    tickMs: () => deps.config().tickMs,
    next: dueIndex.earliest,
    restless: () => dueIndex.restless().size > 0,
    ring: () => deliveries.many([...dueIndex.due(), ...dueIndex.restless()]),
  })

  const commands = createAlarmCommands(service, history, deliveries.one)

  const waiting = (now: number): string[] =>
    [...summaries.all()].flatMap(({ state, earliest }) =>
      earliest <= now && waitsForRoute(state, now) ? [state.sessionId] : [],
    )

  return {
    async load() {
      // What can't be read keeps nobody from starting: it is said, and the rest goes on.
      const read = (name: string, load: () => Promise<void>) =>
        load().catch((error: unknown) => unreadable(`${clockFolder}/${name}`, error))
      await Promise.all([read('missed.jsonl', missed.load), read('history.jsonl', history.load)])
      await read('', alarmStore.load)
      await inBatches([...alarmStore.all()], async ({ sessionId, tasks }) => {
        // Looked at again by the first tick: the outbox does not know yet what became of what was being typed.
        if (tasks.some((task) => task.claim !== undefined || missed.knows(task))) await settleCrash(service, sessionId)
        summaries.changed(sessionId)
        dueIndex.changed(sessionId)
      })
    },
    start() {
      deliveries.start()
      timer.start()
    },
    listenerOf: () => createAlarmListener(service, deliveries.one),
    deliver(sessionId) {
      if (sessionId === null) deliveries.many(waiting(clock.now()))
      else if (alarmStore.of(sessionId)) deliveries.one(sessionId)
      // The time may be another one now.
      timer.again()
    },
    async move(from, to) {
      for (const { sessionId, scope } of alarmStore.all()) {
        if (scope !== from) continue
        await alarmStore.commit(sessionId, { type: 'move', at: clock.now(), from, to }, 'best-effort')
        deliveries.one(sessionId)
      }
    },
    async forget(sessionId) {
      await commands.clear(sessionId, 'user')
      await missed.forget(sessionId)
      await history.forget(sessionId)
      deps.onChange(sessionId)
    },
    isDue: () => (dueIndex.earliest() ?? Infinity) <= clock.now(),
    async idle() {
      await deliveries.idle()
      await alarmStore.idle()
      await history.idle()
    },
    ...commands,
    ...createReservations(service, deliveries.one),
    ...lists,
    dispose() {
      timer.dispose()
      deliveries.dispose()
      alarmEvents.dispose()
      missed.dispose()
      alarmStore.dispose()
    },
  }
}
