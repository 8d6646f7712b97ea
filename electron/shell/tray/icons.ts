import { join } from 'node:path'
import type { TrayIcon } from './tray-view.ts'

/** The facts that decide which picture is seen best. */
export interface Panel {
  platform: NodeJS.Platform
  /** the panel is dark: on Windows its own setting, elsewhere the system's theme */
  dark: boolean
  /** `XDG_CURRENT_DESKTOP` */
  desktop: string
}

/**
 * Which file of build/icons shows a state. macOS recolours template images itself; Windows takes an .ico with all its
 * sizes; elsewhere a picture in the state's own colour, with the `@2x` file that Electron finds beside it.
 */
export function trayIconPath(folder: string, icon: TrayIcon, panel: Panel): string {
  if (panel.platform === 'darwin') return join(folder, `tray-${icon}Template.png`)
  return join(folder, `tray-${icon}-${isDark(panel) ? 'dark' : 'light'}.${panel.platform === 'win32' ? 'ico' : 'png'}`)
}

/** GNOME's top bar is dark under both of its themes. */
const isDark = ({ platform, dark, desktop }: Panel): boolean =>
  dark || (platform === 'linux' && /\bGNOME\b/i.test(desktop))
