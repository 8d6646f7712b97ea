import { nowFacts } from '../../base/clock.ts'
import { putNewest } from '../../base/newest.ts'
import type { AlarmRoutes } from '../../clock/model/types.ts'
import { timeTagStart } from '../../protocol/lens/lens.ts'
import { serverToolCodecOf } from '../../protocol/index.ts'
import { observedReply } from '../capture.ts'
import { type Turn, type TurnEnd, type Writing, rewritten } from '../turn.ts'

export interface RemindersDeps {
  alarms: Pick<AlarmRoutes, 'reserve'>
  /** true if the session has alarms at all */
  hasAlarms(sessionId: string): boolean
}

/** Due alarms that go with a client's own request. */
export interface Reminders {
  /**
   * Adds due alarms to the request. Call it before tools are declared: a request without tools may get its session's
   * back.
   */
  begin(turn: Writing<'draft'>): Promise<BegunReminder | null>
}

export interface BegunReminder {
  /** The HTTP call is over; null: with an error. */
  over(end: TurnEnd | null): void
}

/** The last reminder of a session: a client that asks again has not seen it. */
interface LastReminder {
  text: string
  digest: string
}
const mostSessions = 256

export function createReminders({ alarms, hasAlarms }: RemindersDeps): Reminders {
  const keptTools = createKeptTools()
  const lastReminders = new Map<string, LastReminder>()
  /** models whose template takes no user message after a tool's result refuse the request: not again in this session */
  const refusesBehindTools = new Map<string, true>()

  return {
    async begin(turn) {
      const { call, identity } = turn
      const { lens } = turn.draft
      const { sessionId } = identity
      if (sessionId === null || !isAgentsTurn(turn)) return null
      // Also where no alarm is set: the model may set one in this very turn.
      const tools = keptTools.note(sessionId, turn)
      if (!hasAlarms(sessionId) && !(identity.retry && lastReminders.has(sessionId))) return null
      const serverTools = serverToolCodecOf(call.entry)
      const isToolRound = lens.lastMessage()?.role !== 'user'
      if (isToolRound && refusesBehindTools.has(sessionId)) return null
      if (serverTools.appendAfterLast(lens, [serverTools.userItem('')]).length === 0) return null
      const digest = lens.historyDigest()
      const last = identity.retry ? lastReminders.get(sessionId) : undefined
      // The same request again: it carries what it carried before, which is no second delivery.
      const again = last?.digest === digest ? last.text : null
      const reservation = again === null ? await alarms.reserve(sessionId, call.requestId) : null
      const text = again ?? reservation?.text ?? null
      if (text === null) return null
      const carrier = tools ? rewritten(turn.draft, serverTools.withTools(lens, tools)) : turn.draft
      turn.draft = { ...carrier, reminder: serverTools.userItem(text) }
      if (reservation) {
        // Released as soon as the client's leaving is known: it may ask again before this turn is over.
        call.reply.onClose(() => void reservation.release('client-left'))
        call.reply = observedReply(call.reply, {
          head(status) {
            if (call.reply.left) return
            if (status >= 400) return void reservation.release('upstream-failed')
            putNewest(lastReminders, sessionId, { text, digest }, mostSessions)
            void reservation.commit()
          },
        })
      }
      return {
        over(end) {
          if (isToolRound && end?.status === 400) putNewest(refusesBehindTools, sessionId, true, mostSessions)
          void reservation?.release(call.reply.left ? 'client-left' : 'upstream-failed')
        },
      }
    },
  }
}

/** The most bytes of all sessions' last lists of tools together. */
const mostBytes = 4 * 1024 * 1024

/** Remembers the tools of sessions: a reminder needs tools even where its request has none. */
interface KeptTools {
  /** @returns the session's last tools where the turn has none; null: it has its own, or never had any */
  note(sessionId: string, turn: Turn): Buffer | null
}

function createKeptTools(): KeptTools {
  const kept = new Map<string, Buffer>()
  let bytes = 0
  const drop = (sessionId: string) => {
    bytes -= kept.get(sessionId)?.length ?? 0
    kept.delete(sessionId)
  }
  return {
    note(sessionId, { draft: { lens }, call }) {
      const last = kept.get(sessionId) ?? null
      // Nearly always the same list again, which a comparison shows without parsing.
      const at = lens.place('tools')
      if (at && last?.equals(lens.body.subarray(at.start, at.end))) return null
      const tools = serverToolCodecOf(call.entry).toolsAsSent(lens)
      if (!tools) return last
      drop(sessionId)
      kept.set(sessionId, tools)
      bytes += tools.length
      for (const oldest of kept.keys()) {
        if (bytes <= mostBytes || oldest === sessionId) break
        drop(oldest)
      }
      return null
    },
  }
}

/**
 * Returns the line with the time as the model reads it after every request. @param offsetMs NTP's correction, in
 * `nowMs` already
 */
export function timeTagLine(nowMs: number, timezone: string, offsetMs: number): string {
  const { utc, local } = nowFacts(nowMs, timezone)
  return (
    `${timeTagStart}utc=\`${utc}\` local=\`${local}\` ` +
    `tz=\`${timezone}\` nowMs=\`${nowMs}\` ntpOffsetMs=\`${offsetMs}\``
  )
}

/**
 * True if a turn may have the time tag: one of the main agent that a provider answers, with the user's words at its end
 * or with results. After results of a model that thinks, words of the user's end the turn it is thinking in: vendors
 * then leave out its earlier thinking (Anthropic, Extended thinking with tool use; Google, Thought signatures).
 */
export function wantsTimeTag(
  turn: Pick<Turn, 'call' | 'codec' | 'draft' | 'identity' | 'ownAnswer' | 'reentered'>,
): boolean {
  if (!isAgentsTurn(turn)) return false
  const { call, codec } = turn
  const { lens } = turn.draft
  const role = lens.lastMessage()?.role
  return role === 'user' || (role === 'tool' && !codec.needs(lens, call.path).thinking())
}

/**
 * True for a turn of the main agent that a provider answers: not what Onward asks or answers itself, nor a followup
 * within an HTTP call.
 */
export function isAgentsTurn({
  call,
  identity,
  ownAnswer,
  reentered,
}: Pick<Turn, 'call' | 'identity' | 'ownAnswer' | 'reentered'>): boolean {
  return (
    identity.kind === 'turn' &&
    call.endpoint === 'generate' &&
    !call.internal &&
    !call.test &&
    ownAnswer === null &&
    !reentered
  )
}
