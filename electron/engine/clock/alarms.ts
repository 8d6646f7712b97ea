import { posix } from 'node:path'
import { messageOf, problemOf } from '../base/errors.ts'
import { inBatches } from '../store/in-batches.ts'
import { createAlarmStore, type AlarmStore } from './store/alarm-store.ts'
import { clockFolder } from './store/clock-file.ts'
import { createHistory, parsePast } from './store/history.ts'
import { createDueIndex } from './schedule/due-index.ts'
import { ledgerFile } from './store/ledger-file.ts'
import { createLists } from './commands/lists.ts'
import { createAlarmListener } from './deliver/listen.ts'
import { createDeliveries } from './schedule/deliveries.ts'
import { newlyMissed } from './store/missed-groups.ts'
import { createMissedLedger, parseMissedLine } from './store/missed-ledger.ts'
import { createAlarmEvents, idsOf } from './alarm-events.ts'
import { asMissed, createAlarmService, type AlarmService } from './alarm-service.ts'
import { createAlarmCommands } from './commands/alarm-commands.ts'
import { isFree } from './model/due.ts'
import { createReservations } from './deliver/reservations.ts'
import { createRingTimer } from './schedule/ring-timer.ts'
import { settleCrash } from './deliver/settle.ts'
import { createToTerminal } from './deliver/to-terminal.ts'
import type { Alarms } from './model/types.ts'
import type { AlarmsDeps } from './deps.ts'

/** how long after a refusal of the disk it is tried again, milliseconds */
const writeAgainMs = 5_000

/** Alarms of all sessions: stored, rung at their time, and delivered to their session by exactly one route. */
export function createAlarms(deps: AlarmsDeps): Alarms {
  const { clock, record, store, log } = deps
  const pathOf = (name: string) => posix.join(deps.root, clockFolder, name)
  const unreadable = (file: string, error: unknown) =>
    record({}, { type: 'store-problem', file, ...problemOf(error, 'store-failed') })
  const missedFile = ledgerFile(deps.files, pathOf('missed.jsonl'), parseMissedLine)
  const missed = createMissedLedger(missedFile, clock, writeAgainMs)
  const history = createHistory(ledgerFile(deps.files, pathOf('history.jsonl'), parsePast), (error) =>
    log.warn({ error: messageOf(error) }, 'the history of alarms could not be written'),
  )
  const alarmEvents = createAlarmEvents({ ...deps, history, busy: () => deliveries.busy() })
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
      dueIndex.changed(sessionId)
      timer.arm()
      deps.onChange(sessionId)
    },
    unreadable,
  })
  const dueIndex = createDueIndex({ alarmStore, clock, rules: deps.config })
  const lists = createLists(alarmStore, missed, history, log)
  const terminal = createToTerminal(deps.outboxes)
  const service = createAlarmService({ deps, alarmStore, missed, alarmEvents, dueIndex, terminal })
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

  return {
    async load() {
      // A file that can't be read does not prevent the start: it is reported, and the rest goes on.
      const read = (name: string, load: () => Promise<void>) =>
        load().catch((error: unknown) => unreadable(`${clockFolder}/${name}`, error))
      await Promise.all([read('missed.jsonl', missed.load), read('history.jsonl', history.load)])
      const open: string[] = []
      await read('', () =>
        alarmStore.load((state) => {
          const { sessionId, tasks } = state
          if (tasks.some((task) => task.claim !== undefined || missed.knows(task))) open.push(sessionId)
          dueIndex.changed(sessionId, state)
        }),
      )
      await inBatches(open, async (sessionId) => {
        // The first tick checks them again: the outbox does not know yet what became of the text that was being typed.
        await settleCrash(service, sessionId)
        dueIndex.changed(sessionId)
      })
    },
    start() {
      deliveries.start()
      timer.start()
    },
    listenerOf: () => createAlarmListener(service, deliveries.one),
    deliver(sessionId) {
      if (sessionId === null) deliveries.many(waiting(alarmStore, clock.now()))
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
    async rename(from, to) {
      if (!alarmStore.of(from)) return
      await service.exclusive(from, () => service.exclusive(to, () => handOver(service, from, to)))
      deliveries.one(to)
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

/** due already and free: a terminal that comes may take them */
const waiting = (alarmStore: AlarmStore, now: number): string[] =>
  [...alarmStore.all()].flatMap(({ sessionId, tasks }) =>
    tasks.some((task) => task.dueAtMs <= now && isFree(task)) ? [sessionId] : [],
  )

async function handOver({ alarmStore, now }: AlarmService, from: string, to: string): Promise<void> {
  const state = alarmStore.of(from)
  if (!state) return
  const { tasks, scope } = state
  const at = now()
  // Copied before they leave: after a crash in between the copy is made again, and changes nothing.
  const mine = tasks.map((task) => ({ ...task, sessionId: to }))
  await alarmStore.commit(to, { type: 'schedule', at, tasks: mine, scope }, 'durable')
  await alarmStore.commit(from, { type: 'handed-over', at, taskIds: idsOf(tasks) }, 'durable')
}
