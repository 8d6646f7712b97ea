import { join } from 'node:path'
import type { TrayIcon } from './tray-view.ts'

/**
 * Which file of build/icons shows a state. macOS recolours template images itself; elsewhere the picture comes in
 * the state's own colour for a light or a dark panel. Electron finds the `@2x` file beside it on sharp screens.
 */
export function trayIconPath(folder: string, icon: TrayIcon, platform: NodeJS.Platform, dark: boolean): string {
  if (platform === 'darwin') return join(folder, `tray-${icon}Template.png`)
  return join(folder, `tray-${icon}-${dark ? 'dark' : 'light'}.png`)
}
