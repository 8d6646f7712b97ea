/** What a program is shown of the engine's answers: less than a dashboard, with the sentences a person would read. */
import type { TimelineEvent } from '../../../../shared/events.ts'
import type { Sentences } from '../../../../shared/sentences/types.ts'
import type { EngineStatus, SessionView } from '../../../../shared/state.ts'

export interface Words {
  sentences: Sentences
  now: number
}

/** `isOwn`: sums of all sessions are left out */
export function shownStatus(status: EngineStatus, isOwn: boolean) {
  const { version, startedAt, paused, finishing, language, zone, alarms, counts, today, limits = [] } = status
  const own = { version, startedAt, paused, finishing, language, zone, alarms }
  return isOwn ? own : { ...own, counts, today, limits }
}

export function shownSession(view: SessionView, { sentences, now }: Words) {
  const { id, name, client, cwd, model, shape, say, stopMessage, queue, terminalId, nextAlarm, heldMarkers } = view
  return {
    id,
    name,
    client,
    cwd,
    model,
    terminalId,
    shape,
    /** as a person reads it */
    why: sentences.say(say, now),
    ...(say.code === 'needs-you' && say.asked ? { asked: say.asked } : {}),
    goal: stopMessage && {
      text: stopMessage.text,
      used: stopMessage.used,
      rounds: stopMessage.max,
      review: stopMessage.review,
      status: stopMessage.status.kind,
    },
    queue: queue.map(({ id: entry, text, state, hold, source, createdAt }) => ({
      id: entry,
      text,
      state,
      source,
      createdAt,
      why: hold ? sentences.hold(hold) : sentences.outbox(state),
    })),
    nextAlarm: nextAlarm ?? null,
    asksFor: (heldMarkers ?? []).map(({ marker, why, at }) => ({ marker, why: sentences.markerHeld(why), at })),
    turns: view.turns,
    paused: view.paused,
    lastActivityAt: view.lastActivityAt,
  }
}

export const shownEvents = (events: readonly TimelineEvent[], { sentences }: Words) =>
  events.map((event) => ({
    at: event.at,
    session: event.sessionId,
    type: event.body.type,
    says: sentences.event(event),
  }))
