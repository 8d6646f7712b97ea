import { posix } from 'node:path'
import { messageOf, problemOf, OnwardError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { inBatches } from '../store/in-batches.ts'
import { createAlarmEvents, idsOf } from './alarm-events.ts'
import { asMissed, createAlarmService, type AlarmService, createDueIndex, createRingTimer } from './alarm-service.ts'
import { createAlarmCommands } from './commands/alarm-commands.ts'
import { createAlarmListener, settleCrash } from './deliver/settle.ts'
import { createReservations } from './deliver/reservations.ts'
import { createToTerminal } from './deliver/to-terminal.ts'
import type { AlarmsDeps } from './deps.ts'
import { logAlarms } from './log-alarms.ts'
import { isFree } from './model/due.ts'
import type { SessionTasks, Task } from './model/task.ts'
import type { Alarms, AlarmLists } from './model/types.ts'
import { createDeliveries } from './deliver/deliver-due.ts'
import { createAlarmStore, type AlarmStore, clockFolder } from './store/alarm-store.ts'
import { createHistory, parsePast, type History, ledgerFile } from './store/ledger-file.ts'
import {
  newlyMissed,
  groupMissed,
  createMissedLedger,
  parseMissedLine,
  type MissedLedger,
} from './store/missed-ledger.ts'

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

const byDue = (a: Task, b: Task): number => a.dueAtMs - b.dueAtMs
/** shorter beginnings of an id say too little */
const shortest = 4

/** Alarms as they are listed. */
export function createLists(
  alarmStore: Pick<AlarmStore, 'of' | 'all'>,
  missed: Pick<MissedLedger, 'list' | 'count'>,
  history: Pick<History, 'list'>,
  log: Log,
): AlarmLists {
  const matching = function* (wanted: string): Generator<Task> {
    for (const { tasks } of alarmStore.all()) for (const task of tasks) if (task.taskId.startsWith(wanted)) yield task
  }
  const only = (ids: ReadonlySet<string>, wanted: string): string => {
    const [id, other] = ids
    if (ids.has(wanted)) return wanted
    if (id === undefined || wanted.length < shortest)
      throw new OnwardError('alarm-unknown', `There is no alarm “${wanted}”. \`onward alarm list\` shows them.`, {
        status: 404,
      })
    if (other !== undefined)
      throw new OnwardError('alarm-ambiguous', `“${wanted}” could be several alarms. Write more of the id.`, {
        status: 409,
      })
    return id
  }
  const of: AlarmLists['of'] = (sessionId) => (alarmStore.of(sessionId)?.tasks ?? []).toSorted(byDue)

  return {
    of,
    listFor(sessionId, requestId) {
      const tasks = of(sessionId)
      logAlarms(log, { did: 'list', sessionId, requestId, tasks, write: 'none' })
      return tasks
    },
    find(wanted) {
      const found = [...matching(wanted)]
      const id = only(new Set(found.map(({ taskId }) => taskId)), wanted)
      const task = found.find(({ taskId }) => taskId === id)
      if (!task) throw new OnwardError('alarm-unknown', `There is no alarm “${wanted}”.`, { status: 404 })
      return task
    },
    idOf(wanted) {
      const past = [...missed.list(), ...history.list()]
        .map(({ task }) => task.taskId)
        .filter((id) => id.startsWith(wanted))
      return only(new Set([...[...matching(wanted)].map(({ taskId }) => taskId), ...past]), wanted)
    },
    withId(id) {
      const over = [...missed.list(), ...history.list()].map(({ task }) => task)
      return (
        [...[...alarmStore.all()].flatMap(({ tasks }) => tasks), ...over].find(({ taskId }) => taskId === id) ?? null
      )
    },
    list(most) {
      // Sorting all of them for every change would cost more than the change.
      let bound = Infinity
      let found: Task[] = []
      for (const { tasks } of alarmStore.all()) {
        for (const task of tasks) if (task.dueAtMs < bound) found.push(task)
        if (found.length < 2 * most) continue
        found = found.sort(byDue).slice(0, most)
        bound = found.at(-1)?.dueAtMs ?? bound
      }
      return found.sort(byDue).slice(0, most)
    },
    next: () => nextOf(alarmStore.all()),
    nextOf(sessionId) {
      const state = alarmStore.of(sessionId)
      const { waiting, first } = nextOf(state ? [state] : [])
      return first && { waiting, first }
    },
    missed: () => groupMissed(missed.list()),
    missedCount: () => missed.count(),
    history: () => history.list(),
  }
}

/** How many will still ring, and the first of them. */
function nextOf(states: Iterable<SessionTasks>): { waiting: number; first: Task | null } {
  let waiting = 0
  let first: Task | null = null
  for (const { tasks } of states)
    for (const task of tasks) {
      if (task.deliveredAtMs !== undefined) continue
      waiting++
      if (first === null || task.dueAtMs < first.dueAtMs) first = task
    }
  return { waiting, first }
}
