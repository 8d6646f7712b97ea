import { sentencesOf } from '../../../../shared/sentences/index.ts'
import type { ClockSync } from '../../../../shared/alarms/alarms.ts'
import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import { nowFacts } from '../../base/local-time.ts'
import type { Task } from '../../clock/model/task.ts'
import type { AlarmLists, AlarmCommands } from '../../clock/model/types.ts'
import type { CalledTool, ToolPlan, TurnView } from '../types.ts'
import { clockDeclaration } from './declaration.ts'
import { readClockInput, requestsOf, type ClockInput } from './input.ts'

export interface ClockToolDeps {
  /** corrected by the time sync */
  clock: Clock
  sync(): ClockSync
  /** IANA name of the machine's zone */
  timezone(): string
  alarms: Pick<AlarmCommands, 'schedule' | 'cancel' | 'clear'> & Pick<AlarmLists, 'listFor' | 'of'>
}

/** The tool `clock`. A call is answered once its effect is on the disk. */
export function createClockTool(deps: ClockToolDeps): CalledTool {
  return {
    trigger: 'tool_call',
    name: 'clock',
    aliases: [],
    about: 'Tells the model the time and sets alarms for its session.',
    onByDefault: true,
    declared: 'every-turn',
    declaration: () => clockDeclaration,
    offered: () => true,
    problem: () => null,
    inOrder: true,
    timeoutMs: () => 10_000,
    did: 'used the clock',
    async run({ input }, { turn }) {
      try {
        return await act(readClockInput(input), turn, deps)
      } catch (error) {
        if (!OnwardError.isInstance(error)) throw error
        const { code, message } = error
        return {
          kind: 'result',
          text: JSON.stringify({ ok: false, error: { code, message } }),
          isError: true,
          failure: { code, message },
        }
      }
    },
  }
}

async function act(
  input: ClockInput,
  { sessionId, requestId }: TurnView,
  { alarms, clock, sync, timezone }: ClockToolDeps,
): Promise<ToolPlan> {
  const { action } = input
  const done = (result: object, note: string): ToolPlan => ({
    kind: 'result',
    text: JSON.stringify({ ok: true, ...result }),
    note,
  })
  const zone = timezone()
  if (action === 'get') {
    const { status, offsetMs, at, lastError } = sync()
    return done(
      { action, active: true, ...nowFacts(clock.now(), zone), ntp: { status, offsetMs, lastSyncMs: at, lastError } },
      'the time',
    )
  }
  if (sessionId === null)
    throw new OnwardError(
      'no-session',
      `This client names no session, so alarms can't be kept for it: “${action}” can't be done. “get” works.`,
    )
  const asItem = ({ taskId, dueAtMs, task, repeat }: Task) => ({
    taskId,
    dueAt: nowFacts(dueAtMs, zone).local,
    task,
    ...(repeat ? { repeats: sentencesOf('en').repeatNow({ ...repeat, shownIn: zone }) } : {}),
  })
  switch (action) {
    case 'schedule': {
      if (input.items.length > 1 && alarms.of(sessionId).some(({ taskId }) => taskId === input.taskId))
        throw new OnwardError(
          'one-item',
          'A taskId overwrites that one alarm: give one item with it, or taskId "" to set several. ' +
            'Nothing was scheduled.',
        )
      const scheduled = await alarms.schedule(sessionId, requestsOf(input), { by: 'model', requestId })
      return done({ scheduled: scheduled.map(asItem) }, count(scheduled.length, 'set'))
    }
    case 'list': {
      const items = alarms.listFor(sessionId, requestId).map((task) => ({
        ...asItem(task),
        ...(task.deliveredAtMs === undefined ? {} : { deliveredAt: nowFacts(task.deliveredAtMs, zone).local }),
      }))
      return done({ items }, count(items.length, 'listed'))
    }
    case 'cancel':
      await alarms.cancel(input.taskId, 'model', { sessionId, requestId })
      return done({ removed: input.taskId }, count(1, 'cancelled'))
    case 'clear': {
      const removedCount = await alarms.clear(sessionId, 'model', requestId)
      return done({ removedCount }, count(removedCount, 'cancelled'))
    }
  }
}

const count = (n: number, what: string): string => (n === 1 ? `1 alarm ${what}` : `${n} alarms ${what}`)
