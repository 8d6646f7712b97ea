import type { MenuItemConstructorOptions } from 'electron'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { Language } from '../../../shared/words.ts'
import { desktopWords } from '../words.ts'

export interface AppMenuOptions {
  platform: NodeJS.Platform
  language: Language
  settings(): void
  /** null: the command can't be installed from here, or its package brought it */
  command: { installed: boolean; set(on: boolean): void } | null
  uninstall(): void
}

/**
 * The menu of the app itself: it carries the keys for copy, zoom and quit, and is the only way to quit where there is
 * no tray. Hidden outside macOS until Alt is pressed.
 */
export function appMenu({
  platform,
  language,
  settings,
  command,
  uninstall,
}: AppMenuOptions): MenuItemConstructorOptions[] {
  const words = sentencesOf(language).tray
  const settingsItem: MenuItemConstructorOptions = {
    label: words.settings,
    accelerator: 'CommandOrControl+,',
    click: settings,
  }
  const line: MenuItemConstructorOptions = { type: 'separator' }
  const own = desktopWords(language)
  const installation: MenuItemConstructorOptions[] = [
    ...(command
      ? [
          {
            label: command.installed ? own.removeCommand : own.installCommand,
            click: () => command.set(!command.installed),
          },
        ]
      : []),
    { label: own.uninstall.entry, click: uninstall },
  ]
  const app: MenuItemConstructorOptions[] =
    platform === 'darwin'
      ? [
          { role: 'about' },
          line,
          settingsItem,
          ...installation,
          line,
          { role: 'services' },
          line,
          { role: 'hide' },
          { role: 'hideOthers' },
          { role: 'unhide' },
          line,
          { role: 'quit' },
        ]
      : [settingsItem, ...installation, line, { role: 'quit' }]
  return [{ label: 'Onward', submenu: app }, { role: 'editMenu' }, { role: 'viewMenu' }, { role: 'windowMenu' }]
}
