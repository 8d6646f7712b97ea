import type { Scope } from '../../../../shared/words.ts'
import type { Disposable } from '../../base/disposable.ts'
import { inBatches } from '../../store/in-batches.ts'
import { idsOf } from '../alarm-events.ts'
import type { AlarmService } from '../alarm-service.ts'
import { dueNow, isExpired } from '../model/due.ts'
import type { SessionTasks, Task } from '../model/task.ts'
import { typedReminder } from './reminder-text.ts'
import { settleLostClaims, settleTerminalClaims } from './settle.ts'
import { newGroup, type TypedText } from './to-terminal.ts'

/**
 * Does everything that is due for a session's alarms now. Runs in the session's own order (`AlarmService.exclusive`).
 */
async function deliverDue(service: AlarmService, sessionId: string): Promise<void> {
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

/**
 * Which sessions get their due alarms, and when: one delivery after the other for a session, a few sessions at once,
 * and no session twice in a row for one reason.
 */
export interface Deliveries extends Disposable {
  start(): void
  one(sessionId: string): void
  many(sessionIds: readonly string[]): void
  busy(): boolean
  idle(): Promise<void>
}

/** A delivery writes a file or two; several files at once are one piece of work. */
const atOnce = 2

/** `onDone`: a session's delivery is over, or given up for now */
export function createDeliveries(service: AlarmService, onDone: (sessionId: string) => void): Deliveries {
  const waiting = new Set<string>()
  let running: Promise<void> | null = null
  let open = false

  const { clock } = service.deps
  const deliver = async (sessionId: string): Promise<void> => {
    try {
      await service.exclusive(sessionId, () => deliverDue(service, sessionId))
    } catch (error) {
      // The disk, or a terminal that moved: tried again with the next tick.
      service.dueIndex.again(sessionId, clock.monotonic() + service.deps.config().tickMs)
      service.problem(sessionId, error)
    }
    onDone(sessionId)
  }
  const work = async (): Promise<void> => {
    // Several calls in the same moment get one delivery.
    await Promise.resolve()
    while (open && waiting.size > 0) {
      const batch = [...waiting]
      waiting.clear()
      await inBatches(batch, deliver, atOnce)
    }
    running = null
  }
  const begin = () => {
    if (open && waiting.size > 0) running ??= work()
  }
  return {
    start() {
      open = true
      begin()
    },
    one(sessionId) {
      waiting.add(sessionId)
      begin()
    },
    many(sessionIds) {
      for (const sessionId of sessionIds) waiting.add(sessionId)
      begin()
    },
    busy: () => running !== null,
    async idle() {
      while (running) await running
    },
    dispose() {
      open = false
      waiting.clear()
    },
  }
}
