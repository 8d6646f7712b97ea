import type { RecordEvent } from '../../../../shared/events.ts'
import type { NoticeKind } from '../../../../shared/notice-classes.ts'
import { sentencesOf } from '../../../../shared/sentences/index.ts'
import { asksForPerson } from '../../../../shared/asks-for-person.ts'
import type { MachineNotice } from '../../../../shared/machines.ts'
import type { NoticeFact, TrayWords } from '../../../../shared/sentences/types.ts'
import type { Notice, SessionView } from '../../../../shared/state.ts'
import type { ClientKind, Language, Scope } from '../../../../shared/words.ts'
import { messageOf } from '../../base/errors.ts'
import type { EngineHost, NoticeResult } from '../../host.ts'
import type { Outside } from '../../notifications/outside.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import type { QuietOver } from '../../notifications/quiet.ts'

type Nameless<T> = T extends { name: string } ? Omit<T, 'name'> : T

export interface Notices {
  /**
   * Adds the session's name to the notice. `alarms`: ids of those it is about. `terminal`: stands for the session that
   * it will have.
   */
  tell(
    where: { sessionId: string | null; scope: Scope | null; terminal?: Pick<Terminal, 'terminalId' | 'name'> },
    fact: Nameless<NoticeFact>,
    alarms?: readonly string[],
  ): void
}
export interface PassingNotices extends Notices {
  /** one that the engine of another machine told, which it has sent to its own places outside */
  passOn(from: MachineNotice): void
}

export interface NoticesDeps {
  host: EngineHost
  language(): Language
  nameOf(sessionId: string | null, scope: Scope | null): string
  /** what works in the session; null: not known */
  agentOf(sessionId: string): ClientKind | null
  /** false: the person switched this class off */
  wanted(kind: NoticeKind): boolean
  /** true: these are quiet hours, and the notice comes when they end */
  keeps(fact: Pick<NoticeFact, 'class'> & { own?: true }): boolean
  record: RecordEvent
  publish(notice: Notice): void
  /** the same, on its way out of this machine */
  outside: Pick<Outside, 'tell'>
}

/** Words a notice, shows it, and records the outcome. Callers call it once per transition. */
export function createNotices(deps: NoticesDeps): PassingNotices {
  const { host, record } = deps
  /** of engines that are reached in two ways, or of this one itself */
  const shown = new Set<string>()
  return {
    passOn({ machine, notice }) {
      if (shown.has(notice.id)) return
      remember(shown, notice.id)
      if (!deps.wanted(notice.class) || deps.keeps({ class: notice.class })) return
      // what it offers would be done here
      const told = { ...notice, title: `${machine}: ${notice.title}`, actions: [] }
      deps.publish(told)
      host
        .notify(told)
        .catch((error: unknown) =>
          host.log.warn({ machine, error: messageOf(error) }, 'a notice of another machine could not be shown'),
        )
    },
    tell({ terminal, ...where }, fact, alarms) {
      const words = sentencesOf(deps.language())
      const name = (where.sessionId === null && terminal?.name) || deps.nameOf(where.sessionId, where.scope)
      const named = { ...fact, name } as NoticeFact
      const { title, body } = words.notice(named)
      const notice: Notice = {
        id: host.random.uuid(),
        class: fact.class,
        sessionId: where.sessionId ?? terminal?.terminalId ?? null,
        title,
        body,
        actions: actionsOf(fact, words.tray),
        ...(alarms ? { alarms } : {}),
      }
      const done = (result: NoticeResult) =>
        record(where, {
          type: 'notified',
          class: fact.class,
          result: result.kind,
          ...('why' in result ? { why: result.why } : {}),
        })
      if (!deps.wanted(fact.class)) return done({ kind: 'suppressed', why: 'switched off' })
      if (deps.keeps(named)) return done({ kind: 'suppressed', why: 'quiet hours' })
      remember(shown, notice.id)
      deps.publish(notice)
      const { sessionId } = where
      const about = sessionId
        ? ({ kind: 'session', id: sessionId } as const)
        : terminal
          ? ({ kind: 'terminal', id: terminal.terminalId } as const)
          : null
      const agent = sessionId === null ? null : deps.agentOf(sessionId)
      const told = { sessionId, name, about, agent: agent === 'other' ? null : agent }
      deps.outside.tell({ id: notice.id, fact: named, where: told })
      host.notify(notice).then(done, (error: unknown) => done({ kind: 'failed', why: messageOf(error) }))
    },
  }
}

const mostRemembered = 500
function remember(ids: Set<string>, id: string): void {
  ids.add(id)
  for (const oldest of ids) {
    if (ids.size <= mostRemembered) return
    ids.delete(oldest)
  }
}

/** Sums up quiet hours: their notices, and the sessions that still wait. If only one waits, a click leads there. */
export function quietOver(
  over: QuietOver,
  sessions: readonly SessionView[],
): [where: { sessionId: string | null; scope: null }, fact: Nameless<NoticeFact>] {
  const waiting = sessions.filter(asksForPerson)
  const [first] = waiting
  return [
    { sessionId: first && waiting.length === 1 ? first.id : null, scope: null },
    { ...over, needs: waiting.map(({ name }) => name) },
  ]
}

function actionsOf(fact: Nameless<NoticeFact>, words: TrayWords): Notice['actions'] {
  switch (fact.class) {
    case 'budget':
      return [{ id: 'go-on', label: words.continue }]
    // If only an answer or an approval helps, the session itself is the place for it.
    case 'needs-you':
      return fact.pause?.code === 'review-failed' ? [{ id: 'go-on', label: words.continue }] : []
    case 'injection-failed':
      return [{ id: 're-arm', label: words.reArm }]
    case 'alarm-due':
      return [
        { id: 'open', label: words.open },
        { id: 'snooze', label: words.snooze },
        { id: 'cancel-alarm', label: words.cancelAlarm },
      ]
    default:
      return []
  }
}
