import { dueNow, isExpired } from '../model/due.ts'
import { idsOf } from '../alarm-events.ts'
import type { AlarmService } from '../alarm-service.ts'
import { typedReminder } from './reminder-text.ts'
import { settleLostClaims, settleTerminalClaims } from './settle.ts'
import type { SessionTasks, Task } from '../model/task.ts'
import { newGroup, type TypedText } from './to-terminal.ts'
import type { Scope } from '../../../../shared/words.ts'

/**
 * Does everything that is due for a session's alarms now. Runs in the session's own order (`AlarmService.exclusive`).
 */
export async function deliverDue(service: AlarmService, sessionId: string): Promise<void> {
  const { alarmStore, alarmEvents, deps } = service
  await settleLostClaims(service, sessionId)
  await settleTerminalClaims(service, sessionId)
  const now = service.now()
  const rules = deps.config()
  const over = alarmStore.of(sessionId)?.tasks.some((task) => isExpired(task, now, rules) && task.claim === undefined)
  if (over) await service.commit(sessionId, { type: 'retire', at: now }, 'best-effort')

  const state = alarmStore.of(sessionId)
  if (!state) return
  const rings = state.tasks.filter(
    (task) => task.dueAtMs <= now && task.rangAtMs === undefined && !isExpired(task, now, rules),
  )
  if (
    rings.length > 0 &&
    (await service.commit(sessionId, { type: 'ring', at: now, taskIds: idsOf(rings) }, 'best-effort'))
  )
    alarmEvents.rang(state, rings)

  const scope = service.scopeOf(state)
  const due = scope === null ? [] : dueNow(state.tasks, now, rules)
  if (scope !== null && due.length > 0) await typeInto(service, state, scope, due)
}

/**
 * The claim is written before the outbox gets the entry: after a crash in between nothing was typed, and the claim is
 * released.
 */
async function typeInto(
  service: AlarmService,
  { sessionId }: SessionTasks,
  scope: Scope,
  due: readonly Task[],
): Promise<void> {
  const { deps, terminal } = service
  const by = newGroup(deps.random)
  const at = service.now()
  const claimed = await service.commit(
    sessionId,
    { type: 'claim', at, taskIds: idsOf(due), claim: { route: 'terminal', by, at }, scope },
    'durable',
  )
  if (!claimed) return
  deps.record(
    { sessionId, scope },
    { type: 'alarm-claimed', taskIds: idsOf(service.held(sessionId, by)), route: 'terminal' },
  )
  try {
    await terminal.put(scope, { sessionId, group: by, textNow: () => textOf(service.held(sessionId, by), deps.zone()) })
  } catch (error) {
    await settleTerminalClaims(service, sessionId)
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
