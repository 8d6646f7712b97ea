import type { Devices } from '../../control/devices.ts'
import type { Viewing } from '../../control/views/viewing.ts'
import { routingView } from '../../control/views/routing-view.ts'
import type { Automation } from '../goals/automation.ts'
import type { EngineContext } from '../foundation.ts'
import type { Finishing } from '../finish.ts'
import type { Notifications } from '../notices/notifications.ts'
import type { SessionFacts } from './session-facts.ts'
import { shownCommand } from '../terminals/shown-command.ts'
import { engineStatus } from './status.ts'
import type { Terminals } from '../terminals/terminals.ts'
import type { Turns } from '../turns.ts'
import type { Upstream } from '../upstream.ts'
import type { Revive } from '../../servertools/revive/index.ts'
import { createViewing } from './viewing.ts'

export interface ViewParts extends EngineContext {
  /** resolves when the sessions of earlier runs are in memory */
  loaded: Promise<void>
  notifications: Notifications
  terminals: Terminals
  automation: Automation
  facts: SessionFacts
  upstream: Upstream
  revive: Revive
  turns: Turns
  finishing(): Finishing | null
  devices: Devices
}

/** Everything the engine knows, as viewers see it. */
export function assembleViews(parts: ViewParts): Viewing {
  const { host, base, events, loaded, notifications, terminals, automation, facts, upstream, turns } = parts
  const { config, sessions, records, address } = base
  const { registry, outboxes } = terminals
  const commandFound = events<void>('how this program is called')
  const command = shownCommand(host, commandFound.emit)
  const viewing = createViewing({
    clock: host.clock,
    sessions,
    loaded,
    registry,
    terminalAccess: terminals.access,
    activity: facts.activity,
    failures: facts.failures,
    stalls: facts.stalls,
    outboxes,
    inboxOf: terminals.inboxes.shown,
    stopMessageOf: automation.stopMessage.view,
    resume: automation.resume,
    recover: upstream.recover,
    pauseAtLimit: terminals.pauseAtLimit,
    alarms: automation.clock,
    keepWarmOf: turns.warm.of,
    devices: parts.devices.list,
    machines: () => host.machines?.now() ?? [],
    providers: () => ({ type: 'providers', providers: upstream.router.views(), routing: routingView(config) }),
    status: (shown) =>
      engineStatus({
        host,
        config,
        command: command(),
        address,
        startedAt: parts.startedAt,
        pid: process.pid,
        paused: outboxes.pausedAll(),
        finishing: parts.finishing(),
        awake: automation.awake.state(),
        sessions: shown,
        terminals: registry.list().filter(registry.alive).length,
        freshAsking: registry
          .list()
          .filter(
            (t) => t.sessionId === null && registry.alive(t) && terminals.access.needs.asks(t.terminalId) !== null,
          ).length,
        today: records.today(),
        limits: automation.resume.limits(),
        outside: notifications.outside.views(),
        quietHeld: notifications.quiet.held(),
        servertools: turns.tools.view(),
        clock: automation.clock.status(),
      }),
  })
  commandFound.on(() => viewing.hub.statusChanged())
  parts.devices.onChanged(() => viewing.hub.publish({ type: 'devices', devices: parts.devices.list() }))
  return viewing
}
