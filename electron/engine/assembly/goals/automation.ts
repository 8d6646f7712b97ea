import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Config } from '../../../../shared/config/schema.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { Event } from '../../base/disposable.ts'
import { isAlarmEntry } from '../../clock/deliver/to-terminal.ts'
import type { InternalCall } from '../../pipeline/internal-calls/internal-call.ts'
import { createResumeAtReset, type ResumeAtReset } from '../../servertools/resume-at-reset/resume-at-reset.ts'
import { createStopMessage, type StopMessage } from '../../servertools/stop-message/stop-message.ts'
import { sessionName } from '../../sessions/session-state.ts'
import { startRebinder, type Rebinder } from '../../sessions/binding/rebinder.ts'
import { bothListen, movesAll } from './alarms-beside.ts'
import { assembleClock, type ClockAssembly } from '../clock.ts'
import type { EngineContext } from '../foundation.ts'
import { shownWorkOf } from '../terminals/shown-work.ts'
import { createKeepAwake, type KeepAwake } from './keep-awake.ts'
import { assembleGoal, type GoalAssembly } from './goal.ts'
import type { Notifications } from '../notices/notifications.ts'
import type { Terminals } from '../terminals/terminals.ts'

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

const stopMessageSettings = ({ stopMessage, goal: { askMinutes } }: Config) => ({
  budgets: { ...stopMessage.budgets, askMs: askMinutes === null ? null : askMinutes * 60_000 },
  backgroundWaitMs: stopMessage.backgroundWaitSeconds * 1_000,
})
