import type { MenuItemConstructorOptions } from 'electron'
import { sentencesOf } from '../../shared/sentences/index.ts'
import type { Language } from '../../shared/words.ts'

export interface AppMenuOptions {
  platform: NodeJS.Platform
  language: Language
  settings(): void
}

/**
 * The menu of the app itself: it carries the keys for copy, zoom and quit, and is the only way to quit where there is
 * no tray. Hidden outside macOS until Alt is pressed.
 */
export function appMenu({ platform, language, settings }: AppMenuOptions): MenuItemConstructorOptions[] {
  const words = sentencesOf(language).tray
  const settingsItem: MenuItemConstructorOptions = {
    label: words.settings,
    accelerator: 'CommandOrControl+,',
    click: settings,
  }
  const line: MenuItemConstructorOptions = { type: 'separator' }
  const app: MenuItemConstructorOptions[] =
    platform === 'darwin'
      ? [
          { role: 'about' },
          line,
          settingsItem,
          line,
          { role: 'services' },
          line,
          { role: 'hide' },
          { role: 'hideOthers' },
          { role: 'unhide' },
          line,
          { role: 'quit' },
        ]
      : [settingsItem, line, { role: 'quit' }]
  return [{ label: 'Onward', submenu: app }, { role: 'editMenu' }, { role: 'viewMenu' }, { role: 'windowMenu' }]
}
