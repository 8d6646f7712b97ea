import type { AlarmReleased } from '../../../../shared/events.ts'
import type { EntryUpdate, OutboxListener } from '../../terminals/outbox/listener.ts'
import { idsOf } from '../alarm-events.ts'
import type { AlarmService } from '../alarm-service.ts'
import type { ClockEvent } from '../model/apply.ts'
import { isExpired } from '../model/due.ts'
import type { Claim, Task } from '../model/task.ts'
import { isAlarmEntry } from './to-terminal.ts'

/** Applies the fate of an entry to its alarms, and reports what only this knows. @returns whether anything changed */
async function settleEntry(service: AlarmService, sessionId: string, entry: EntryUpdate): Promise<boolean> {
  const by = entry.group ?? ''
  const tasks = service.held(sessionId, by)
  const event = outcomeOf(entry, idsOf(tasks), service.now())
  if (!event) return false
  const applied = await service.commit(sessionId, event, 'best-effort', entry.carriedBy)
  if (!applied) return false
  // A queued followup of an alarm is superseded only when another route takes the alarm, or when it is changed.
  tell(service, sessionId, tasks, event, entry.state === 'superseded' ? 'taken-back' : 'not-typed')
  return true
}

function tell(
  { alarmEvents, deps, alarmStore }: AlarmService,
  sessionId: string,
  tasks: readonly Task[],
  event: ClockEvent,
  why: AlarmReleased,
): void {
  const scope = alarmStore.of(sessionId)?.scope
  if (event.type === 'cancel') {
    // Out of a queue: this one time, and a repeated alarm goes on.
    const [skipped, gone] = [tasks.filter(({ repeat }) => repeat), tasks.filter(({ repeat }) => !repeat)]
    alarmEvents.cancelled({ sessionId, scope }, gone, 'user')
    alarmEvents.ended(skipped, { kind: 'skipped' })
  }
  if (event.type === 'release')
    deps.record(
      { sessionId, scope: scope ?? null },
      { type: 'alarm-released', taskIds: idsOf(tasks), route: 'terminal', why },
    )
}

/** Finds the fate of alarms that a terminal has: an event may have been lost between two files. */
export async function settleTerminalClaims(service: AlarmService, sessionId: string): Promise<void> {
  const { alarmStore, terminal, deps } = service
  const state = alarmStore.of(sessionId)
  const claims = claimsOf(state?.tasks ?? []).filter(({ route }) => route === 'terminal')
  for (const claim of claims) {
    const entry = service.unsettled.get(claim.by) ?? (await terminal.find(claim.by, state?.scope))
    const now = service.now()
    const rules = deps.config()
    if (!entry) {
      // Never queued, or so long ago that the outbox has forgotten it.
      const event: ClockEvent =
        now - claim.at <= rules.retentionMs
          ? { type: 'release', at: now, by: claim.by }
          : { type: 'lost', at: now, by: claim.by, why: 'unknown' }
      const tasks = service.held(sessionId, claim.by)
      if (await service.commit(sessionId, event, 'best-effort')) tell(service, sessionId, tasks, event, 'not-typed')
    } else if (
      !(await settleEntry(service, sessionId, entry)) &&
      isOver(service.held(sessionId, claim.by), entry, (task) => isExpired(task, now, rules))
    ) {
      await terminal.expire(claim.by, state?.scope)
    }
    service.unsettled.delete(claim.by)
  }
}

/**
 * An alarm that is over takes the whole message out of the queue, and the others get a message of their own. If the
 * text is in the agent's input line already, it stays there until the last of them is over.
 */
const isOver = (tasks: readonly Task[], { typedAt }: EntryUpdate, expired: (task: Task) => boolean): boolean =>
  tasks.length > 0 && (typedAt === null ? tasks.some(expired) : tasks.every(expired))

/**
 * Settles claims of requests and held answers that a crash left: the model may have seen them, so they are never sent
 * again.
 */
