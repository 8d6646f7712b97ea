import type { Scope } from '../../../../shared/words.ts'
import type { Alarms } from '../../clock/model/types.ts'
import type { KeptThinking } from '../../pipeline/kept-thinking.ts'
import type { Captures } from '../../records/captures.ts'
import type { Timeline } from '../../records/timeline.ts'
import { ledgerSpec } from '../../servertools/ledger/ledger.ts'
import type { PauseAtLimit } from '../../servertools/pause-at-limit.ts'
import type { Recover } from '../../servertools/recover/index.ts'
import type { ResumeAtReset } from '../../servertools/resume-at-reset/resume-at-reset.ts'
import type { StopMessage } from '../../servertools/stop-message/stop-message.ts'
import type { DeletedPart } from '../../sessions/deletions.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'
import type { Store } from '../../store/types.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'

export interface DeletedPartsDeps {
  store: Pick<Store, 'document' | 'fold'>
  sessions: Pick<SessionStore, 'remove'>
  registry: Pick<TerminalsRegistry, 'list' | 'leave'>
  automation: Pick<StopMessage, 'clean'>
  outboxes: Pick<Outboxes, 'all'>
  alarms: Pick<Alarms, 'forget'>
  resume: Pick<ResumeAtReset, 'set'>
  recover: Pick<Recover, 'forget'>
  pauseAtLimit: Pick<PauseAtLimit, 'forget'>
  thinking: Pick<KeptThinking, 'forget'>
  captures: Pick<Captures, 'forget'>
  timeline: Pick<Timeline, 'forget'>
  failures: { over(sessionId: string): void }
}

/** All that is kept of a session, in the order of its removal. Its costs stay in the totals and the turns. */
export const deletedParts = (deps: DeletedPartsDeps): readonly DeletedPart[] => [
  // Goal and queue of the terminal whose conversation it was; its rounds are part of the goal.
  {
    name: 'goal and queue',
    async remove({ id, scopes }) {
      for (const scope of scopes) await deps.automation.clean(scope as Scope)
      for (const { terminalId, sessionId } of deps.registry.list())
        if (sessionId === id) await deps.registry.leave(terminalId)
    },
  },
  {
    name: 'last words',
    async remove({ id }) {
      for (const outbox of deps.outboxes.all()) await outbox.forgetWords(id)
    },
  },
  { name: 'alarms', remove: ({ id }) => deps.alarms.forget(id) },
  {
    name: 'continuation',
    async remove({ id }) {
      deps.recover.forget(id)
      deps.pauseAtLimit.forget(id)
      await deps.resume.set(id, false)
    },
  },
  {
    name: 'results of tools',
    async remove({ id }) {
      await (await deps.store.document(ledgerSpec(id))).remove()
    },
  },
  { name: 'kept thinking', remove: ({ id }) => deps.thinking.forget(`session-${id}`) },
  { name: 'captures', remove: ({ id }) => deps.captures.forget(id) },
  // Its goal's last steps stand in lines next to those of others.
  { name: 'journal', remove: () => deps.store.fold() },
  // The removals above are in the record already.
  { name: 'timeline', remove: ({ id }) => deps.timeline.forget(id) },
  {
    name: 'session',
    async remove({ id }) {
      deps.failures.over(id)
      await deps.sessions.remove(id)
    },
  },
]
