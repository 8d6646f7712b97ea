import type { Viewing } from '../control/views/viewing.ts'
import { messageOf } from '../base/errors.ts'
import type { Terminal } from '../sessions/binding/terminal.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import { removeLaunchFiles } from '../terminals/launch-files.ts'
import { quietOver } from './notices/notices.ts'
import type { ViewParts } from './views/views.ts'
import type { FailReason } from '../../../shared/events.ts'
import type { Log } from '../base/log.ts'
import type { TerminalsRegistry } from '../sessions/binding/terminals-registry.ts'
import type { Outboxes } from '../terminals/outbox/outboxes.ts'
import type { TmuxPanes } from '../terminals/tmux/index.ts'

/**
 * Connects events to their listeners: everything that is shown, announced or written down because something happened
 * elsewhere. Every owner of an event exists by now.
 */
export function connect(parts: ViewParts & { viewing: Viewing }): void {
  connectViewers(parts)
  connectTerminals(parts)
  connectConfig(parts)
  const { notifications, facts, upstream, viewing } = parts
  // A session that goes on by itself needs no person.
  facts.onGaveUp(({ sessionId, failure, stopped }) => {
    facts.drives.failed(sessionId)
    if (!upstream.recover.gaveUp(sessionId, failure, stopped))
      upstream.outages.gaveUp({ sessionId, scope: null }, failure)
  })
  facts.onDriveMissed(({ sessionId, drive }) => {
    const task = ('prompt' in drive ? drive.prompt.replace(/^\/loop\s+/, '') : '') || (drive.what ?? '')
    parts.automation.clock.alarms
      .schedule(sessionId, [{ dueAtMs: parts.automation.clock.time.clock.now(), task }], {
        by: 'user',
        requestId: null,
      })
      .catch((error: unknown) =>
        parts.host.log.error({ sessionId, error: messageOf(error) }, 'what an agent missed could not become an alarm'),
      )
  })
  facts.onDrivesAsk(({ sessionId, bound }) =>
    notifications.notices.tell({ sessionId, scope: null }, { class: 'needs-you', what: '', drives: bound }),
  )
  facts.onStalled(({ sessionId, since }) => {
    const { record } = parts.base.timeline
    if (since === null) {
      notifications.over(sessionId)
      return record({ sessionId }, { type: 'over', what: 'stall' })
    }
    record({ sessionId }, { type: 'stalled', since })
    notifications.notices.tell({ sessionId, scope: null }, { class: 'needs-you', what: '', stalledSince: since })
  })
  notifications.onQuietOver((over) => notifications.notices.tell(...quietOver(over, viewing.sessions())))
}

/** Draws screens again after a change. */
function connectViewers({
  host,
  base,
  loaded,
  notifications,
  terminals,
  automation,
  facts,
  upstream,
  viewing,
}: Parameters<typeof connect>[0]): void {
  const { hub } = viewing
  const session = (id: string) => {
    hub.sessionChanged(id)
    hub.statusChanged()
  }
  const sessionOrStatus = (id: string | null) => (id === null ? hub.statusChanged() : session(id))
  base.timeline.onEvent((event) => hub.publish({ type: 'event', event }))
  base.records.onRecord((record) => hub.publish({ type: 'turn', record }))
  base.sessions.onChange((change) => hub.sessionChanged(change.type === 'changed' ? change.session.id : change.id))
  notifications.onShown((notice) => hub.publish({ type: 'notice', notice }))
  notifications.onChange(hub.statusChanged)
  const { machines, log } = host
  // Requests come first, and what was here before.
  void loaded
    .then(machines?.look)
    .catch((error: unknown) => log.warn({ error: messageOf(error) }, 'no machines are followed'))
  machines?.watch((update) =>
    update.type === 'machine-notice' ? notifications.notices.passOn(update) : hub.publish(update),
  )
  terminals.onSized(hub.terminalChanged)
  terminals.onOnline(hub.terminalChanged)
  terminals.onInbox(viewing.scopeChanged)
  terminals.onKeptOpen(session)
  automation.onScope(viewing.scopeChanged)
  automation.onScope(automation.awake.look)
  automation.onLimit(sessionOrStatus)
  automation.onAlarms((id) => {
    hub.alarmsChanged()
    sessionOrStatus(id)
  })
  automation.onSync(hub.statusChanged)
  facts.onSession(session)
  upstream.onProviders(hub.providersChanged)
  upstream.onSession(hub.sessionChanged)
}

