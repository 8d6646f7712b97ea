import type { MenuItemConstructorOptions } from 'electron'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { Place } from '../window/place.ts'
import type { UpdateRequest } from '../../../shared/updates.ts'
import type { TrayView } from './tray-view.ts'

/** The action of a menu entry; a closed list, carried out by the desktop. `place: null`: as it was left. */
export type TrayAction =
  | { kind: 'open'; place: Place | null }
  | { kind: 'pause-all' }
  | { kind: 'resume-all' }
  | { kind: 'copy-base-url' }
  | { kind: 'start-at-login'; on: boolean }
  | { kind: 'update'; request: UpdateRequest }
  | { kind: 'take-over' }
  | { kind: 'quit' }

/** Everything stands in the context menu: on Linux a click on the icon may never arrive. */
export function trayMenu(
  view: TrayView,
  act: (action: TrayAction) => void,
  /** null: login can't start this one, or it is not known yet */
  atLogin: boolean | null = null,
): MenuItemConstructorOptions[] {
  const words = sentencesOf(view.language).tray
  const item = (label: string, action: TrayAction, enabled = true): MenuItemConstructorOptions => ({
    label: literal(label),
    enabled,
    click: () => act(action),
  })
  const line = { type: 'separator' as const }
  const alarms = [view.nextAlarm, view.missedAlarms].filter((text) => text !== null)
  const providers = [...view.failing, ...view.limits]
  return [
    { label: literal(view.status), enabled: false },
    ...(view.asking.length > 0 ? [line] : []),
    ...view.asking.map(({ line: text, sessionId: id, machine }) =>
      item(text, { kind: 'open', place: { kind: 'session', id, ...(machine !== undefined && { machine }) } }),
    ),
    ...(view.more > 0 ? [item(words.more(view.more), { kind: 'open', place: { kind: 'sessions' } })] : []),
    ...(alarms.length > 0 ? [line] : []),
    ...alarms.map((text) => item(text, { kind: 'open', place: { kind: 'alarms' } })),
    ...(providers.length > 0 ? [line] : []),
    ...providers.map((text) => item(text, { kind: 'open', place: { kind: 'providers' } })),
    line,
    view.paused
      ? item(words.resumeAll, { kind: 'resume-all' }, view.live)
      : item(words.pauseAll, { kind: 'pause-all' }, view.live),
    item(words.newTerminal, { kind: 'open', place: { kind: 'new-terminal' } }, view.live),
    item(words.copyBaseUrl, { kind: 'copy-base-url' }, view.live),
    line,
    item(words.openDashboard, { kind: 'open', place: null }),
    item(words.settings, { kind: 'open', place: { kind: 'settings' } }),
    ...(atLogin === null
      ? []
      : [
          {
            ...item(words.startAtLogin, { kind: 'start-at-login', on: !atLogin }),
            type: 'checkbox' as const,
            checked: atLogin,
          },
        ]),
    ...(view.takeOver === null ? [] : [item(view.takeOver, { kind: 'take-over' })]),
    item(view.update.label, { kind: 'update', request: view.update.request ?? 'check' }, view.update.request !== null),
    line,
    item(words.quit, { kind: 'quit' }),
  ]
}

/** In a menu's label a single `&` marks the letter after it as its shortcut. */
const literal = (label: string): string => label.replaceAll('&', '&&')
