/** Alarms that ring or were missed, as toasts, where no desktop shows them. */
import type { OperationName } from '../../shared/operations/index.ts'
import type { Notice } from '../../shared/state.ts'
import type { Actions } from '../control/actions.ts'
import { may } from '../control/may.ts'
import type { Words } from '../i18n/index.ts'
import type { ToastAction, Toasts } from '../parts/toasts.ts'
import type { EngineState } from '../state/engine.ts'
import { isOfAll, machineOf, type Place } from '../state/place.ts'

export interface NoticeToastDeps {
  toasts: Pick<Toasts, 'notice' | 'stands' | 'withdraw'>
  actions: Pick<Actions, 'putOff' | 'cancelAlarms'>
  words(): Words
  engine(): Pick<EngineState, 'alarms' | 'rights'>
  place(): Place
  /** the page has the person's eyes */
  focused(): boolean
  /** the time that alarms keep to */
  now(): number
  /** shown in the desktop's own way already: the page runs in Onward's app */
  inShell: boolean
  openSession(id: string, machine?: string): void
  openMissed(): void
}

export interface NoticeToasts {
  tell(notice: Notice): void
  /** place or alarms changed: takes away what was seen or settled since, here or elsewhere */
  look(): void
}

/** Clocks differ a little; what was put off is further away. */
const MINUTE = 60_000

/** `waits`: some of its alarms can be cancelled still; `over`: none is left to see to */
type Standing = 'waits' | 'delivered' | 'over'

export function noticeToasts(deps: NoticeToastDeps): NoticeToasts {
  const standing = new Map<string, { notice: Notice; as: Standing | null }>()
  const show = (key: string, notice: Notice, as: Standing) => {
    // What it is about may become known later than it is.
    standing.set(key, { notice, as: as === 'over' ? null : as })
    deps.toasts.notice(key, toastOf(notice, as, deps))
  }
  const seen = ({ class: kind, sessionId, machine }: Notice) =>
    deps.focused() &&
    (machineOf(deps.place()) === machine || isOfAll(deps.place())) &&
    shows(deps.place(), kind, sessionId)
  return {
    tell(notice) {
      const { sessionId, class: kind } = notice
      if (deps.inShell || (kind !== 'alarm-due' && kind !== 'alarm-missed') || seen(notice)) return
      show(`${kind} ${sessionId}`, notice, standingOf(notice, deps))
    },
    look() {
      for (const [key, { notice, as }] of standing) {
        if (!deps.toasts.stands(key)) {
          standing.delete(key)
          continue
        }
        const now = standingOf(notice, deps)
        if (seen(notice) || (now === 'over' && as !== null)) {
          standing.delete(key)
          deps.toasts.withdraw(key)
        } else if (now === 'delivered' && as !== now) show(key, notice, now)
        else if (now !== 'over') standing.set(key, { notice, as: now })
      }
    },
  }
}

function standingOf({ class: kind, machine, alarms: ids = [] }: Notice, { engine, now }: NoticeToastDeps): Standing {
  const { alarms } = engine()
  if (machine !== undefined || alarms === null || ids.length === 0) return 'waits'
  if (kind === 'alarm-missed') return alarms.missed.some(({ taskId }) => ids.includes(taskId)) ? 'waits' : 'over'
  const rings = alarms.alarms.filter(({ taskId, dueAt }) => ids.includes(taskId) && dueAt <= now() + MINUTE)
  if (rings.length === 0) return 'over'
  return rings.some(({ state }) => state.kind !== 'delivered') ? 'waits' : 'delivered'
}

function toastOf(notice: Notice, as: Standing, deps: NoticeToastDeps): Parameters<Toasts['notice']>[1] {
  const { sessionId, title, body: text, machine } = notice
  // those of another machine are none of this engine's
  const ids = machine === undefined ? (notice.alarms ?? []) : []
  const { w, s } = deps.words()
  if (notice.class === 'alarm-missed' && machine === undefined)
    return { tone: 'failed', title, text, actions: [{ text: w.alarms.showMissed, run: deps.openMissed }] }
  // The alarms as they are at the time of the action; one that is not listed has rung.
  const meant = () => {
    const known = deps.engine().alarms?.alarms ?? []
    return ids.map((taskId) => known.find((alarm) => alarm.taskId === taskId) ?? { taskId, dueAt: 0, task: text })
  }
  const actions: ToastAction[] = []
  if (sessionId !== null) actions.push({ text: s.tray.open, run: () => deps.openSession(sessionId, machine) })
  const offers = (operation: OperationName) => ids.length > 0 && may(deps.engine(), operation)
  if (offers('snoozeAlarm')) actions.push({ text: s.tray.snooze, run: () => void deps.actions.putOff(meant()) })
  if (offers('cancelAlarm') && as !== 'delivered')
    actions.push({ text: s.tray.cancelAlarm, run: () => void deps.actions.cancelAlarms(meant()) })
  return { tone: 'alarm', title, text, actions }
}

/** The session is on the screen, and so is what was missed where missed ones are listed. */
const shows = (place: Place, kind: Notice['class'], sessionId: string | null): boolean =>
  place.view === 'sessions'
    ? sessionId !== null && place.selection?.kind === 'session' && place.selection.id === sessionId
    : place.view === 'alarms' && kind === 'alarm-missed'
