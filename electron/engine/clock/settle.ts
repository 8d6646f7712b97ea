import type { AlarmReleased } from '../../../shared/events.ts'
import type { EntryNews } from '../terminals/outbox/listener.ts'
import type { ClockEvent } from './apply.ts'
import { isExpired } from './due.ts'
import { idsOf } from './news.ts'
import type { Office } from './office.ts'
import { outcomeOf } from './outcome.ts'
import type { Claim, Task } from './task.ts'

/** Does to alarms what became of their entry, and tells what only this knows. @returns whether anything changed */
export async function settleEntry(office: Office, sessionId: string, entry: EntryNews): Promise<boolean> {
  const by = entry.group ?? ''
  const tasks = office.held(sessionId, by)
  const event = outcomeOf(entry, idsOf(tasks), office.now())
  if (!event) return false
  const applied = await office.commit(sessionId, event, 'fact')
  if (!applied) return false
  // A queued followup of an alarm is superseded only by whoever takes the alarm another way, or changes it.
  tell(office, sessionId, tasks, event, entry.state === 'superseded' ? 'taken-back' : 'not-typed')
  return true
}

function tell(
  { news, deps, book }: Office,
  sessionId: string,
  tasks: readonly Task[],
  event: ClockEvent,
  why: AlarmReleased,
): void {
  const scope = book.of(sessionId)?.scope
  if (event.type === 'cancel') {
    // Out of a queue: this one time, and a repeated alarm goes on.
    const [skipped, gone] = [tasks.filter(({ repeat }) => repeat), tasks.filter(({ repeat }) => !repeat)]
    news.cancelled({ sessionId, scope }, gone, 'user')
    news.ended(skipped, { kind: 'skipped' })
  }
  if (event.type === 'release')
    deps.record(
      { sessionId, scope: scope ?? null },
      { type: 'alarm-released', taskIds: idsOf(tasks), route: 'terminal', why },
    )
}

/** Looks what became of alarms that a terminal has: news may have been lost between two files. */
export async function settleTerminalClaims(office: Office, sessionId: string): Promise<void> {
  const { book, terminal, deps } = office
  const state = book.of(sessionId)
  const claims = claimsOf(state?.tasks ?? []).filter(({ route }) => route === 'terminal')
  for (const claim of claims) {
    const entry = office.unsettled.get(claim.by) ?? (await terminal.find(claim.by, state?.scope))
    const now = office.now()
    const rules = deps.config()
    if (!entry) {
      // Never queued, or so long ago that the outbox has forgotten it.
      const event: ClockEvent =
        now - claim.at <= rules.retentionMs
          ? { type: 'release', at: now, by: claim.by }
          : { type: 'lost', at: now, by: claim.by, why: 'unknown' }
      const tasks = office.held(sessionId, claim.by)
      if (await office.commit(sessionId, event, 'fact')) tell(office, sessionId, tasks, event, 'not-typed')
    } else if (
      !(await settleEntry(office, sessionId, entry)) &&
      isOver(office.held(sessionId, claim.by), entry, (task) => isExpired(task, now, rules))
    ) {
      await terminal.expire(claim.by, state?.scope)
    }
    office.unsettled.delete(claim.by)
  }
}

/**
 * One that is over takes the whole message out of the queue, and the others get one of their own. What stands in the
 * agent's input line already is left to the last of them.
 */
const isOver = (tasks: readonly Task[], { typedAt }: EntryNews, expired: (task: Task) => boolean): boolean =>
  tasks.length > 0 && (typedAt === null ? tasks.some(expired) : tasks.every(expired))

/** What a crash left of requests and held answers: nobody knows whether the model saw it, so it is never sent again. */
export async function settleLostClaims(office: Office, sessionId: string): Promise<void> {
  for (const { route, by } of claimsOf(office.book.of(sessionId)?.tasks ?? [])) {
    if (route !== 'terminal' && !office.live.has(by))
      await office.commit(sessionId, { type: 'lost', at: office.now(), by, why: 'unknown' }, 'fact')
  }
}

/** What a crash left between two files. What the disk refuses now is done by the next look. */
export async function settleCrash(office: Office, sessionId: string): Promise<void> {
  try {
    await settleLostClaims(office, sessionId)
    await settleTerminalClaims(office, sessionId)
    // Told as missed, and not yet over in its session's file: told is told, whatever the clock says now.
    const told =
      office.book.of(sessionId)?.tasks.filter((task) => task.claim === undefined && office.missed.knows(task)) ?? []
    await office.commit(sessionId, { type: 'gone', at: office.now(), taskIds: idsOf(told) }, 'fact')
  } catch (error) {
    office.instants.again(sessionId, office.deps.clock.monotonic() + office.deps.config().tickMs)
    office.problem(sessionId, error)
  }
}

export function claimsOf(tasks: readonly Task[]): readonly Claim[] {
  const byName = new Map(tasks.flatMap(({ claim }) => (claim ? [[claim.by, claim] as const] : [])))
  return [...byName.values()]
}
