import { dueNow, isExpired, isFree } from './due.ts'
import { idsOf } from './news.ts'
import type { Office } from './office.ts'
import { typedReminder } from './reminder-text.ts'
import { settleLostClaims, settleTerminalClaims } from './settle.ts'
import type { SessionTasks, Task } from './task.ts'
import { newGroup, type TypedText } from './to-terminal.ts'
import type { Scope } from '../../../shared/words.ts'

/** Does whatever is to be done with a session's alarms now. Runs in the session's own order (`Office.exclusive`). */
export async function lookAt(office: Office, sessionId: string): Promise<void> {
  const { book, news, deps } = office
  await settleLostClaims(office, sessionId)
  await settleTerminalClaims(office, sessionId)
  const now = office.now()
  const rules = deps.config()
  const over = book.of(sessionId)?.tasks.some((task) => isExpired(task, now, rules) && task.claim === undefined)
  if (over) await office.commit(sessionId, { type: 'retire', at: now }, 'fact')

  const state = book.of(sessionId)
  if (!state) return
  const rings = state.tasks.filter(
    (task) => task.dueAtMs <= now && task.rangAtMs === undefined && !isExpired(task, now, rules),
  )
  if (rings.length > 0 && (await office.commit(sessionId, { type: 'ring', at: now, taskIds: idsOf(rings) }, 'fact')))
    news.rang(state, rings)

  const scope = office.scopeOf(state)
  const due = scope === null ? [] : dueNow(state.tasks, now, rules)
  if (scope !== null && due.length > 0) await typeInto(office, state, scope, due)
}

/**
 * The claim is written before the outbox hears of it: after a crash in between nothing was typed, and it is released.
 */
async function typeInto(
  office: Office,
  { sessionId }: SessionTasks,
  scope: Scope,
  due: readonly Task[],
): Promise<void> {
  const { deps, terminal } = office
  const by = newGroup(deps.random)
  const at = office.now()
  const claimed = await office.commit(
    sessionId,
    { type: 'claim', at, taskIds: idsOf(due), claim: { route: 'terminal', by, at }, scope },
    'wish',
  )
  if (!claimed) return
  deps.record(
    { sessionId, scope },
    { type: 'alarm-claimed', taskIds: idsOf(office.held(sessionId, by)), route: 'terminal' },
  )
  try {
    await terminal.put(scope, { sessionId, group: by, textNow: () => textOf(office.held(sessionId, by), deps.zone()) })
  } catch (error) {
    await settleTerminalClaims(office, sessionId)
    throw error
  }
}

const textOf = (tasks: readonly Task[], zone: string): TypedText | null =>
  tasks.length === 0
    ? null
    : {
        text: typedReminder(tasks, zone),
        writtenBy: tasks.some(({ setBy }) => setBy === 'model') ? 'model' : 'person',
      }

/** due already, and nobody has them: a terminal that comes may take them */
export const waitsForRoute = ({ tasks }: SessionTasks, now: number): boolean =>
  tasks.some((task) => isFree(task) && task.dueAtMs <= now)
