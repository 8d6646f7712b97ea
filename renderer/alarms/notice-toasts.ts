/** Alarms that ring or were missed, as toasts, where no desktop shows them. */
import type { Notice } from '../../shared/state.ts'
import type { Actions } from '../control/actions.ts'
import type { Words } from '../i18n/index.ts'
import type { ToastAction, Toasts } from '../parts/toasts.ts'
import type { EngineState } from '../state/engine.ts'
import type { Place } from '../state/place.ts'

export interface NoticeToastDeps {
  toasts: Pick<Toasts, 'notice'>
  actions: Pick<Actions, 'putOff' | 'cancelAlarms'>
  words(): Words
  engine(): Pick<EngineState, 'alarms'>
  place(): Place
  /** the page has the person's eyes */
  focused(): boolean
  /** shown in the desktop's own way already: the page runs in Onward's app */
  inShell: boolean
  openSession(id: string): void
  openMissed(): void
}

export function noticeToasts(deps: NoticeToastDeps): (notice: Notice) => void {
  return (notice) => {
    const { sessionId, class: kind } = notice
    if (deps.inShell || (kind !== 'alarm-due' && kind !== 'alarm-missed')) return
    if (deps.focused() && shows(deps.place(), kind, sessionId)) return
    const { w, s } = deps.words()
    const ids = notice.alarms ?? []
    if (kind === 'alarm-missed') {
      return deps.toasts.notice(`${kind} ${sessionId}`, {
        tone: 'failed',
        title: notice.title,
        text: notice.body,
        actions: [{ text: w.alarms.showMissed, run: deps.openMissed }],
      })
    }
    // The alarms as they are at the time of the action; one that is not listed has rung.
    const meant = () => {
      const known = deps.engine().alarms?.alarms ?? []
      return ids.map(
        (taskId) => known.find((alarm) => alarm.taskId === taskId) ?? { taskId, dueAt: 0, task: notice.body },
      )
    }
    const actions: readonly ToastAction[] = [
      ...(sessionId === null ? [] : [{ text: s.tray.open, run: () => deps.openSession(sessionId) }]),
      ...(ids.length === 0
        ? []
        : [
            { text: s.tray.snooze, run: () => void deps.actions.putOff(meant()) },
            { text: s.tray.cancelAlarm, run: () => void deps.actions.cancelAlarms(meant()) },
          ]),
    ]
    deps.toasts.notice(`${kind} ${sessionId}`, { tone: 'alarm', title: notice.title, text: notice.body, actions })
  }
}

/** The session is on the screen, and so is what was missed where missed ones are listed. */
const shows = (place: Place, kind: Notice['class'], sessionId: string | null): boolean =>
  place.view === 'sessions'
    ? sessionId !== null && place.selection?.kind === 'session' && place.selection.id === sessionId
    : place.view === 'alarms' && kind === 'alarm-missed'
