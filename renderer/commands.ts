/** Everything that can be done from where a person is: one list for palette, menus and keys. */
import type { App } from './app-context.ts'
import { may } from './control/may.ts'
import type { Words } from './i18n/index.ts'
import type { IconName } from './icons/icon.tsx'
import { shortcuts, type ShortcutId } from './keyboard/shortcuts.ts'
import { everySession } from './state/ui.ts'
import type { EngineState } from './state/engine.ts'
import { checksOf } from './state/checks.ts'
import { views, type Tab } from './state/place.ts'
import { runs } from './session/goal/goal-form.ts'
import type { OperationName } from '../shared/operations/index.ts'
import type { SessionView } from '../shared/state.ts'

export interface Command {
  id: string
  group: 'session' | 'everywhere'
  name: string
  icon: IconName
  shortcut?: ShortcutId
  run(): void
}

export const keysOf = (command: Command): string | undefined => command.shortcut && shortcuts[command.shortcut]

/**
 * The commands that are open now, read when the list is made. Acts on the engine are left out while it can't be
 * reached.
 */
export function commandsOf(app: App, { w }: Words): Command[] {
  const { engine, ui, actions, navigation, settings } = app.here
  const state = engine.getState()
  const { place } = ui.getState()
  const live = state.link.kind === 'live'
  const selection = place.view === 'sessions' ? place.selection : null
  const shown = app.engine.getState()
  const session = selection?.kind === 'session' ? shown.sessions.get(selection.id) : undefined
  const c = w.commands
  const out: Command[] = []
  const add: Add = (group, id, name, icon, run, shortcut) =>
    out.push({ id, group, name, icon, run, ...(shortcut ? { shortcut } : {}) })

  if (session && shown.link.kind === 'live') addOfSession(add, app, w, session)
  if (session) add('session', 'copy-id', w.session.copyId, 'copy', () => void actions.copy(session.id, w.say.copied))

  if (live) {
    if (state.status?.paused)
      add('everywhere', 'resume-all', c.resumeAll, 'play', () => void actions.resume(null), 'pauseAll')
    else add('everywhere', 'pause-all', c.pauseAll, 'pause', () => void actions.pause(null), 'pauseAll')
    add(
      'everywhere',
      'new-terminal',
      c.newTerminal,
      'term',
      () => ui.setState({ dialog: { kind: 'new-terminal' } }),
      'newTerminal',
    )
  }
  if (live && (state.sessions.size > 0 || state.machines.some(({ sessions }) => sessions.length > 0)))
    add(
      'everywhere',
      'new-alarm',
      c.newAlarm,
      'alarm',
      () => {
        navigation.go({ view: 'alarms' })
        ui.setState({ alarmForm: { kind: 'new', session: null } })
      },
      session ? undefined : 'newAlarm',
    )
  if ((state.alarms?.missedTotal ?? 0) > 0)
    add('everywhere', 'missed', c.showMissed, 'alarm', () => {
      navigation.go({ view: 'alarms' })
      ui.setState({ missedOpen: true })
    })
  const next = nextNeedingYou(state, selection?.kind === 'session' ? selection : null)
  if (next)
    add(
      'everywhere',
      'next',
      c.nextNeedsYou,
      'goal',
      () => navigation.go({ view: 'sessions', selection: { kind: 'session', ...next, tab: 'timeline' } }),
      'nextNeedsYou',
    )
  add(
    'everywhere',
    'search',
    c.searchList,
    'search',
    () => {
      if (ui.getState().place.view !== 'sessions') navigation.go({ view: 'sessions', selection: null })
      ui.setState({ query: '' })
    },
    'search',
  )
  for (const view of views)
    add(
      'everywhere',
      `go-${view}`,
      c.goTo(w.views[view]),
      'list',
      () => navigation.go(view === 'sessions' ? { view, selection: null } : { view }),
      view,
    )
  add('everywhere', 'report', w.report.open, 'chart', () => {
    navigation.go({ view: 'activity' })
    ui.setState({ activityTab: 'report', record: null })
  })
  add('everywhere', 'show-paused', c.showPaused, 'filter', () => {
    navigation.go({ view: 'sessions', selection: null })
    ui.setState({ filter: { ...everySession, show: 'paused' } })
  })
  add('everywhere', 'show-all', c.showAll, 'filter', () => {
    navigation.go({ view: 'sessions', selection: null })
    ui.setState({ filter: everySession, query: null })
  })
  add('everywhere', 'setup', w.firstRun.open, 'play', () => navigation.go({ view: 'setup' }))
  add('everywhere', 'copy-base', c.copyBaseUrl, 'copy', () => void actions.copy(app.origin, w.say.copied))
  add('everywhere', 'light', c.themeLight, 'gear', () => settings.setState({ theme: 'light' }))
  add('everywhere', 'dark', c.themeDark, 'gear', () => settings.setState({ theme: 'dark' }))
  add('everywhere', 'auto', c.themeSystem, 'gear', () => settings.setState({ theme: 'auto' }))
  add('everywhere', 'shortcuts', c.shortcuts, 'help', () => ui.setState({ dialog: { kind: 'shortcuts' } }), 'help')
  return out.filter(({ id }) => {
    const operation = operationOf[id.replace(/^allow-.*/, 'allow')]
    return operation === undefined || may(state, operation)
  })
}

