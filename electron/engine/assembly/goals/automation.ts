import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AlarmsView, AlarmView } from '../../../../shared/alarms/alarms.ts'
import type { Config } from '../../../../shared/config/schema.ts'
import { boundsOf } from '../../../../shared/policy/apply.ts'
import type { EngineStatus, SessionView } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'
import { keptZone, pause, type Clock } from '../../base/clock.ts'
import type { Event } from '../../base/disposable.ts'
import { OnwardError, messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { createAlarms } from '../../clock/alarms.ts'
import { alarmsView, alarmView, nextAlarmView } from '../../clock/views.ts'
import { isAlarmEntry } from '../../clock/deliver/to-terminal.ts'
import type { AlarmsDeps } from '../../clock/deps.ts'
import type { Task } from '../../clock/model/task.ts'
import type { Alarms, TimeSync } from '../../clock/model/types.ts'
import { createTimeSync } from '../../clock/time-sync.ts'
import type { ConfigHandle } from '../../config/types.ts'
import type { ApiDeps } from '../../control/api/create-api.ts'
import type { EngineHost } from '../../host.ts'
import type { InternalCall } from '../../pipeline/internal-calls/internal-call.ts'
import type { MarkerDeps } from '../../pipeline/request/read-markers.ts'
import { createReminders, type Reminders, timeTagLine, wantsTimeTag } from '../../pipeline/request/reminders.ts'
import type { TurnServices } from '../../pipeline/run-turn.ts'
import { createResumeAtReset, type ResumeAtReset } from '../../servertools/resume-at-reset/resume-at-reset.ts'
import type { StopMessageDeps } from '../../servertools/stop-message/deps.ts'
import { createStopMessage, type StopMessage } from '../../servertools/stop-message/stop-message.ts'
import { startRebinder, type Rebinder } from '../../sessions/binding/rebinder.ts'
import type { TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'
import { sessionName } from '../../sessions/session-state.ts'
import { agents } from '../../terminals/agents/index.ts'
import type { OutboxListener } from '../../terminals/outbox/listener.ts'
import type { EngineContext } from '../foundation.ts'
import type { Notifications } from '../notices/notifications.ts'
import type { TerminalAccess } from '../terminals/terminal-access.ts'
import type { Terminals } from '../terminals/terminals.ts'
import { assembleGoal, type GoalAssembly } from './goal.ts'
import { createKeepAwake, type KeepAwake } from './keep-awake.ts'

export interface Automation {
  stopMessage: StopMessage
  goal: GoalAssembly
  clock: ClockAssembly
  resume: ResumeAtReset
  awake: KeepAwake
  /** a goal or a followup is set there that goes on by itself */
  goesOn(scope: Scope): boolean
  /** Reads what was set before, then begins to act on it. */
  load(): Promise<Rebinder>
  /** stopMessage or the queue of a scope changed */
  onScope: Event<Scope>
  /** limits as viewers see them changed; null: not those of one session alone */
  onLimit: Event<string | null>
  /** alarms as viewers see them changed; null: not those of one session alone */
  onAlarms: Event<string | null>
  /** the corrected time */
  onSync: Event<void>
}

export interface AutomationParts extends EngineContext {
  notifications: Pick<Notifications, 'notices'>
  terminals: Terminals
  internalCall: InternalCall
}

/** Everything that types by itself: stopMessage and its goals, alarms, and sessions that go on when a limit lifts. */
export function assembleAutomation(parts: AutomationParts): Automation {
  const { host, base, events, language, internalCall } = parts
  const { tell } = parts.notifications.notices
  const { access, outboxes, registry, sessionTerminals } = parts.terminals
  const { clock, log, random } = host
  const { config, store, sessions, records } = base
  const { record } = base.timeline
  const scopes = events<Scope>('stopMessage')
  const limits = events<string | null>('limits')
  const alarms = events<string | null>('alarms')
  const sync = events<void>('the corrected time')
  const checks = events<void>('declared checks')
  const alive = (scope: Scope): boolean => {
    const terminal = registry.byScope(scope)
    return terminal !== null && registry.alive(terminal)
  }
  const goal = assembleGoal({
    host,
    config,
    store,
    sessions,
    records,
    folderOf: sessionTerminals.folderOfScope,
    internalCall,
    checksShown: checks.emit,
  })
  const stopMessage = createStopMessage({
    store,
    outboxes,
    clock,
    random,
    record,
    notify: tell,
    config: () => ({ ...stopMessageSettings(config.current()), language: language() }),
    shownWork: shownWorkOf(registry, access, host),
    terminalGone: (scope) => (alive(scope) ? null : 'it was closed'),
    goal: goal.deps,
    tellsItself: isAlarmEntry,
    onChange: scopes.emit,
  })
  registry.keepScopes(stopMessage.inUse)
  checks.on(() => {
    for (const scope of stopMessage.scopes())
      if (stopMessage.isArmed(scope) && sessionTerminals.folderOfScope(scope) !== null) scopes.emit(scope)
  })
  const resume = createResumeAtReset({
    store,
    outboxes,
    clock,
    random,
    record,
    language,
    notify: tell,
    scopeOf(sessionId) {
      const terminal = sessionTerminals.of(sessionId)
      if (!terminal) return 'no-terminal'
      return registry.alive(terminal) ? terminal.scope : 'terminal-gone'
    },
    onChange: limits.emit,
  })
  const clockAssembly = assembleClock({
    host,
    config,
    store,
    root: base.root,
    outboxes,
    record,
    nameOf(sessionId) {
      const session = sessions.get(sessionId)
      return session ? sessionName(session) : sessionId
    },
    scopeOf: (sessionId) => sessionTerminals.livingOf(sessionId)?.scope ?? null,
    alive,
    paused: (sessionId) => outboxes.pausedAll() || outboxes.resting() || (sessions.get(sessionId)?.paused ?? false),
    notify: tell,
    onChange: alarms.emit,
    onSync: sync.emit,
  })
  const goesOn = (scope: Scope): boolean => {
    const kind = stopMessage.isArmed(scope) ? stopMessage.view(scope).stopMessage?.status.kind : undefined
    return kind === 'armed' || kind === 'reviewing'
  }
  const awake = createKeepAwake({
    host,
    wanted: () => config.current().goal.keepAwake,
    goals: () => stopMessage.scopes().filter((scope) => goesOn(scope) && alive(scope)).length,
    onChange: () => sync.emit(),
  })
  return {
    awake,
    goesOn,
    stopMessage,
    goal,
    clock: clockAssembly,
    resume,
    async load() {
      outboxes.use((scope) => bothListen(stopMessage.listenerOf(scope), clockAssembly.alarms.listenerOf(scope)))
      await outboxes.load()
      await goal.load()
      await stopMessage.start()
      await clockAssembly.alarms.load()
      await outboxes.start()
      // Reading the files and opening the outboxes are two pieces of work: with many files one of them is enough per
      // turn of the event loop.
      await nextTurn()
      return startRebinder({
        terminals: registry,
        clock,
        log,
        record,
        effects: { move: movesAll(stopMessage, clockAssembly.alarms), clean: stopMessage.clean },
      })
    },
    onScope: scopes.on,
    onLimit: limits.on,
    onAlarms: alarms.on,
    onSync: sync.on,
  }
}

const stopMessageSettings = ({ stopMessage, goal: { askMinutes }, held }: Config) => ({
  budgets: {
    ...stopMessage.budgets,
    askMs: askMinutes === null ? null : askMinutes * 60_000,
    ...(held && { held: boundsOf(held) }),
  },
  backgroundWaitMs: stopMessage.backgroundWaitSeconds * 1_000,
})

export interface ClockParts extends Omit<AlarmsDeps, 'clock' | 'random' | 'log' | 'files' | 'config' | 'zone'> {
  host: EngineHost
  config: ConfigHandle
  nameOf(sessionId: string): string
  /** the time sync's state changed */
  onSync(): void
}

export interface ClockAssembly {
  alarms: Alarms
  time: TimeSync
  view(): AlarmsView
  nextOf(sessionId: string): SessionView['nextAlarm'] | null
  status(): Required<Pick<EngineStatus, 'alarms' | 'timeSync' | 'zone'>>
  api: ApiDeps['alarms']
  reminders: Reminders
  timeTag: TurnServices['timeTag']
  markers: MarkerDeps['alarms']
}

/** Alarms and the corrected time, with what viewers see of them. */
function assembleClock(parts: ClockParts): ClockAssembly {
  const { host, config, nameOf, store, record } = parts
  const { random, log, files } = host
  const settings = () => config.current().clock
  const zone = keptZone(host.clock)
  const time = createTimeSync({
    store,
    clock: host.clock,
    random,
    log,
    env: host.env,
    config: () => ({ ...settings().ntp, enabled: settings().enabled && settings().ntp.enabled }),
  })
  const alarms = createAlarms({ ...parts, clock: time.clock, random, log, files, config: settings, zone })
  time.onChange((sync) => {
    record({}, { type: 'time-sync', sync })
    // An alarm that was due in a minute may be due now.
    alarms.deliver(null)
    parts.onSync()
  })
  const view = () => alarmsView(alarms, { nameOf, zone: zone(), retentionMs: settings().retentionMs })
  const viewOf = (task: Task): AlarmView => alarmView(task, nameOf)
  return {
    alarms,
    time,
    view,
    nextOf: (sessionId) => nextAlarmView(alarms.nextOf(sessionId)),
    status() {
      const { waiting, first } = alarms.next()
      const next = first && {
        sessionId: first.sessionId,
        sessionName: nameOf(first.sessionId),
        dueAt: first.dueAtMs,
        task: first.task,
      }
      return { alarms: { waiting, missed: alarms.missedCount(), next }, timeSync: time.state(), zone: zone() }
    },
    markers: {
      async set(sessionId, alarm, requestId) {
        if (!settings().enabled)
          throw new OnwardError('clock-off', 'The clock is switched off, so no alarm can be set.')
        await alarms.schedule(sessionId, [alarm], { by: 'marker', requestId })
      },
      clear: (sessionId, requestId) => alarms.clear(sessionId, 'marker', requestId),
    },
    reminders: createReminders({
      alarms,
      hasAlarms: (sessionId) => alarms.nextOf(sessionId) !== null,
    }),
    timeTag: (turn) =>
      settings().enabled && settings().timeTag && wantsTimeTag(turn)
        ? timeTagLine(time.clock.now(), zone(), time.state().offsetMs)
        : null,
    api: {
      alarms,
      now: () => time.clock.now(),
      enabled: () => settings().enabled,
      view,
      viewOf,
      // It needs a grammar of dates, which is loaded only when a person writes a time.
      async readTime(text) {
        const { readTime } = await import('../../clock/read-time/read-time.ts')
        return readTime(text, time.clock.now(), zone())
      },
    },
  }
}

/** An outbox has one listener: stopMessage hears everything, alarms only the fate of entries. Each knows its own. */
function bothListen(first: OutboxListener, alarms: ReturnType<Alarms['listenerOf']>): OutboxListener {
  return {
    ...first,
    async confirmed(entry, late, transaction) {
      await alarms.confirmed(entry, late, transaction)
      await first.confirmed(entry, late, transaction)
    },
    async failed(entry, reason, transaction) {
      await alarms.failed(entry, reason, transaction)
      await first.failed(entry, reason, transaction)
    },
    async ended(entry, transaction) {
      await alarms.ended(entry, transaction)
      await first.ended(entry, transaction)
    },
    async unconfirmed(entry, transaction) {
      await alarms.unconfirmed(entry, transaction)
      await first.unconfirmed(entry, transaction)
    },
  }
}

/** Rebinding: moves everything bound to a terminal to another, the queue before the alarms that wait in it. */
const movesAll =
  (automation: Pick<StopMessage, 'move'>, alarms: Pick<Alarms, 'move'>) =>
  async (from: Scope, to: Scope): Promise<boolean> => {
    const moved = await automation.move(from, to)
    await alarms.move(from, to)
    return moved
  }

/** When its last byte has gone out, its answer is not yet on the screen. */
const DRAWN_MS = 400
const LOOKS = 4

/** Reads work in the background from a terminal's screen, looking again until it shows. */
function shownWorkOf(
  registry: Pick<TerminalsRegistry, 'byScope'>,
  access: Pick<TerminalAccess, 'findTarget'>,
  { clock, log }: { clock: Clock; log: Log },
): NonNullable<StopMessageDeps['shownWork']> {
  return {
    known(scope) {
      const terminal = registry.byScope(scope)
      return terminal !== null && agents[terminal.client].screen?.background !== undefined
    },
    async look(scope) {
      for (let looks = 0; looks < LOOKS; looks++) {
        await pause(clock, DRAWN_MS)
        const terminal = registry.byScope(scope)
        const target = terminal && access.findTarget(terminal.terminalId)
        const reading = await target?.read().catch((error: unknown) => {
          log.warn({ scope, error: messageOf(error) }, 'a screen could not be read for work in the background')
          return null
        })
        if (!reading || reading.kind === 'gone') return undefined
        if (reading.background !== undefined) return reading.background
      }
      return undefined
    },
  }
}