export async function settleLostClaims(service: AlarmService, sessionId: string): Promise<void> {
  for (const { route, by } of claimsOf(service.alarmStore.of(sessionId)?.tasks ?? [])) {
    if (route !== 'terminal' && !service.live.has(by))
      await service.commit(sessionId, { type: 'lost', at: service.now(), by, why: 'unknown' }, 'best-effort')
  }
}

/** Settles what a crash left between two files. What the disk refuses now is tried again at the next delivery. */
export async function settleCrash(service: AlarmService, sessionId: string): Promise<void> {
  try {
    await settleLostClaims(service, sessionId)
    await settleTerminalClaims(service, sessionId)
    // An alarm that was reported as missed stays missed, whatever the clock says now. A crash may have kept its
    // session's file from saying so.
    const missed =
      service.alarmStore
        .of(sessionId)
        ?.tasks.filter((task) => task.claim === undefined && service.missed.knows(task)) ?? []
    await service.commit(sessionId, { type: 'gone', at: service.now(), taskIds: idsOf(missed) }, 'best-effort')
  } catch (error) {
    service.dueIndex.again(sessionId, service.deps.clock.monotonic() + service.deps.config().tickMs)
    service.problem(sessionId, error)
  }
}

export function claimsOf(tasks: readonly Task[]): readonly Claim[] {
  const byName = new Map(tasks.flatMap(({ claim }) => (claim ? [[claim.by, claim] as const] : [])))
  return [...byName.values()]
}

/**
 * The outcome for alarms that were queued for a terminal; null: still on its way. Used both for an event as it happens
 * and for two files that a crash left.
 */
function outcomeOf({ state, typedAt, group }: EntryUpdate, taskIds: readonly string[], at: number): ClockEvent | null {
  const by = group ?? ''
  switch (state) {
    case 'queued':
    case 'typing':
    case 'submitted':
      return null
    case 'confirmed':
      return { type: 'commit', at, by }
    case 'failed':
      return { type: 'lost', at, by, why: 'failed' }
    case 'unknown':
      return { type: 'lost', at, by, why: 'unknown' }
    case 'cancelled':
    case 'superseded':
    case 'expired':
      // A person may have sent the text in the agent's input line since.
      if (typedAt !== null) return { type: 'lost', at, by, why: 'unknown' }
      return state === 'cancelled' ? { type: 'cancel', at, taskIds, by } : { type: 'release', at, by }
  }
}

/**
 * Follows a terminal's outbox for entries that are alarms. Runs inside the outbox's queue, so it makes no calls to the
 * outbox, and later steps are done afterwards.
 */
export function createAlarmListener(
  service: AlarmService,
  deliver: (sessionId: string) => void,
): Pick<OutboxListener, 'confirmed' | 'failed' | 'ended' | 'unconfirmed'> {
  const { missed, alarmEvents, deps } = service
  const settle = async (entry: EntryUpdate): Promise<void> => {
    const { sessionId } = entry
    if (sessionId === null || !isAlarmEntry(entry)) return
    try {
      if (!(await settleEntry(service, sessionId, entry)) && entry.state === 'confirmed')
        await arrivedLate(sessionId, entry.group)
    } catch (error) {
      // The claim stays, and the next delivery does it again.
      if (entry.group !== null) service.unsettled.set(entry.group, entry)
      service.problem(sessionId, error)
    }
    deliver(sessionId)
  }
  /** Given up, and then its receipt arrived after all. */
  const arrivedLate = async (sessionId: string, group: string | null): Promise<void> => {
    const late = missed.list().filter(({ by }) => by !== null && by === group)
    if (late.length === 0) return
    await missed.settle(
      late.map(({ key }) => key),
      'delivered-late',
      service.now(),
    )
    deps.record(
      { sessionId },
      { type: 'alarm-settled', taskIds: late.map(({ task }) => task.taskId), how: 'delivered-late' },
    )
    alarmEvents.ended(
      late.map(({ task }) => task),
      { kind: 'delivered', route: 'terminal', late: true },
    )
    deps.onChange(sessionId)
  }
  return {
    confirmed: (entry) => settle(entry),
    failed: (entry) => settle(entry),
    ended: (entry) => settle(entry),
    unconfirmed: (entry) => settle(entry),
  }
}