function connectTerminals({
  host,
  base,
  notifications,
  terminals,
  automation,
  facts,
  viewing,
}: Parameters<typeof connect>[0]): void {
  const { log } = host
  const { record } = base.timeline
  const { registry, outboxes, access, tmux } = terminals
  const terminalEnded = createTerminalEnded({ registry, outboxes, tmux, log })

  terminals.onNeeds(({ terminalId, asking, isNew }) => {
    const terminal = registry.get(terminalId)
    if (!terminal) return
    const where = { sessionId: terminal.sessionId, scope: terminal.scope }
    if (asking !== null && isNew) {
      const { what, asked } = asking
      record(where, { type: 'needs-you', what })
      notifications.notices.tell(
        { ...where, terminal },
        {
          class: 'needs-you',
          what,
          ...(asked && { choices: asked.choices.map((c) => c.label) }),
        },
      )
    }
    if (asking === null && isNew) {
      record(where, { type: 'over', what: 'question' })
      notifications.over(terminal.sessionId ?? terminalId)
    }
    if (terminal.sessionId !== null) viewing.hub.sessionChanged(terminal.sessionId)
    else viewing.hub.terminalChanged(terminalId)
    viewing.hub.statusChanged()
  })
  terminals.onRest((terminalId) => {
    const sessionId = registry.get(terminalId)?.sessionId ?? null
    if (sessionId === null) return
    if (facts.activity.of(sessionId) !== null) record({ sessionId }, { type: 'over', what: 'tools' })
    facts.activity.atRest(sessionId)
    facts.stalls.over(sessionId)
  })
  // Another width breaks the lines of a question elsewhere, and the key that is pressed has to match the one shown.
  terminals.onSized((terminalId) => void access.needs.sized(terminalId))
  terminals.onOnline((terminalId) => {
    const terminal = registry.get(terminalId)
    if (terminal) outboxes.peek(terminal.scope)?.check()
  })
  // Before its first message it may ask whether it may work there at all; only its screen shows that.
  const watchStart = ({ terminalId, client, endedAt, sessionId }: Terminal) => {
    if (client !== 'other' && endedAt === null && sessionId === null) access.needs.beginStart(terminalId)
  }
  for (const terminal of registry.list()) watchStart(terminal)
  registry.onChange((change) => {
    const { terminal } = change
    const where = { sessionId: terminal.sessionId, scope: terminal.scope }
    if (change.type === 'registered')
      record(where, { type: 'terminal-opened', terminalId: terminal.terminalId, client: terminal.client })
    if (change.type === 'registered') watchStart(terminal)
    if (change.type === 'ended' || change.type === 'forgotten')
      removeLaunchFiles(host.home, terminal.terminalId).catch((error: unknown) =>
        log.warn({ terminalId: terminal.terminalId, why: messageOf(error) }, 'the files of an agent were not removed'),
      )
    if (change.type === 'ended') {
      access.needs.end(terminal.terminalId)
      if (terminal.sessionId !== null) facts.drives.agentEnded(terminal.sessionId)
      record(where, {
        type: 'terminal-closed',
        terminalId: terminal.terminalId,
        exitCode: terminal.exitCode,
        why: change.why,
      })
      terminalEnded(terminal, change.why)
    }
    if (change.type === 'conversation')
      keepTerminalName(base.sessions, change).catch((error: unknown) =>
        log.warn({ terminalId: terminal.terminalId, why: messageOf(error) }, 'the name of a terminal was not kept'),
      )
    // An alarm that is due may have waited for a terminal.
    if (change.type !== 'ended' && terminal.sessionId !== null) automation.clock.alarms.deliver(terminal.sessionId)
    viewing.hub.terminalChanged(terminal.terminalId)
    viewing.scopeChanged(terminal.scope)
    automation.awake.look()
  })
}

function connectConfig({ base, notifications, terminals, automation, viewing }: Parameters<typeof connect>[0]): void {
  const { config } = base
  let lastProblem: string | null = null
  const tellProblem = () => {
    const problem = config.problem()
    const trouble = config.trouble()
    if (problem !== null && problem !== lastProblem)
      base.timeline.record({}, { type: 'config-problem', message: problem, ...(trouble && { trouble }) })
    lastProblem = problem
  }
  tellProblem()
  config.onChange(() => {
    tellProblem()
    notifications.quiet.look()
    automation.awake.look()
    // `limits.pauseAt` may no longer hold anything back.
    for (const outbox of terminals.outboxes.all()) outbox.check()
    viewing.hub.statusChanged()
    viewing.hub.providersChanged()
  })
}

interface TerminalEndedDeps {
  registry: TerminalsRegistry
  outboxes: Outboxes
  tmux: TmuxPanes
  log: Log
}

/**
 * Handles the end of a terminal's registration. Texts on their way there fail, whether the sweep, the launcher or the
 * outbox itself noticed the end first. If none was on its way, the state waits for a terminal that takes it over.
 */
function createTerminalEnded({
  registry,
  outboxes,
  tmux,
  log,
}: TerminalEndedDeps): (terminal: Terminal, why: string) => void {
  const over = async (terminal: Terminal, why: string): Promise<void> => {
    const outbox = outboxes.peek(terminal.scope)
    if (!outbox) return
    const now = registry.byScope(terminal.scope)
    // Another agent has the pane, and with it the scope and the texts that wait there.
    if (now && now.terminalId !== terminal.terminalId && registry.alive(now)) return
    await outbox.gone(await reasonOf(terminal, why))
  }
  /**
   * A launcher that gets a hang-up reports that its agent ended, even if the pane went with it. So the pane is checked.
   */
  const reasonOf = async ({ pane, exitCode }: Terminal, why: string): Promise<FailReason> => {
    if (!pane) return exitCode === null ? { code: 'terminal-gone', why } : { code: 'agent-gone' }
    const gone = await tmux.whyGone(pane)
    return gone === null ? { code: 'agent-gone' } : { code: 'terminal-gone', why: gone }
  }
  return (terminal, why) => {
    over(terminal, why).catch((error: unknown) =>
      log.error(
        { terminalId: terminal.terminalId, error: messageOf(error) },
        'what waited for an ended terminal could not be settled',
      ),
    )
  }
}

/**
 * Gives the name that a person gave a terminal to the session of its first turn. Later conversations in it are others,
 * and are named by their folder.
 */
async function keepTerminalName(
  sessions: Pick<SessionStore, 'open' | 'choose'>,
  { terminal, before }: { terminal: Terminal; before: string | null },
): Promise<void> {
  if (!terminal.named || before !== null || terminal.sessionId === null) return
  const { id } = await sessions.open(terminal.sessionId, { client: terminal.client })
  await sessions.choose(id, (choices) => (choices.name === '' ? { name: terminal.name } : {}))
}
