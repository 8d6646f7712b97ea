import { createRevive, type Revive } from '../../servertools/revive/index.ts'
import type { EngineContext } from '../foundation.ts'
import type { Notifications } from '../notices/notifications.ts'
import type { Terminals } from '../terminals/terminals.ts'
import type { Upstream } from '../upstream.ts'
import type { SessionFacts } from '../views/session-facts.ts'
import type { Automation } from './automation.ts'

export interface ReviveParts extends EngineContext {
  notifications: Pick<Notifications, 'notices'>
  terminals: Terminals
  automation: Pick<Automation, 'goesOn' | 'resume'>
  upstream: Pick<Upstream, 'recover'>
  facts: Pick<SessionFacts, 'activity' | 'failures'>
}

/** records that are searched for a session's last turn */
const LATELY = 500

/** Starts agents again that end by themselves while a goal is set, if a person wants that (`goal.revive`). */
export function assembleRevive({
  host,
  base,
  notifications,
  terminals,
  automation,
  upstream,
  facts,
}: ReviveParts): Revive {
  const { registry, outboxes, access, away } = terminals
  const { config, records } = base
  const revive = createRevive({
    clock: host.clock,
    outboxes,
    registry,
    record: base.timeline.record,
    away,
    wanted: () => config.current().goal.revive,
    isArmed: (scope) => !outboxes.pausedAll() && automation.goesOn(scope),
    wasCut(sessionId) {
      // A session goes on in another way after a provider's failure or limit.
      const waits = upstream.recover.of(sessionId).waits ?? facts.failures.of(sessionId)
      if (waits !== null || automation.resume.limitOf(sessionId) !== null) return false
      if (facts.activity.of(sessionId) !== null) return true
      const last = records.list(LATELY).find((one) => one.sessionId === sessionId && one.kind === 'turn')
      return last !== undefined && last.finish !== 'stop'
    },
    text: () => config.current().recover.text,
    restart: access.hub.restart,
    onThere(terminalId) {
      const terminal = registry.get(terminalId)
      access.needs.startsAgain(terminalId)
      if (terminal) outboxes.peek(terminal.scope)?.check()
    },
    ask: ({ sessionId, scope }, rests) =>
      notifications.notices.tell({ sessionId, scope }, { class: 'needs-you', what: '', rests }),
    onChange: terminals.changed,
  })
  access.useEnds(revive.ended)
  terminals.onOnline(revive.over)
  registry.onChange(({ type, terminal }) => {
    if (type === 'ended' || type === 'forgotten') revive.over(terminal.terminalId)
  })
  return revive
}
