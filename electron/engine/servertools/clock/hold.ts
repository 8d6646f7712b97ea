import type { Config } from '../../../../shared/config/schema.ts'
import type { HoldEnded, RecordEvent } from '../../../../shared/events.ts'
import { pause, type Clock } from '../../base/clock.ts'
import type { AlarmRoutes } from '../../clock/model/types.ts'
import type { AutomaticTool, TurnView } from '../types.ts'

export interface HoldDeps {
  alarms: Pick<AlarmRoutes, 'mayHold' | 'holdFor' | 'reserveHeld'>
  /** corrected by the time sync */
  clock: Clock
  record: RecordEvent
  /** the request does nothing but wait until this time (epoch milliseconds); null: it goes on */
  waits(requestId: string, until: number | null): void
  config(): Pick<Config['clock'], 'enabled' | 'holdMaxMs' | 'holdNonStreaming'>
}

/** Alarms may be cancelled, moved or taken while an answer waits. */
const pollMs = 1_000

/**
 * Keeps a finished answer open when an alarm of its session is due soon, for clients without a terminal that could be
 * typed into; the alarm then continues the same answer.
 */
export function createHold({ alarms, clock, record, waits, config }: HoldDeps): AutomaticTool {
  /** the alarm that such an answer waits for; null: none */
  const alarmFor = (
    { sessionId, requestId }: TurnView,
    streaming: boolean,
  ): ReturnType<HoldDeps['alarms']['holdFor']> =>
    sessionId !== null && config().enabled && (streaming || config().holdNonStreaming)
      ? alarms.holdFor(sessionId, requestId)
      : null

  return {
    trigger: 'auto',
    name: 'clock_hold',
    about: 'Keeps an answer open for an alarm that is about to be due, where there is no terminal to type it into.',
    onByDefault: true,
    phase: 'answer-ended',
    // Each alarm is due only once, and one set within this HTTP call is kept out of it.
    repeats: true,
    priority: 10,
    problem: () => (config().enabled ? null : 'The clock is switched off.'),
    mayHold: ({ sessionId }) => sessionId !== null && config().enabled && alarms.mayHold(sessionId),
    mayReact: (turn, { streaming }) => alarmFor(turn, streaming) !== null,
    async react(round) {
      const { turn, clientLeft, streaming } = round
      const { sessionId, requestId } = turn
      if (sessionId === null || clientLeft) return null
      const first = alarmFor(turn, streaming)
      if (!first) return null
      const signal = round.signal()
      const where = { sessionId, requestId }
      const since = clock.monotonic()
      const ended = (why: HoldEnded): null => {
        waits(requestId, null)
        record(where, { type: 'hold-ended', why, ms: Math.max(0, Math.round(clock.monotonic() - since)) })
        return null
      }
      record(where, { type: 'hold-started', dueAt: first.dueAtMs })
      for (let next: typeof first | null = first; next.at > clock.now();) {
        waits(requestId, next.at)
        if (!(await pause(clock, Math.min(pollMs, next.at - clock.now()), signal))) return ended('client-left')
        next = alarms.holdFor(sessionId, requestId)
        // An alarm that was put off meanwhile can't hold the answer open for longer than one answer may be.
        const waited = clock.monotonic() - since
        if (!next || waited + next.at - clock.now() > config().holdMaxMs + pollMs) return ended('gone')
      }
      if (signal.aborted) return ended('client-left')
      const reservation = await alarms.reserveHeld(sessionId, requestId)
      if (!reservation) return ended('failed')
      ended('due')
      return {
        kind: 'reenter',
        text: reservation.text,
        note:
          reservation.taskIds.length === 1
            ? 'The answer goes on with an alarm'
            : `The answer goes on with ${reservation.taskIds.length} alarms`,
        watch: { began: () => void reservation.commit(), failed: (why) => void reservation.release(why) },
      }
    },
  }
}