/** What those ask for that act on the engine. */
const operationOf: Readonly<Partial<Record<string, OperationName>>> = {
  'resume-all': 'resume',
  'pause-all': 'pause',
  'new-terminal': 'openTerminal',
  'new-alarm': 'addAlarm',
  setup: 'useAccess',
  resume: 'resume',
  pause: 'pause',
  goal: 'setStopMessage',
  'add-ten': 'addRounds',
  review: 'editStopMessage',
  allow: 'approveCheck',
  'add-check': 'declareCheck',
  're-arm': 'rearmStopMessage',
  'carry-on': 'carryOnStopMessage',
  'end-left-goal': 'clearStopMessage',
  clear: 'clearStopMessage',
  'set-alarm': 'addAlarm',
  snooze: 'snoozeAlarm',
  rename: 'renameSession',
  pin: 'pinSession',
  archive: 'archiveSession',
  delete: 'deleteSession',
}

type Add = (
  group: Command['group'],
  id: string,
  name: string,
  icon: IconName,
  run: () => void,
  shortcut?: ShortcutId,
) => void

function addOfSession(add: Add, { engine, ui, actions, navigation }: App, w: Words['w'], session: SessionView) {
  const c = w.commands
  const { id } = session
  if (session.paused || session.stopMessage?.status.kind === 'paused')
    add('session', 'resume', c.resumeSession, 'play', () => void actions.resume(id), 'pauseSession')
  else add('session', 'pause', c.pauseSession, 'pause', () => void actions.pause(id), 'pauseSession')
  const goTo = (tab: Tab) => navigation.go({ view: 'sessions', selection: { kind: 'session', id, tab } })
  const showGoal = () => {
    goTo('timeline')
    ui.setState({ editingGoal: id })
  }
  add('session', 'goal', session.stopMessage ? c.editGoal : c.armGoal, 'goal', showGoal, 'editGoal')
  if (session.stopMessage && session.stopMessage.max !== null)
    add('session', 'add-ten', c.addTen, 'plus', () => void actions.addRounds(id, 10), 'addTen')
  if (session.stopMessage && runs(session.stopMessage))
    add(
      'session',
      'review',
      session.stopMessage.review ? w.review.off : w.review.on,
      'reviewer',
      () => void actions.setReview(id, !session.stopMessage?.review),
    )
  if (session.stopMessage?.review) {
    const found = checksOf(engine.getState().checks, session)
    const folder = found?.folder ?? null
    for (const check of found?.checks ?? [])
      if (folder !== null && (check.approval === 'not-approved' || check.approval === 'changed'))
        add('session', `allow-${check.name}`, c.allowCheck(check.name), 'reviewer', () =>
          ui.setState({ dialog: { kind: 'approve-check', session: id, folder, check } }),
        )
    add('session', 'add-check', c.addCheck, 'plus', () => {
      goTo('timeline')
      ui.setState({ addingCheck: id, editingGoal: null })
    })
  }
  if (session.stopMessage || session.lastStopMessage)
    add('session', 'rounds', c.showRounds, 'list', () => goTo('rounds'), 'rounds')
  if (session.drives) add('session', 'drives', c.showDrives, 'repeat', () => goTo('drives'), 'drives')
  if (canReArm(session)) add('session', 're-arm', c.reArm, 'undo', () => void actions.reArm(id), 'reArm')
  if (session.leftGoal) {
    add('session', 'carry-on', w.card.carryOn, 'goal', () => void actions.carryOn(id))
    add('session', 'end-left-goal', w.card.endGoal, 'x', () => void actions.clear(id))
  }
  if (session.stopMessage) add('session', 'clear', c.clearGoal, 'x', () => void actions.clear(id))
  const setAlarm = () => {
    goTo('alarms')
    ui.setState({ alarmForm: { kind: 'new', session: id } })
  }
  add('session', 'set-alarm', c.setAlarm, 'alarm', setAlarm, 'newAlarm')
  const next = session.nextAlarm
  if (next) add('session', 'snooze', c.snoozeNext, 'alarm', () => void actions.putOff([next]), 'snooze')
  add('session', 'rename', c.rename, 'edit', () => ui.setState({ renaming: id }), 'rename')
  add(
    'session',
    'pin',
    session.pinned ? w.session.unpin : w.session.pin,
    'pin',
    () => void actions.pin(id, !session.pinned),
  )
  add(
    'session',
    'archive',
    session.archived ? w.session.unarchive : w.session.archive,
    session.archived ? 'undo' : 'archive',
    () => void actions.archive(id, !session.archived),
    'archive',
  )
  add('session', 'delete', w.session.delete.open, 'x', () =>
    ui.setState({ dialog: { kind: 'delete-session', session: id } }),
  )
}

/** A failed goal, or one that was cleared without having come to its end. */
export function canReArm(session: {
  stopMessage: { status: { kind: string } } | null
  lastStopMessage: unknown
  shape: string
}): boolean {
  return (
    session.stopMessage?.status.kind === 'failed' || (session.stopMessage === null && session.lastStopMessage !== null)
  )
}

interface Asking {
  id: string
  machine?: string
}

/**
 * The session after `current` that needs a person, in the order of the list (longest waiting last), round and round.
 */
function nextNeedingYou({ sessions, machines }: EngineState, current: Asking | null): Asking | undefined {
  const own = [...sessions.values()].map((session) => ({ session, at: { id: session.id } as Asking }))
  const far = machines.flatMap(({ name: machine, state, sessions: there }) =>
    state.kind === 'there' ? there.map((session) => ({ session, at: { id: session.id, machine } })) : [],
  )
  const asking = [...own, ...far]
    .filter(({ session }) => session.shape === 'needs' && !session.archived)
    .toSorted(({ session: a }, { session: b }) => b.lastActivityAt - a.lastActivityAt || (a.id < b.id ? -1 : 1))
  const now = asking.findIndex(({ at }) => at.id === current?.id && at.machine === current.machine)
  return asking[(now + 1) % asking.length]?.at
}
