import type { ControlApi, Input } from '../../../../../shared/operations/index.ts'
import type { SessionOutage } from '../../../../../shared/outage.ts'
import type { OutboxEntryView, SessionView } from '../../../../../shared/state.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { SessionChoices, SessionState } from '../../../sessions/session-state.ts'
import type { SessionStore } from '../../../sessions/session-store.ts'
import type { OutboxEntry } from '../../../terminals/outbox/entry.ts'
import type { Outbox } from '../../../terminals/outbox/outbox.ts'
import type { Outboxes } from '../../../terminals/outbox/outboxes.ts'
import type { Target } from './target.ts'

export interface SessionsApiDeps {
  find(wanted: string): Promise<SessionState>
  /** where texts for it wait */
  targetOf(wanted: string): Promise<Target>
  view(sessionId: string): SessionView
  now(): number
  sessions: Pick<SessionStore, 'choose'>
  outboxes: Outboxes
  markers: {
    apply(sessionId: string, id: string): Promise<void>
    ask(sessionId: string, goal: { text: string; max: number | null; review: boolean }): Promise<void>
    forget(sessionId: string, id: string): Promise<void>
  }
  /** to go on by itself after a limit's reset, and after a failure */
  resume: { set(sessionId: string, on: boolean): Promise<void>; cancel(sessionId: string): Promise<void> }
  recover: { set(sessionId: string, on: boolean): Promise<void> }
  outage: {
    /** with neither of both, the earlier request is taken back */
    set(sessionId: string, choice: Pick<SessionOutage, 'tell' | 'standIn'>): Promise<void>
  }
}

/** A session's queue, names, markers, and what it does after a limit or a failure. */
export function sessionsApi(deps: SessionsApiDeps) {
  const { find, view, markers, resume, recover, outage } = deps
  const on = async (wanted: string, work: (sessionId: string) => Promise<unknown>) => {
    const { id } = await find(wanted)
    await work(id)
    return view(id)
  }
  const choose = (wanted: string, change: Partial<SessionChoices>) =>
    on(wanted, (id) => deps.sessions.choose(id, () => change))
  const holding = (entryId: string): Outbox => {
    const outbox = deps.outboxes.holding(entryId)
    if (!outbox)
      throw new OnwardError('entry-not-found', 'This followup does not exist any more. Look at the queue again.', {
        status: 404,
      })
    return outbox
  }
  return {
    say: (input) => say(deps, input, { source: 'user', writtenBy: 'person' }),
    editEntry: ({ entryId, revision, text }) => holding(entryId).edit(entryId, revision, text),
    cancelEntry: (entryId) => holding(entryId).cancel(entryId),
    sendEntryNow: (entryId) => holding(entryId).sendNow(entryId),
    moveEntry: ({ entryId, beforeEntryId }) => holding(entryId).move(entryId, beforeEntryId),
    renameSession: ({ session, name }) => choose(session, { name: name.trim() }),
    pinSession: ({ session, pinned }) => choose(session, { pinned }),
    archiveSession: ({ session, archived }) => choose(session, { archivedAt: archived ? deps.now() : null }),
    askForGoal: ({ session, text, rounds = null, review }) =>
      on(session, (id) => markers.ask(id, { text, max: rounds, review })),
    applyMarker: ({ session, marker }) => on(session, (id) => markers.apply(id, marker)),
    forgetMarker: ({ session, marker }) => on(session, (id) => markers.forget(id, marker)),
    setResumeAtReset: ({ session, on: wanted }) => on(session, (id) => resume.set(id, wanted)),
    cancelResume: (session) => on(session, resume.cancel),
    setRecover: ({ session, on: wanted }) => on(session, (id) => recover.set(id, wanted)),
    setOutage: ({ session, tell, standIn }) => on(session, (id) => outage.set(id, { tell, standIn })),
  } satisfies Partial<ControlApi>
}

/** Queues a text for a session. @throws OnwardError `no-scope`, `store-failed`, `empty-text`, `key-used` */
export async function say(
  { targetOf, outboxes }: Pick<SessionsApiDeps, 'targetOf' | 'outboxes'>,
  { session, text, key }: Input<'say'>,
  by: Pick<OutboxEntry, 'source' | 'writtenBy'>,
): Promise<OutboxEntryView> {
  const { sessionId, scope } = await targetOf(session)
  const known =
    key === undefined
      ? undefined
      : outboxes
          .holding(key)
          ?.list()
          .find(({ id }) => id === key)
  // one that was for a new terminal is for the conversation that it has had since
  if (known && (known.sessionId === sessionId || known.scope === scope())) return known
  if (known) throw new OnwardError('key-used', 'A message for another session has this key.', { status: 409 })
  return (await outboxes.of(scope())).add({ ...(key === undefined ? {} : { id: key }), sessionId, text, ...by })
}
