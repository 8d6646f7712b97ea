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
import { createBook } from './book.ts'
import { clockFolder } from './clock-file.ts'
import { createHeads } from './heads.ts'
import { createHistory, parsePast } from './history.ts'
import { createInstants } from './instants.ts'
import { ledgerFile } from './ledger-file.ts'
import { createLists } from './lists.ts'
import { createAlarmListener } from './listen.ts'
import { waitsForRoute } from './look.ts'
import { createLooks } from './looks.ts'
import { newlyMissed } from './missed-groups.ts'
import { createMissedLedger, parseMissedLine } from './missed-ledger.ts'
import { createNews } from './news.ts'
import { asMissed, createOffice } from './office.ts'
import { createOrders } from './orders.ts'
import { createReservations } from './reservations.ts'
import { createRingTimer } from './ring-timer.ts'
import { settleCrash } from './settle.ts'
import { createToTerminal } from './to-terminal.ts'
import type { Alarms } from './types.ts'

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
  const news = createNews({
    clock,
    random: deps.random,
    record,
    history,
    busy: () => looks.busy(),
    notify: deps.notify,
  })
  const book = createBook({
    store,
    clock,
    writeAgainMs,
    rules: deps.config,
    async beforeChange(applied) {
      const fresh = await missed.add(asMissed(clock.now(), applied))
      news.missed(fresh, newlyMissed(fresh, missed.list))
    },
    changed(sessionId) {
      heads.changed(sessionId)
      instants.changed(sessionId)
      timer.arm()
      deps.onChange(sessionId)
    },
    unreadable,
  })
  const instants = createInstants({ book, clock, rules: deps.config })
  const heads = createHeads(book)
  const lists = createLists(book, heads, missed, history)
  const office = createOffice({ deps, book, missed, news, instants, terminal: createToTerminal(deps.outboxes) })
  const looks = createLooks(office, (sessionId) => {
    instants.changed(sessionId)
    timer.arm()
  })
  const timer = createRingTimer({
    clock,
    tickMs: () => deps.config().tickMs,
    next: instants.earliest,
    restless: () => instants.restless().size > 0,
    ring: () => looks.many([...instants.due(), ...instants.restless()]),
  })

  const waiting = (now: number): string[] =>
    [...heads.all()].flatMap(({ state, earliest }) =>
      earliest <= now && waitsForRoute(state, now) ? [state.sessionId] : [],
    )

  return {
    async load() {
      // What can't be read keeps nobody from starting: it is said, and the rest goes on.
      const read = (name: string, load: () => Promise<void>) =>
        load().catch((error: unknown) => unreadable(`${clockFolder}/${name}`, error))
      await Promise.all([read('missed.jsonl', missed.load), read('history.jsonl', history.load)])
      await read('', book.load)
      await inBatches([...book.all()], async ({ sessionId, tasks }) => {
        // Looked at again by the first tick: the outbox does not know yet what became of what was being typed.
        if (tasks.some((task) => task.claim !== undefined || missed.knows(task))) await settleCrash(office, sessionId)
        heads.changed(sessionId)
        instants.changed(sessionId)
      })
    },
    start() {
      looks.start()
      timer.start()
    },
    listenerOf: () => createAlarmListener(office, looks.one),
    look(sessionId) {
      if (sessionId === null) looks.many(waiting(clock.now()))
      else if (book.of(sessionId)) looks.one(sessionId)
      // The time may be another one now.
      timer.again()
    },
    async move(from, to) {
      for (const { sessionId, scope } of book.all()) {
        if (scope !== from) continue
        await book.commit(sessionId, { type: 'move', at: clock.now(), from, to }, 'fact')
        looks.one(sessionId)
      }
    },
    isDue: () => (instants.earliest() ?? Infinity) <= clock.now(),
    async idle() {
      await looks.idle()
      await book.idle()
      await history.idle()
    },
    ...createOrders(office, history, looks.one),
    ...createReservations(office, looks.one),
    ...lists,
    dispose() {
      timer.dispose()
      looks.dispose()
      news.dispose()
      missed.dispose()
      book.dispose()
    },
  }
}
