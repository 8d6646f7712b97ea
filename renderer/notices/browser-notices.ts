/** Notices as the browser shows them, where the dashboard is open in one and no desktop app shows them already. */
import type { Notice } from '../../shared/state.ts'
import type { Words } from '../i18n/index.ts'
import type { Toasts } from '../parts/toasts.ts'
import type { EngineState } from '../state/engine.ts'
import type { Place } from '../state/place.ts'
import { leadsTo } from './leads-to.ts'

/** The part of the browser's class that is used. */
export interface NotificationClass {
  new (
    title: string,
    options: { body: string; tag: string },
  ): {
    onclick: ((event: Event) => unknown) | null
    close(): void
  }
  readonly permission: NotificationPermission
  requestPermission(): Promise<NotificationPermission>
}

export interface BrowserNoticeDeps {
  /** looked up each time; null where the browser has none, or the page is none that may */
  notification(): NotificationClass | null
  engine(): Pick<EngineState, 'sessions' | 'terminals' | 'status'>
  place(): Place
  /** the page has the person's eyes */
  focused(): boolean
  /** the page runs in Onward's app */
  inShell: boolean
  /** outlasts the page; null where the browser keeps nothing */
  storage: Pick<Storage, 'getItem' | 'setItem'> | null
  toasts: Pick<Toasts, 'notice'>
  words(): Words
  /** brings the page to the front, and shows this */
  open(place: Place): void
}

const askedKey = 'onward-notices-asked'
/** Notices of a session that waits for a person: that is when they see the use of notifications. */
const waits: ReadonlySet<Notice['class']> = new Set(['needs-you', 'budget', 'injection-failed'])

export function browserNotices(deps: BrowserNoticeDeps): (notice: Notice) => void {
  let asked = false
  const ask = (Notification: NotificationClass) => {
    if (asked || !deps.focused() || deps.storage?.getItem(askedKey) === 'yes') return
    asked = true
    deps.storage?.setItem(askedKey, 'yes')
    const { w } = deps.words()
    deps.toasts.notice('browser notices', {
      tone: 'alarm',
      title: w.say.noticesTitle,
      text: w.say.noticesText,
      actions: [
        { text: w.say.noticesYes, run: () => void Notification.requestPermission() },
        { text: w.say.noticesNo, run: () => undefined },
      ],
    })
  }
  return (notice) => {
    const Notification = deps.notification()
    if (!Notification || deps.inShell || deps.engine().status?.desktop) return
    const { permission } = Notification
    if (permission === 'default' && waits.has(notice.class)) return ask(Notification)
    if (permission !== 'granted' || (deps.focused() && isShown(deps.place(), notice))) return
    // Two tabs show one notice once: the browser puts the second in the place of the first.
    const shown = new Notification(notice.title, { body: notice.body, tag: notice.id })
    shown.onclick = () => {
      shown.close()
      // By the current state: the question may be answered.
      deps.open(leadsTo(notice, deps.engine()))
    }
  }
}

const isShown = (place: Place, { sessionId, machine }: Notice): boolean =>
  sessionId !== null &&
  place.view === 'sessions' &&
  place.selection?.kind === 'session' &&
  place.selection.machine === machine &&
  place.selection.id === sessionId
