import type { MenuItemConstructorOptions } from 'electron'
import { sentencesOf } from '../../shared/sentences/index.ts'
import type { TrayView } from './tray-view.ts'

/** What a menu entry can do; a closed list, carried out by the desktop. */
export type TrayAction =
  | { kind: 'open'; place: string }
  | { kind: 'pause-all' }
  | { kind: 'resume-all' }
  | { kind: 'copy-base-url' }
  | { kind: 'quit' }

/** Everything stands in the context menu: on Linux a click on the icon may never arrive (spec 07). */
export function trayMenu(view: TrayView, act: (action: TrayAction) => void): MenuItemConstructorOptions[] {
  const words = sentencesOf(view.language).tray
  const item = (label: string, action: TrayAction): MenuItemConstructorOptions => ({ label, click: () => act(action) })
  const line = { type: 'separator' as const }
  return [
    { label: view.status, enabled: false },
    ...(view.asking.length > 0 ? [line] : []),
    ...view.asking.map((s) => item(s.line, { kind: 'open', place: `session/${s.sessionId}` })),
    ...(view.more > 0 ? [item(words.more(view.more), { kind: 'open', place: 'sessions' })] : []),
    line,
    view.paused ? item(words.resumeAll, { kind: 'resume-all' }) : item(words.pauseAll, { kind: 'pause-all' }),
    item(words.newTerminal, { kind: 'open', place: 'new-terminal' }),
    { ...item(words.copyBaseUrl, { kind: 'copy-base-url' }), enabled: view.baseUrl !== null },
    line,
    item(words.openDashboard, { kind: 'open', place: 'sessions' }),
    item(words.settings, { kind: 'open', place: 'settings' }),
    line,
    item(words.quit, { kind: 'quit' }),
  ]
}
