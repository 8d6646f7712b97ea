import type { NoticeClass, RecordEvent } from '../../../shared/events.ts'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { NoticeFact } from '../../../shared/sentences/types.ts'
import type { Notice } from '../../../shared/state.ts'
import type { Language, Scope } from '../../../shared/words.ts'
import { messageOf } from '../base/errors.ts'
import type { EngineHost, NoticeResult } from '../host.ts'

type Nameless<T> = T extends { name: string } ? Omit<T, 'name'> : T

export interface Notices {
  /** the session's name is added here */
  tell(where: { sessionId: string | null; scope: Scope | null }, fact: Nameless<NoticeFact>): void
}

export interface NoticesDeps {
  host: EngineHost
  language(): Language
  nameOf(sessionId: string | null, scope: Scope | null): string
  /** false: the person switched this class off */
  wanted(noticeClass: NoticeClass): boolean
  record: RecordEvent
  publish(notice: Notice): void
}

/** Puts what a person should know into words, shows it, and writes down what became of it. Told once per transition by the callers. */
export function createNotices(deps: NoticesDeps): Notices {
  const { host, record } = deps
  return {
    tell(where, fact) {
      const words = sentencesOf(deps.language())
      const { title, body } = words.notice({ ...fact, name: deps.nameOf(where.sessionId, where.scope) } as NoticeFact)
      const actions = fact.class === 'injection-failed' ? [{ id: 're-arm', label: words.tray.reArm }] : []
      const notice: Notice = { id: host.random.uuid(), class: fact.class, sessionId: where.sessionId, title, body, actions }
      const done = (result: NoticeResult) => record(where, { type: 'notified', class: fact.class, result: result.kind, ...('why' in result ? { why: result.why } : {}) })
      if (!deps.wanted(fact.class)) return done({ kind: 'suppressed', why: 'switched off' })
      deps.publish(notice)
      host.notify(notice).then(done, (error: unknown) => done({ kind: 'failed', why: messageOf(error) }))
    },
  }
}
